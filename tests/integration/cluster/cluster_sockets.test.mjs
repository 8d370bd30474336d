// A WebSocket's turns that another node runs. CLUSTER_ROUNDS says how often; with a thousand the times are judged as well.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Cluster, killNode } from '../support/cluster.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { settles, slowness, until } from '../support/patience.mjs';
import { connected, demoServer } from '../support/servers.mjs';
import { newSession } from '../support/turns.mjs';
import { Connection } from '../support/websocket.mjs';

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 5);
const timeout = (120000 + rounds * 1000) * slowness;

async function start(t, { tools = false } = {}) {
  const model = await startHeldModel(t);
  const { nodes } = await Cluster.start(t, {
    nodes: 2,
    config: {
      models: { held: { base_url: `${model.url}/v1`, model: 'held', api_key: 'none' } },
      ...(tools && { mcpServers: { demo: demoServer() } }),
    },
  });
  if (tools) for (const node of nodes) await connected({ status: () => node.json('/v1/status') }, 'demo');
  const sockets = [];
  for (const node of nodes) sockets.push(await Connection.open(node));
  t.after(() => sockets.forEach((each) => each.socket.terminate()));
  const asked = (question) => until(`the model is asked ${question}`,
    () => model.answers.find((one) => one.question === question && !one.over), 20000);
  return { model, nodes, sockets, asked };
}

test('a turn of a busy chat waits at its owner, and its events come back', { timeout }, async (t) => {
  const { sockets: [one, two], asked } = await start(t);
  const id = newSession();
  const first = one.start(id, { message: 'first' });
  const answer = await asked('first');
  two.start(id, { message: 'refused', turn: 'r' });
  const refused = await two.session(id).isTold('refused');
  assert.deepEqual([refused.turn, refused.error.code], ['r', 'session_busy']);
  const second = two.start(id, { message: 'second', turn: 't-2', whenBusy: 'wait' });
  answer.say('a');
  answer.end();
  await first.ends();
  const next = await asked('second');
  next.say('b');
  next.end();
  await second.ends();
  assert.equal(second.events[0].turnId, 't-2');
  assert.deepEqual(second.types(), ['SESSION_START', 'MODEL_RESPONSE_WAITING', 'TEXT', 'MODEL_GENERATION_STOP', 'SESSION_END']);
});

test(`a turn is resumed, left and stopped through another node, ${rounds} times`, { timeout }, async (t) => {
  const { sockets, asked } = await start(t);
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const [one, two] = round % 2 ? sockets : sockets.toReversed();
    const id = newSession();
    const first = one.start(id, { message: id, turn: 't', resumable: true });
    const answer = await asked(id);
    answer.say('a');
    await first.sees('TEXT');
    two.send('resume', { session: id });
    const viewer = two.session(id);
    await viewer.sees('TEXT');
    two.send('leave', { session: id });
    await viewer.isTold('left');
    two.send('resume', { session: id, after: viewer.lastSeq });
    two.send('abort', { session: id, turn: 'another' });
    answer.say('b');
    await viewer.until('b', () => viewer.events.some((event) => event.text === 'b'));
    const stopped = performance.now();
    two.send('abort', { session: id, turn: 't' });
    times.push(await until('the model is left', () => answer.closedAt) - stopped);
    await viewer.ends();
    await first.ends();
    assert.deepEqual(viewer.events, first.events);
  }
  times.sort((a, b) => a - b);
  const p99 = times[Math.ceil(times.length * 0.99) - 1];
  t.diagnostic(`model left after ${times[times.length >> 1].toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  if (rounds >= 1000) assert.ok(p99 <= 50, `p99 ${p99} ms`);
  const [, two] = sockets;
  two.send('resume', { session: newSession() });
  await until('it is idle', () => [...two.sessions.values()].some(({ notices }) => notices.some(({ type }) => type === 'idle')));
});

test('with manual flow events of another node wait for credit', { timeout }, async (t) => {
  const { sockets: [one, two], asked } = await start(t);
  const id = newSession();
  const first = one.start(id, { message: 'go', resumable: true });
  const answer = await asked('go');
  for (const word of ['a', 'b', 'c']) answer.say(word);
  await first.until('three words', () => first.events.filter(({ type }) => type === 'TEXT').length > 0);
  two.send('resume', { session: id, flow: 'manual', credit: 2 });
  const viewer = two.session(id);
  await viewer.until('two events', () => viewer.events.length === 2);
  answer.end();
  await first.ends();
  assert.equal(viewer.events.length, 2);
  two.send('credit', { session: id, events: 1000 });
  await viewer.ends();
  assert.deepEqual(viewer.events.map(({ seq }) => seq), first.events.map(({ seq }) => seq));
});

test(`a call is approved through another node, ${rounds} times`, { timeout }, async (t) => {
  const { sockets, asked } = await start(t, { tools: true });
  for (let round = 0; round < rounds; round += 1) {
    const [one, two] = round % 2 ? sockets : sockets.toReversed();
    const id = newSession();
    const first = one.start(id, { message: id, toolApproval: 'always' });
    (await asked(id)).call('echo', { message: 'said' });
    const { approvalId } = await first.sees('TOOL_APPROVAL_REQUEST');
    two.send('approvals', { session: id, approvals: [{ approvalId, approved: true }] });
    await first.sees('MCP_TOOL_SUCCESS');
    (await asked(id)).end();
    await first.ends();
  }
});

test('the loss of the owner is told, and nothing else of the socket', { timeout }, async (t) => {
  const { sockets: [, two], nodes, asked } = await start(t);
  const id = newSession();
  const owner = await Connection.open(nodes[0]);
  owner.start(id, { message: 'go', resumable: true });
  const answer = await asked('go');
  answer.say('a');
  two.send('resume', { session: id });
  const viewer = two.session(id);
  await viewer.sees('TEXT');
  const own = two.start(newSession(), { message: 'own' });
  await killNode(nodes[0]);
  const { error } = await viewer.isTold('refused');
  assert.equal(error.code, 'owner_unreachable');
  const mine = await asked('own');
  mine.end();
  await settles('the own turn ends', own.ends());
});
