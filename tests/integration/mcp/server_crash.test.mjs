// An MCP server that dies: the turn goes on, the connection comes back, nothing is left behind.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { startUnready } from '../support/faults/fault_host.mjs';
import { until, watchLateness, within } from '../support/patience.mjs';
import { childrenOf, isRunning } from '../support/processes.mjs';
import {
  connected, demoServer, folder, models, serverIn, startModel, startTroupe,
} from '../support/servers.mjs';
import { Turn, assertWellFormed, takeTurn } from '../support/turns.mjs';

const timeout = 120000;

async function start(t, mcpServers) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url),
    defaultModel: 'text',
    mcpServers,
  });
  return { model, troupe };
}

const zombies = (troupe) => childrenOf(troupe.program.pid).filter((child) => child.state === 'Z');
const serverOf = (troupe) =>
  childrenOf(troupe.program.pid).find((child) => child.command.startsWith('troupe-demo'));

test('kill -9 in mid-call gives MCP_TOOL_ERROR and the turn goes on', { timeout }, async (t) => {
  const log = path.join(folder(t), 'mcp.log');
  const { model, troupe } = await start(t, { demo: demoServer(log) });
  await connected(troupe, 'demo');
  const turn = new Turn(troupe.url, { message: 'go', model: 'hang-call' });
  await turn.sees('MCP_TOOL_START');
  await until('the server has the call', () => readFileSync(log, 'utf8').includes('tools/call'));
  const victim = serverOf(troupe);
  assert.ok(victim, JSON.stringify(childrenOf(troupe.program.pid)));

  const late = watchLateness();
  const killed = performance.now();
  process.kill(victim.pid, 'SIGKILL');
  const error = await turn.sees('MCP_TOOL_ERROR', 10000);
  const took = performance.now() - killed;

  assert.ok(took < within(1000) + late(), `it took ${took} ms`);
  assert.equal(error.error, 'outcome_unknown');
  assert.ok(error.errorText.length > 0);
  await turn.ends();
  assertWellFormed(turn.events);
  assert.deepEqual(turn.types().slice(-2), ['MODEL_GENERATION_STOP', 'SESSION_END']);
  const { body } = (await model.requests()).at(-1);
  const results = body.messages.filter((one) => one.role === 'tool');
  assert.equal(results.length, 1, 'the model is told');
  assert.equal(results[0].content, error.errorText);

  await until('the server is back', () => {
    const now = serverOf(troupe);
    return now && now.pid !== victim.pid && now.state !== 'Z';
  });
  await connected(troupe, 'demo');
  assert.deepEqual(zombies(troupe), [], 'no zombie is left');
  const next = await takeTurn(troupe.url, { message: 'again', model: 'call' });
  assert.equal(next.of('MCP_TOOL_SUCCESS').length, 1, "the next turn's tool works");
});

test('a server that dies between turns is back for the next one', { timeout }, async (t) => {
  const { troupe } = await start(t, { demo: demoServer() });
  await connected(troupe, 'demo');
  const first = serverOf(troupe);
  process.kill(first.pid, 'SIGKILL');
  await until('a new one runs', () => {
    const now = serverOf(troupe);
    return now && now.pid !== first.pid;
  });
  await connected(troupe, 'demo');
  const turn = await takeTurn(troupe.url, { message: 'go', model: 'call' });
  assert.equal(turn.of('MCP_TOOL_SUCCESS').length, 1);
  assert.deepEqual(zombies(troupe), []);
});

test('a command that does not exist delays no chat', { timeout }, async (t) => {
  const { troupe } = await start(t, {
    broken: { command: '/nonexistent/mcp-server', args: [] },
    demo: demoServer(),
  });
  const late = watchLateness();
  const turn = await takeTurn(troupe.url, { message: 'hello' });
  assert.ok(turn.text().length > 0);
  const waited = (turn.of('MODEL_RESPONSE_WAITING')[0].timeUs - turn.events[0].timeUs) / 1000;
  assert.ok(waited < within(250) + late(), `the model was asked after ${waited} ms`);
  await connected(troupe, 'demo');
  const broken = serverIn(await troupe.status(), 'broken');
  assert.notEqual(broken.health, 'success');
  assert.match(JSON.stringify(broken), /nonexistent|not found|No such file/i, 'it says why');
});

test('kill -9 ends servers that are deaf, and what they started', { timeout }, async (t) => {
  const noted = path.join(folder(t), 'pids');
  const deaf = `trap '' TERM HUP INT; echo $$ >> "$0"; while :; do sleep 1000; done`;
  const script = `trap '' TERM; echo $$ >> "$0"; sh -c "$1" "$0" & wait; wait`;
  const entry = { command: 'sh', args: ['-c', script, noted, deaf], connectTimeoutMs: 60000 };
  const { program } = await startUnready(t, { mcpServers: { one: entry, other: entry } });
  const pids = await until('all of them run', () => {
    const lines = readFileSync(noted, 'utf8').trim().split('\n').map(Number);
    return lines.length === 4 && lines;
  });
  assert.ok(pids.every(isRunning));
  process.kill(program.pid, 'SIGKILL');
  await until('they are gone', () => !pids.some(isRunning), 2000);
});

test('no child outlives the server', { timeout }, async (t) => {
  const { troupe } = await start(t, { demo: demoServer(), other: demoServer() });
  await connected(troupe, 'demo');
  await connected(troupe, 'other');
  const children = childrenOf(troupe.program.pid).map((child) => child.pid);
  assert.equal(children.length, 2);
  assert.deepEqual(await troupe.program.end(), { code: 0, signal: null });
  await until('they are gone', () => !children.some(isRunning), 2000);
});
