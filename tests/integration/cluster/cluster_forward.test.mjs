// What concerns a turn that another node runs, asked of a node that does not: stops, approvals, viewers, turns of the busy chat,
// deletes. CLUSTER_ROUNDS says how often; with a thousand the times are judged as well.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { Cluster, killNode } from '../support/cluster.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { settles, slowness, until } from '../support/patience.mjs';
import { connected, demoServer } from '../support/servers.mjs';
import { Turn, newSession } from '../support/turns.mjs';

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 10);
const timeout = (120000 + rounds * 1000) * slowness;
const judged = rounds >= 1000;

/** The environment names a proxy that nobody is, but for the model: nodes do not use it among themselves. */
async function start(t, { nodes = 2, tools = false, cluster = {} } = {}) {
  const model = await startHeldModel(t);
  const url = model.url.replace('127.0.0.1', 'localhost');
  const made = await Cluster.start(t, {
    nodes,
    cluster,
    env: { http_proxy: 'http://127.0.0.1:9', no_proxy: 'localhost' },
    config: {
      models: { held: { base_url: `${url}/v1`, model: 'held', api_key: 'none' } },
      ...(tools && { mcpServers: { demo: demoServer() } }),
    },
  });
  if (tools) for (const node of made.nodes) await connected({ status: () => node.json('/v1/status') }, 'demo');
  return { model, cluster: made, nodes: made.nodes };
}

/** Begins a turn and resolves when its client has the model's first word; has `answer`, the model's side. */
async function begin({ model }, node, options = {}) {
  const before = model.answers.length;
  const turn = new Turn(node.url, { message: 'go', ...options });
  const answer = await until('the model is asked', () => model.answers[before], 20000);
  answer.say('one ');
  await turn.sees('TEXT');
  return Object.assign(turn, { answer });
}

const path = (turn, verb) => `/v1/sessions/${turn.session}/${verb}`;
const post = (node, where, body = {}) => fetch(node.url + where, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
});

/** Reads an answer whole, as bytes; `lost` when the connection is cut in its middle. `begun` is called when its head has come. */
function read(node, where, begun = () => {}) {
  return new Promise((resolve, reject) => {
    http.get(node.url + where, { agent: new http.Agent({ keepAlive: false }) }, (response) => {
      const pieces = [];
      begun();
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(pieces).toString() }));
      response.on('error', () => resolve({ status: response.statusCode, lost: true, text: Buffer.concat(pieces).toString() }));
    }).on('error', reject);
  });
}

/** Fails if a text or a header names the address of a node within its cluster. */
function assertNoAddress({ nodes }, ...texts) {
  for (const text of texts)
    for (const node of nodes) assert.ok(!text.includes(node.inner), `${text} names ${node.inner}`);
}

const percentile = (all, share) => [...all].sort((a, b) => a - b)[Math.ceil(all.length * share) - 1];

test('of two nodes', { timeout: timeout * 3 }, async (t) => {
  const stage = await start(t);

  await t.test(`a chat that is deleted from another node never comes back, ${rounds} times`, { timeout }, async () => {
    const ids = [];
    for (let round = 0; round < rounds; round += 1) {
      const turn = await begin(stage, stage.nodes[round % 2]);
      const answer = await fetch(`${stage.nodes[(round + 1) % 2].url}/v1/conversations/${turn.session}`, { method: 'DELETE' });
      assert.equal(answer.status, 200, await answer.text());
      await turn.ends();
      assert.equal(turn.events.at(-2).reason, 'deleted');
      ids.push(turn.session);
    }
    for (const node of stage.nodes) {
      assert.deepEqual(await node.list(), []);
      for (const id of ids) assert.equal((await node.get(`/v1/conversations/${id}`)).status, 404);
    }
  });

  await t.test(`a stop from another node closes the model's connection, ${rounds} times`, { timeout }, async (t) => {
    const times = [];
    for (let round = 0; round < rounds; round += 1) {
      const turn = await begin(stage, stage.nodes[round % 2]);
      const other = stage.nodes[(round + 1) % 2];
      const asked = performance.now();
      const answer = await post(other, round % 4 < 2 ? path(turn, 'abort') : `/api/chat/${turn.session}/stop`);
      assert.equal(answer.status, 202);
      assert.ok(answer.headers.get('x-request-id'));
      assertNoAddress(stage, await answer.text(), JSON.stringify([...answer.headers]));
      times.push(await until('the model is left', () => turn.answer.closedAt) - asked);
      await turn.ends();
      assert.deepEqual(turn.types().slice(-2), ['ABORT', 'SESSION_END']);
    }
    t.diagnostic(`model left after ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`);
    if (judged) assert.ok(percentile(times, 0.99) <= 50, `p99 ${percentile(times, 0.99)} ms`);
  });

  await t.test(`viewers on both nodes get the same bytes, ${rounds} times`, { timeout }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const turn = await begin(stage, stage.nodes[round % 2], { resumable: true });
      const where = round % 3 === 2 ? `/api/chat/${turn.session}/stream` : path(turn, `events?after=${round % 3}`);
      const viewers = stage.nodes.map((node) => {
        const viewer = {};
        viewer.looks = new Promise((resolve) => (viewer.whole = read(node, where, resolve)));
        return viewer;
      });
      await settles('both look on', Promise.all(viewers.map(({ looks }) => looks)));
      turn.answer.say('two');
      turn.answer.end();
      const [one, two] = await Promise.all(viewers.map(({ whole }) => whole));
      assert.equal(one.status, 200);
      assert.equal(one.text, two.text);
      for (const { headers } of [one, two]) delete headers.date, delete headers['x-request-id'];
      assert.deepEqual(one.headers, two.headers);
      assertNoAddress(stage, two.text, JSON.stringify(two.headers));
      await turn.ends();
    }
    const idle = await read(stage.nodes[0], `/v1/sessions/${newSession()}/events`);
    assert.equal(idle.status, 204);
  });
});

test(`a call that waits is approved or refused from another node, ${rounds} times`, { timeout }, async (t) => {
  const stage = await start(t, { tools: true });
  const { model, nodes } = stage;
  for (let round = 0; round < rounds; round += 1) {
    const approved = round % 3 < 2;
    const turn = await begin(stage, nodes[round % 2], { toolApproval: 'always' });
    turn.answer.call('echo', { message: 'said' });
    const { approvalId } = await turn.sees('TOOL_APPROVAL_REQUEST');
    const before = model.answers.length;
    const other = nodes[(round + 1) % 2];
    assert.equal((await post(other, path(turn, 'approvals'), { approvals: [{ approvalId, approved }] })).status, 202);
    const next = await until('the model is asked again', () => model.answers[before]);
    assert.match(JSON.stringify(next.body.messages.at(-1)), approved ? /said/ : /did not allow/);
    next.end();
    await turn.ends();
    assert.equal(turn.of('MCP_TOOL_SUCCESS').length, approved ? 1 : 0);
  }
});

test('a second turn of a chat is judged by the node that runs the first', { timeout }, async (t) => {
  const stage = await start(t, { nodes: 3 });
  const { model, nodes } = stage;
  const first = await begin(stage, nodes[0]);
  const { session } = first;
  const refused = new Turn(nodes[1].url, { message: 'now' }, { session });
  await refused.ends();
  assert.equal(refused.status, 409);
  assert.match(refused.errorText, /session_busy/);
  const waits = new Turn(nodes[1].url, { message: 'later', whenBusy: 'wait' }, { session });
  const replaces = new Turn(nodes[2].url, { message: 'instead', whenBusy: 'abort' }, { session });
  await first.ends();
  assert.equal(first.events.at(-2).type, 'ABORT');
  for (const [turn, question] of [[replaces, 'instead'], [waits, 'later']]) {
    const answer = await until(`${question} is asked`, () => model.answers.find((one) => one.question === question && !one.over), 20000);
    answer.say(question);
    answer.end();
    await turn.ends();
    assert.equal(turn.status, 200, turn.errorText);
    assert.equal(turn.text(), question);
  }
});

test('an owner that is killed cuts the answers that it sent through others', { timeout }, async (t) => {
  const stage = await start(t);
  const [owner, other] = stage.nodes;
  const turn = await begin(stage, owner, { resumable: true });
  const viewer = read(other, path(turn, 'events'));
  await until('it is passed on', async () => /total\{result="passed"\} [1-9]/.test(await (await other.get('/metrics')).text()));
  await killNode(owner);
  const seen = await settles('the viewer ends', viewer);
  assert.equal(seen.lost, true, 'the connection was reset, not ended');
  assert.match(seen.text, /"one "/);
  const again = await until('the turn is interrupted', async () => {
    const answer = await read(other, path(turn, 'events'));
    return /server_restarted/.test(answer.text) && answer;
  }, 15000);
  assert.match(again.text, /SESSION_ERROR/);
});

test('an owner that is gone is unreachable, until its turns are nobody\'s', { timeout }, async (t) => {
  const stage = await start(t);
  const [owner, other] = stage.nodes;
  const turn = await begin(stage, owner);
  await killNode(owner);
  const asked = performance.now();
  const lost = await post(other, path(turn, 'abort'));
  const text = await lost.text();
  assert.ok(lost.status === 202 || (lost.status === 503 && /owner_unreachable/.test(text)), `${lost.status} ${text}`);
  assert.equal(lost.headers.get('retry-after'), lost.status === 503 ? '1' : null);
  assertNoAddress(stage, text);
  assert.ok(performance.now() - asked < 5000 * slowness);
  await until('it is nobody\'s', async () => (await post(other, path(turn, 'abort'))).status === 202, 15000);
});

test('who waits for an owner that hangs is answered when its lease is over', { timeout }, async (t) => {
  const stage = await start(t, { cluster: { leaseMs: 2000, beatMs: 100 } });
  const [owner, other] = stage.nodes;
  const turn = await begin(stage, owner, { resumable: true });
  owner.program.signal('SIGSTOP');
  await until('the viewer is told', async () => // once the node is taken for dead; before, that it does not answer
    /SESSION_ERROR.*server_restarted/s.test((await read(other, path(turn, 'events'))).text), 15000);
  owner.program.signal('SIGCONT');
  await turn.ends();
});
