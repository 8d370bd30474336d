// Many servers and many calls at once: a chat does not wait for what is slow or dead.
import assert from 'node:assert/strict';
import net from 'node:net';
import test from 'node:test';
import { startFakeModel } from '../support/fake_model.mjs';
import { McpSurface, startFaultServers, startUnready } from '../support/faults/fault_host.mjs';
import { quantile } from '../support/faults/fault_measures.mjs';
import { measures, until, watchLateness, within } from '../support/patience.mjs';
import { connected, demoServer, freePort, models, startTroupe } from '../support/servers.mjs';
import { Turn, assertWellFormed, takeTurn } from '../support/turns.mjs';

const timeout = 180000;
const calls = 8;
const turns = measures ? 7 : 3;

/** A model that asks for `count` calls of 100 ms at once. */
const sleeps = (count) => (request) => {
  if (request.messages.at(-1).role === 'tool') return { text: 'done' };
  const { name } = request.tools.find((tool) => tool.function.name.endsWith('sleep')).function;
  const args = { milliseconds: 100, ms: 100 };
  return { calls: Array.from({ length: count }, () => ({ name, arguments: args })) };
};

/** Milliseconds from the first call's start to the last one's end, by the engine's own clock. */
function roundTime(turn, count) {
  const done = turn.of('MCP_TOOL_SUCCESS');
  assert.equal(done.length, count, turn.types().join(' '));
  const begin = Math.min(...turn.of('MCP_TOOL_START').map((event) => event.timeUs));
  return (Math.max(...done.map((event) => event.timeUs)) - begin) / 1000;
}

async function median(url, session, count) {
  const took = [];
  for (let i = 0; i < turns; i += 1) {
    const turn = await takeTurn(url, { message: 'go' }, { session: `${session}-${i}` });
    took.push(roundTime(turn, count));
  }
  return quantile(took, 0.5);
}

for (const type of ['demo over stdio', 'http', 'websocket']) {
  test(`eight calls of 100 ms in one round take 120 ms: ${type}`, { timeout }, async (t) => {
    let count = 1;
    const model = await startFakeModel(t, (request) => sleeps(count)(request));
    const faults = await startFaultServers(t);
    const server = type.startsWith('demo') ? demoServer() : faults.entry(type, 'slow');
    const troupe = await startTroupe(t, {
      models: models(model.url, ['sleeps']), defaultModel: 'sleeps', mcpServers: { slow: server },
    });
    await connected(troupe, 'slow');
    const late = watchLateness();
    const one = await median(troupe.url, 'one', count);
    count = calls;
    const eight = await median(troupe.url, 'eight', count);
    t.diagnostic(`one call ${one.toFixed(1)} ms, ${calls} at once ${eight.toFixed(1)} ms`);
    const overhead = Math.max(0, one - 100); // of this machine, now
    assert.ok(eight <= within(120 + overhead) + late(), `${eight} ms, and ${one} ms for one call`);
  });
}

/** One that leaves the cores to the engine: it is the engine's time that is measured here. */
function humbleServer() {
  const { command, args } = demoServer();
  return { command: 'nice', args: ['-n', '19', command, ...args] };
}

/** 100 entries of `mcpServers`: 80 healthy ones and 20 that are dead or hang. */
async function hundredServers(t) {
  const mute = net.createServer(() => {});
  await new Promise((resolve) => mute.listen(0, '127.0.0.1', resolve));
  t.after(() => mute.close());
  const muteUrl = `http://127.0.0.1:${mute.address().port}/mcp`;
  const deadUrl = `http://127.0.0.1:${await freePort()}/mcp`;
  const broken = [
    { command: '/nonexistent/mcp-server' },
    { command: '/bin/false' },
    { command: 'sleep', args: ['1000'] },
    { type: 'http', url: muteUrl },
    { type: 'http', url: deadUrl },
    { type: 'sse', url: muteUrl },
    { type: 'websocket', url: muteUrl.replace('http', 'ws') },
    { type: 'websocket', url: deadUrl.replace('http', 'ws') },
  ];
  return Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => {
      const entry = i % 5 === 4 ? broken[(i / 5 | 0) % broken.length] : humbleServer();
      return [`server-${i}`, entry];
    }),
  );
}

/** Starts it and takes a turn at once; resolves with {troupe, turn, took, waited}. */
async function firstTurn(t, config) {
  const troupe = await startUnready(t, config);
  const began = performance.now();
  const turn = await new Turn(troupe.url, { message: 'hello' }).ends();
  const took = performance.now() - began;
  assert.equal(turn.status, 200, turn.errorText);
  assertWellFormed(turn.events);
  const [waiting] = turn.of('MODEL_RESPONSE_WAITING');
  return { troupe, turn, took, waited: (waiting.timeUs - turn.events[0].timeUs) / 1000 };
}

test('a hundred servers, twenty of them dead or mute, delay no chat', { timeout }, async (t) => {
  const model = await startFakeModel(t, () => ({ text: 'hello' }));
  const config = {
    models: models(model.url, ['text'], { maxTools: 0 }), defaultModel: 'text', limits: { drainSeconds: 1 },
  };
  const plain = await firstTurn(t, config);
  await plain.troupe.program.end();
  const late = watchLateness();

  const { troupe, turn, took, waited } = await firstTurn(t, {
    ...config,
    mcpServers: await hundredServers(t),
  });
  const shown = [took, plain.took].map((value) => `${value.toFixed(0)} ms`);
  t.diagnostic(`first answer after ${shown[0]}, without servers after ${shown[1]}`);
  t.diagnostic(`the model was asked after ${waited.toFixed(0)} ms`);
  assert.equal(turn.text(), 'hello');
  // By the engine's own clock: 200 ms, and what is left of the 250 is for this machine, on which 100
  // programs begin meanwhile. The client's clock has those in it, too.
  assert.ok(waited <= within(250) + late(), `the model was asked after ${waited} ms`);
  assert.ok(took <= plain.took + within(250 + 500) + late(), `the first answer took ${took} ms`);

  const surface = new McpSurface(troupe.url);
  await until('80 are there', async () => {
    const healthy = (await surface.servers()).filter((one) => one.health === 'success');
    return healthy.length === 80 || assert.fail(`${healthy.length} are`);
  }, 30000);
  assert.equal(new Set((await surface.tools()).map((tool) => tool.server)).size, 80);
  const later = await takeTurn(troupe.url, { message: 'hello again' });
  assert.equal(later.text(), 'hello');
  const names = model.requests.at(-1).tools.map((tool) => tool.function.name);
  assert.equal(names.filter((name) => /echo/.test(name)).length, 80, 'tools of all healthy ones');
  const ended = await troupe.program.end();
  assert.deepEqual(ended, { code: 0, signal: null }, String(troupe.program).slice(0, 2000));
});
