// SIGTERM with MCP calls in flight: it waits for them, within its limit, and every server sees an
// orderly close.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../support/fake_model.mjs';
import { McpSurface, startFaultServers, transports } from '../support/faults/fault_host.mjs';
import { settles, until, within } from '../support/patience.mjs';
import { connected, models, startTroupe } from '../support/servers.mjs';
import { Turn, assertWellFormed } from '../support/turns.mjs';

const options = { timeout: 120000 };

/** The last thing that a server of each transport sees of an orderly client. */
const farewells = {
  stdio: 'stdin closed', http: 'session deleted', sse: 'stream closed', websocket: 'close',
};

/** A model that calls `name` on every server in its first answer. */
const callsOf = (suffix, args) => (request) => {
  if (request.messages.at(-1).role === 'tool') return { text: 'all done' };
  const names = request.tools.map((tool) => tool.function.name);
  const wanted = names.filter((name) => name.endsWith(suffix));
  return { calls: wanted.map((name) => ({ name, arguments: args })) };
};

async function start(t, answer, drainSeconds) {
  const model = await startFakeModel(t, answer);
  const faults = await startFaultServers(t);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['calls']),
    defaultModel: 'calls',
    mcpServers: Object.fromEntries(transports.map((type) => [type, faults.entry(type, type)])),
    limits: { drainSeconds },
  });
  for (const type of transports) await connected(troupe, type);
  return { faults, troupe };
}

/** Every server got its farewell, once, and after the last call. */
async function assertFarewells(faults, t) {
  for (const type of transports) // what is written last may be read when the program is gone
    await until(`${type} is left`, () => faults.journal(type).count(farewells[type]) >= 1);
  for (const type of transports) {
    const entries = faults.journal(type).entries();
    const whats = entries.map((entry) => entry.what);
    const shown = `${type}: ${whats.slice(-8).join(', ')}`;
    const times = whats.filter((what) => what === farewells[type]).length;
    assert.equal(times, 1, shown);
    assert.ok(whats.lastIndexOf('tools/call') < whats.indexOf(farewells[type]), shown);
    t.diagnostic(shown);
  }
  const [{ known }] = faults.journal('http').entries(farewells.http);
  assert.equal(known, true, 'of the session it had');
  assert.equal(faults.journal('websocket').entries('close')[0].code, 1000);
}

test('calls of a turn end, then every server is closed in order', options, async (t) => {
  const { faults, troupe } = await start(t, callsOf('sleep', { ms: 800 }), 20);
  const turn = new Turn(troupe.url, { message: 'go' });
  for (const type of transports)
    await until(`${type} is called`, () => faults.journal(type).count('tools/call') === 1);

  troupe.program.signal('SIGTERM');
  await turn.ends();
  const ended = await settles('it exits', troupe.program.exit, 10000);

  assert.deepEqual(ended, { code: 0, signal: null }, String(troupe.program));
  assertWellFormed(turn.events);
  assert.equal(turn.of('MCP_TOOL_SUCCESS').length, transports.length, turn.types().join(' '));
  assert.equal(turn.text(), 'all done');
  await assertFarewells(faults, t);
});

test('calls without a turn are waited for, too', options, async (t) => {
  const { faults, troupe } = await start(t, () => ({ text: 'nothing' }), 20);
  const surface = new McpSurface(troupe.url);
  const calls = transports.map((type) => surface.call(type, 'sleep', { ms: 800 }));
  for (const type of transports)
    await until(`${type} is called`, () => faults.journal(type).count('tools/call') === 1);

  troupe.program.signal('SIGTERM');
  const answers = await settles('they end', Promise.all(calls), 5000);
  const ended = await settles('it exits', troupe.program.exit, 10000);

  for (const { error, text } of answers)
    assert.deepEqual({ error, text }, { error: null, text: 'slept' });
  assert.deepEqual(ended, { code: 0, signal: null }, String(troupe.program));
  await assertFarewells(faults, t);
});

test('calls that never end are cut at the limit, in order', options, async (t) => {
  const { faults, troupe } = await start(t, callsOf('fault', { kind: 'silence' }), 1);
  const turn = new Turn(troupe.url, { message: 'go' });
  for (const type of transports)
    await until(`${type} is called`, () => faults.journal(type).count('tools/call') === 1);

  const asked = performance.now();
  troupe.program.signal('SIGTERM');
  const ended = await settles('it exits', troupe.program.exit, 15000);
  const took = performance.now() - asked;

  assert.deepEqual(ended, { code: 0, signal: null }, String(troupe.program));
  assert.ok(took >= 950 && took < 1000 + within(3000), `it took ${took} ms`);
  await turn.ends();
  assertWellFormed(turn.events);
  await assertFarewells(faults, t);
  for (const type of ['stdio', 'websocket']) // over HTTP the end of the session says it all
    assert.equal(faults.journal(type).count('cancel'), 1, `${type}: the call was cancelled`);
});
