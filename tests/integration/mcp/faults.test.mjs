// Everything that can go wrong in a tool call, on every transport: the caller gets a typed error or
// the right answer in time, the same server is usable afterwards, healthy neighbours feel nothing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { McpSurface, startFaultServers, transports } from '../support/faults/fault_host.mjs';
import { Neighbour, assertUnmoved, holdings } from '../support/faults/fault_measures.mjs';
import { idle, rows, total } from '../support/faults/fault_rows.mjs';
import { measures, until, within } from '../support/patience.mjs';
import { connected, demoServer, startTroupe } from '../support/servers.mjs';

const timeout = 280000;
const slack = 250; // for the HTTP around the call, and a machine that does something else, too

const titleOf = ({ kind, tool, args }) =>
  `${tool ?? 'fault'} ${kind} ${JSON.stringify(args ?? {}).slice(0, 60)}`;

/** What the answer has to be. */
function judge({ gives, from = 0, at }, { error, text, took }, late) {
  const said = `${JSON.stringify(error)} ${String(text).slice(0, 200)}`;
  const shown = `after ${took.toFixed(0)} ms: ${said}`;
  if (typeof gives === 'string')
    assert.deepEqual({ error, text }, { error: null, text: gives }, shown);
  else assert.ok(gives.includes(error?.code), `not one of ${gives}, ${shown}`);
  if (error) assert.ok(error.message.length > 0, 'it says what happened');
  assert.ok(took >= from - 20, `not before ${from} ms, ${shown}`);
  assert.ok(took <= within(at + slack) + 3 * late, `not within ${at} ms, ${shown}`);
}

/** One row on one transport, with a server of its own. */
async function take({ surface, faults, neighbour }, expected, type, t) {
  const { kind, tool = 'fault', args, server, gives } = expected;
  const name = `${type}-${kind}-${rows.indexOf(expected)}`;
  // Whoever expects no timeout gets none because a busy machine stood still.
  const [request, whole] = gives.includes('tool_timeout') ? [idle, total] : [20000, 30000];
  const patience = { requestTimeoutMs: request, totalTimeoutMs: whole, connectTimeoutMs: 20000 };
  t.after(() => surface.remove(name));
  await surface.put(name, { ...faults.entry(type, name), ...patience, ...server });
  await surface.health(name, 'success');
  const call = () => surface.call(name, tool, { kind, ...args });
  const { value, p99, worst, late } = await neighbour.beside(call);
  const gave = `${value.error?.code ?? 'right'} after ${value.took.toFixed(0)} ms`;
  t.diagnostic(`${gave}, neighbour's p99 ${p99.toFixed(1)} ms`);
  judge(expected, value, late);
  if (measures) assertUnmoved({ worst, late });
  if (!expected.hopeless) await surface.usable(name);
}

for (const type of transports) {
  test(`faults in a call over ${type}`, { timeout }, async (t) => {
    const faults = await startFaultServers(t);
    const troupe = await startTroupe(t, { mcpServers: { neighbour: demoServer() } });
    await connected(troupe, 'neighbour');
    const surface = new McpSurface(troupe.url);
    const neighbour = new Neighbour(
      () => surface.call('neighbour', 'echo', { message: 'hello' }),
      troupe.program.pid,
    );
    t.diagnostic(`the neighbour alone: p99 ${(await neighbour.alone()).toFixed(1)} ms`);
    const before = holdings(troupe.program.pid);

    const stage = { surface, faults, neighbour };
    for (const expected of rows.filter((one) => one.over.includes(type)))
      await t.test(titleOf(expected), (inner) => take(stage, expected, type, inner));

    await until('nothing is left of the servers', () => {
      const now = holdings(troupe.program.pid);
      return now.children === before.children && now.zombies === 0;
    });
    const after = holdings(troupe.program.pid);
    t.diagnostic(`before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);
    if (measures) {
      assert.ok(after.peakKiB < before.peakKiB + 128 * 1024, 'no message was ever held whole');
      assert.ok(after.descriptors <= before.descriptors + 8, 'no descriptor is left');
    }
    assert.equal((await fetch(`${troupe.url}/healthz`)).status, 200);
  });
}
