// Servers that are broken before the first call: they are shown as such in time, with a reason, and
// nobody else waits for them.
import assert from 'node:assert/strict';
import net from 'node:net';
import test from 'node:test';
import { McpSurface, startFaultServers } from '../support/faults/fault_host.mjs';
import { Neighbour, assertUnmoved, holdings } from '../support/faults/fault_measures.mjs';
import { measures, until, watchLateness, within } from '../support/patience.mjs';
import { connected, demoServer, freePort, startTroupe } from '../support/servers.mjs';

const timeout = 280000;
const connect = 600; // connectTimeoutMs and requestTimeoutMs
const slack = 400;
const all = ['stdio', 'http', 'sse', 'websocket'];
const remote = ['http', 'sse', 'websocket'];

/** A row: a fault of fault_starts.mjs, the health that follows, and its latest time. */
const rows = [
  { fault: 'exit-at-start', over: ['stdio'], health: 'error', at: 200 },
  { fault: 'exit-on-first-message', health: 'error', at: 200 },
  { fault: 'silent', health: 'error', at: connect },
  { fault: 'half-an-answer', health: 'error', at: connect },
  { fault: 'silent-in-list', health: 'error', at: 2 * connect },
  { fault: 'slow-drip', health: 'error', at: connect },
  { fault: 'wrong-version', health: 'error', at: 200 },
  { fault: 'initialize-refused', health: 'error', at: 200 },
  { fault: 'initialize-is-nonsense', health: 'error', at: 200 },
  { fault: 'flood-at-start', health: 'error', at: connect },
  { fault: 'endless-line', health: 'error', at: connect },
  { fault: 'crash-loop', over: ['stdio', 'sse', 'websocket'], health: 'error', at: 500 },
  { fault: 'no-endpoint', over: ['sse'], health: 'error', at: connect },
  { fault: 'foreign-endpoint', over: ['sse'], health: 'error', at: 200 },
  { fault: 'refused', over: ['websocket'], health: 'error', at: 200 },
  { fault: 'wrong-accept', over: ['websocket'], health: 'error', at: 200 },
  { fault: 'wrong-subprotocol', over: ['websocket'], health: 'error', at: 200 },
  { fault: 'noise-at-start', over: ['stdio'], health: 'success', at: connect },
  { fault: 'storm', health: 'success', at: connect },
];

async function start(t) {
  const faults = await startFaultServers(t);
  const troupe = await startTroupe(t, { mcpServers: { neighbour: demoServer() } });
  await connected(troupe, 'neighbour');
  const surface = new McpSurface(troupe.url);
  const neighbour = new Neighbour(
    () => surface.call('neighbour', 'echo', { message: 'hello' }),
    troupe.program.pid,
  );
  return { faults, troupe, surface, neighbour };
}

/** Resolves with how long it took until the server had that health. */
async function settled(surface, name, health) {
  const began = performance.now();
  const server = await surface.health(name, health, 10000);
  return { server, took: performance.now() - began };
}

async function take({ surface, faults, neighbour }, { fault, health, at }, type, t) {
  const name = `${type}-${fault}`;
  // Only what is silent runs into the limit: a busy machine must not.
  const limit = health === 'error' && at % connect === 0 ? connect : 20000;
  const patience = { connectTimeoutMs: limit, requestTimeoutMs: limit };
  t.after(() => surface.remove(name));
  await surface.put(name, { ...faults.entry(type, name, fault), ...patience });
  const { value, p99, worst, late } = await neighbour.beside(() => settled(surface, name, health));
  const { server, took } = value;
  t.diagnostic(`${health} after ${took.toFixed(0)} ms, neighbour's p99 ${p99.toFixed(1)} ms`);
  assert.ok(took <= within(at + slack) + 3 * late, `it took ${took} ms: ${JSON.stringify(server)}`);
  if (measures) assertUnmoved({ worst, late });
  if (health === 'error') {
    assert.ok(server.error.message.length > 0, 'it says what happened');
    const { error, took: refused } = await surface.call(name, 'echo', { text: 'x' });
    assert.match(error.code, /^server_/);
    assert.ok(refused <= within(slack), `the call was refused after ${refused} ms`);
  } else {
    await surface.usable(name);
  }
}

for (const type of all) {
  test(`faults at the start over ${type}`, { timeout }, async (t) => {
    const stage = await start(t);
    const { pid } = stage.troupe.program;
    const before = holdings(pid);
    for (const row of rows.filter((one) => (one.over ?? all).includes(type)))
      await t.test(row.fault, (inner) => take(stage, row, type, inner));
    const after = await until('no child is left', () => {
      const now = holdings(pid);
      return now.children === before.children && now.zombies === 0 && now;
    }, 10000);
    if (measures) assert.ok(after.peakKiB < before.peakKiB + 64 * 1024, JSON.stringify(after));
  });
}

test('pages of tools without end give a bounded list', { timeout }, async (t) => {
  const { faults, surface } = await start(t);
  for (const fault of ['cursor-loop', 'endless-pages']) {
    await surface.put(fault, { ...faults.entry('http', fault, fault), connectTimeoutMs: 5000 });
    const server = await until('it is settled', async () => {
      const found = await surface.server(fault);
      return /success|error/.test(found?.health) && found;
    }, 10000);
    const asked = faults.journal(fault).count('tools/list');
    t.diagnostic(`${fault}: ${server.health}, ${asked} pages asked for`);
    assert.ok(asked <= (fault === 'cursor-loop' ? 3 : 1001), `${asked} pages were asked for`);
    if (server.health === 'success') await surface.usable(fault);
    else assert.ok(server.error.message.length > 0);
    await surface.remove(fault);
  }
});

test('a list that is nonsense breaks nothing', { timeout }, async (t) => {
  const { faults, surface } = await start(t);
  await surface.put('odd', faults.entry('http', 'odd', 'list-is-nonsense'));
  const server = await until('it is settled', async () => {
    const found = await surface.server('odd');
    return /success|error/.test(found?.health) && found;
  });
  t.diagnostic(`${server.health}: ${JSON.stringify(server.error)}`);
  if (server.health === 'error') assert.ok(server.error.message.length > 0);
  assert.ok((await surface.tools()).every((tool) => tool.server !== 'odd'));
});

test('an address that nobody or nothing answers at is an error in time', { timeout }, async (t) => {
  const { surface } = await start(t);
  const mute = net.createServer(() => {});
  await new Promise((resolve) => mute.listen(0, '127.0.0.1', resolve));
  t.after(() => mute.close());
  const addresses = { refused: await freePort(), mute: mute.address().port };
  for (const type of remote) {
    for (const [what, port] of Object.entries(addresses)) {
      const name = `${type}-${what}`;
      const scheme = type === 'websocket' ? 'ws' : 'http';
      const entry = { type, url: `${scheme}://127.0.0.1:${port}/mcp`, connectTimeoutMs: connect };
      const late = watchLateness();
      await surface.put(name, entry);
      const { took, server } = await settled(surface, name, 'error');
      assert.ok(took <= within(connect + slack) + late(), `${name} took ${took} ms`);
      assert.ok(server.error.message.length > 0);
      await surface.remove(name);
    }
  }
});

test('a server that crashed at its start is back by itself', { timeout }, async (t) => {
  const { faults, surface } = await start(t);
  for (const type of all) {
    const name = `once-${type}`;
    await surface.put(name, faults.entry(type, name, 'exit-on-first-message', 1));
  }
  for (const type of all) {
    await surface.health(`once-${type}`, 'success', 10000);
    await surface.usable(`once-${type}`);
  }
});
