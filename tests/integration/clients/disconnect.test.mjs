// A client that goes away takes its upstream work with it; others are not touched.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { until } from '../support/patience.mjs';
import {
  connected, demoServer, folder, models, startModel, startTroupe,
} from '../support/servers.mjs';
import { Turn, assertWellFormed, newSession, takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const endless = 'paced-20-100000'; // over an hour

async function start(t) {
  const log = path.join(folder(t), 'mcp.log');
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['text', endless, 'paced-20-100', 'hang-call', 'stall', 'silent']),
    defaultModel: 'text',
    mcpServers: { demo: demoServer(log) },
  });
  await connected(troupe, 'demo');
  return { model, troupe, log: () => readFileSync(log, 'utf8') };
}

const running = async (troupe) => (await troupe.status()).runningTurns;

const abortedOnce = (model) =>
  until('the model saw it', async () => (await model.stats()).aborted === 1, 1000);

test('a client that leaves while text streams closes the upstream', { timeout }, async (t) => {
  const { model, troupe } = await start(t);
  const turn = new Turn(troupe.url, { message: 'go', model: endless });
  await turn.sees('TEXT');
  assert.equal((await model.stats()).open, 1);

  turn.disconnect();

  await abortedOnce(model);
  assert.equal((await model.stats()).open, 0);
  await until('no turn is running', async () => (await running(troupe)) === 0, 1000);
});

test('a client that leaves before the first byte closes the upstream', { timeout }, async (t) => {
  const { model, troupe } = await start(t);
  const turn = new Turn(troupe.url, { message: 'go', model: 'silent' });
  await until('the model has the request', async () => (await model.stats()).open === 1);

  turn.disconnect();

  await abortedOnce(model);
});

test('a client that leaves while a tool runs cancels the call', { timeout }, async (t) => {
  const { model, troupe, log } = await start(t);
  const session = newSession();
  const turn = new Turn(troupe.url, { message: 'go', model: 'hang-call' }, { session });
  await turn.sees('MCP_TOOL_START');
  await until('the server has the call', () => log().includes('tools/call'));

  turn.disconnect();

  await until('the server is told', () => log().includes('notifications/cancelled'), 1000);
  await until('no turn is running', async () => (await running(troupe)) === 0, 1000);
  assert.equal((await model.stats()).requests, 1, 'the model was not asked again');
  const after = await takeTurn(troupe.url, { message: 'still there?' }, { session });
  assert.ok(after.text().length > 0, 'the history is one that goes on');
  const messages = (await model.requests()).at(-1).body.messages;
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const answered = messages.filter((message) => message.role === 'tool');
  assert.equal(calls.length, answered.length, 'no call without a result in the history');
});

test('a client that leaves costs the others nothing', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const leaving = new Turn(troupe.url, { message: 'go', model: endless });
  const staying = new Turn(troupe.url, { message: 'go', model: 'paced-20-100' });
  await Promise.all([leaving.sees('TEXT'), staying.sees('TEXT')]);

  leaving.disconnect();
  await staying.ends();

  assertWellFormed(staying.events);
  assert.equal(staying.events.at(-1).finishReason, 'stop');
});

test('stop ends a turn with ABORT and SESSION_END', { timeout }, async (t) => {
  const { model, troupe } = await start(t);
  for (const [name, phase] of [[endless, 'TEXT'], ['hang-call', 'MCP_TOOL_START']]) {
    const turn = new Turn(troupe.url, { message: 'go', model: name });
    await turn.sees(phase);
    const stop = await fetch(`${troupe.url}/api/chat/${turn.session}/stop`, { method: 'POST' });
    assert.ok(stop.ok, `${name}: stop answered ${stop.status}`);
    await turn.ends(2000);
    assertWellFormed(turn.events);
    assert.deepEqual(turn.types().slice(-2), ['ABORT', 'SESSION_END'], name);
  }
  await until('nothing is open upstream', async () => (await model.stats()).open === 0, 1000);
});

test('a second turn in a busy chat is refused and the first goes on', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const session = newSession();
  const first = new Turn(troupe.url, { message: 'go', model: endless }, { session });
  await first.sees('TEXT');
  const second = await new Turn(troupe.url, { message: 'me too' }, { session }).ends();
  assert.equal(second.status, 409, second.errorText);
  const seen = first.of('TEXT').length;
  await until('the first goes on', () => first.of('TEXT').length > seen);
  await fetch(`${troupe.url}/api/chat/${session}/stop`, { method: 'POST' });
  await first.ends();
  assertWellFormed(first.events);
});
