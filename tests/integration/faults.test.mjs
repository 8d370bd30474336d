// Everything that can go wrong in a tool call, on every transport: the caller gets a typed error or
// the right answer in time, the same server is usable afterwards, healthy neighbours feel nothing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { McpSurface, lost, startFaultServers, transports } from './support/fault_host.mjs';
import { Neighbour, assertUnmoved, holdings } from './support/fault_measures.mjs';
import { measures, until, within } from './support/patience.mjs';
import { connected, demoServer, startTroupe } from './support/servers.mjs';

const timeout = 280000;
const idle = 400; // requestTimeoutMs
const total = 1500; // totalTimeoutMs
const early = 100; // an answer that ends without its response
const dead = 50; // a server that is gone
const slack = 250; // for the HTTP around the call, and a machine that does something else, too

const elicitation = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 },
};
const shared = ['stdio', 'sse', 'websocket']; // one stream for all answers
const html = { type: 'text/html', body: '<html><body>Welcome</body></html>' };
const json = { status: 200, type: 'application/json' };

/**
 * A row: the fault, what it gives ('right' or the codes of which one is expected), and the latest
 * milliseconds. More: `args` of the call, `from` the earliest milliseconds, `over` the transports
 * (all of them), `tool` (`fault`), `server` changes the entry; the server of a `hopeless` one goes
 * on with its fault.
 */
const row = (kind, gives, at, more = {}) => ({ kind, gives, at, over: transports, ...more });
const patient = { requestTimeoutMs: 5000, totalTimeoutMs: 6000 };
const timedOut = ['tool_timeout'];
const broken = ['server_protocol'];
const refused = ['server_unavailable'];

const rows = [
  row('silence', timedOut, idle, { from: idle }),
  row('early-end', lost, early),
  row('early-end-resumable', 'right', 100 + early, { over: ['http'], from: 100 }),
  row('early-end-resumable', [...lost, ...timedOut], idle, {
    over: ['http'], args: { answered: false },
  }),
  row('cut', lost, dead),
  row('crash', lost, dead, { over: ['stdio'] }),
  row('crash', 'right', 2000, { tool: 'fault-safe', args: { times: 1 }, server: patient }),
  row('long-message', [...lost, ...broken], 5000, { args: { bytes: 100e6 }, server: patient }),
  row('flood', timedOut, idle, { from: idle, args: { until: 'cancelled' } }),
  row('flood', timedOut, idle, { from: idle, hopeless: true }),
  row('endless-progress', timedOut, total, { from: total }),
  row('drip', 'right', 2000, { args: { every: 2 }, server: patient }),
  row('drip', timedOut, idle, { from: idle, args: { every: 50 } }),
  row('wrong-id', 'right', early, { args: { id: 1e9 } }),
  row('wrong-id', 'right', early, { args: { id: 'unknown' } }),
  row('wrong-id', 'right', early, { args: { id: null } }),
  row('wrong-id', lost, early, { args: { id: 1e9, only: true }, over: ['http'] }),
  row('wrong-id', timedOut, idle, { args: { id: 1e9, only: true }, over: shared }),
  row('id-as-string', 'right', early),
  row('duplicate', 'right', early),
  row('late', timedOut, idle, { from: idle }),
  row('noise', 'right', early),
  row('invalid-utf8', [...lost, ...broken, ...timedOut], idle),
  row('invalid-utf8', 'right', early, { args: { then: true }, over: ['stdio', 'http', 'sse'] }),
  row('json-bomb', [...lost, ...broken, ...timedOut], idle, { args: { depth: 1e5 } }),
  row('json-bomb', 'right', early, { args: { depth: 1e5, open: true, then: true } }),
  row('result-of-wrong-type', broken, early, { args: { result: 'text' } }),
  row('result-of-wrong-type', broken, early, { args: { result: null } }),
  row('result-of-wrong-type', broken, early, { args: { result: [[]] } }),
  row('result-of-wrong-type', broken, early, { args: { result: { content: 5 } } }),
  row('error', ['server_refused'], early),
  row('ask-and-vanish', lost, dead, { args: elicitation }),
  row('ask-and-vanish', lost, 30 + dead, { args: { ...sampling, after: 30 } }),
  row('list-changed-storm', 'right', 1000, { args: { ms: 500 }, server: patient }),
  row('status', refused, early, { args: { status: 500, body: 'oops' }, over: ['http', 'sse'] }),
  row('status', refused, early, { args: { status: 503, body: 'busy' }, over: ['http', 'sse'] }),
  row('status', refused, early, { args: { status: 401 }, over: ['http', 'sse'] }),
  row('status', [...lost, ...broken], early, { args: { status: 200, ...html }, over: ['http'] }),
  row('status', [...lost, ...broken], early, { args: { status: 202 }, over: ['http'] }),
  row('status', [...lost, ...broken], early, { args: { ...json, body: '' }, over: ['http'] }),
  row('status', [...lost, ...broken], early, { args: { ...json, body: '{"js' }, over: ['http'] }),
  row('task', timedOut, total, { tool: 'task', from: idle }),
];

const titleOf = ({ kind, tool, args }) =>
  `${tool ?? 'fault'} ${kind} ${JSON.stringify(args ?? {}).slice(0, 60)}`;

/** What the answer has to be. */
function judge({ gives, from = 0, at }, { error, text, took }) {
  const said = `${JSON.stringify(error)} ${String(text).slice(0, 200)}`;
  const shown = `after ${took.toFixed(0)} ms: ${said}`;
  if (gives === 'right') assert.deepEqual({ error, text }, { error: null, text: 'right' }, shown);
  else assert.ok(gives.includes(error?.code), `not one of ${gives}, ${shown}`);
  if (error) assert.ok(error.message.length > 0, 'it says what happened');
  assert.ok(took >= from - 20, `not before ${from} ms, ${shown}`);
  assert.ok(took <= within(at + slack), `not within ${at} ms, ${shown}`);
}

/** One row on one transport, with a server of its own. */
async function take({ surface, faults, neighbour }, expected, type, t) {
  const { kind, tool = 'fault', args, server } = expected;
  const name = `${type}-${kind}-${rows.indexOf(expected)}`;
  const patience = { requestTimeoutMs: idle, totalTimeoutMs: total, connectTimeoutMs: 5000 };
  t.after(() => surface.remove(name));
  await surface.put(name, { ...faults.entry(type, name), ...patience, ...server });
  await surface.health(name, 'success');
  const call = () => surface.call(name, tool, { kind, ...args });
  const { value, p99, late } = await neighbour.beside(call);
  const gave = `${value.error?.code ?? 'right'} after ${value.took.toFixed(0)} ms`;
  t.diagnostic(`${gave}, neighbour's p99 ${p99.toFixed(1)} ms`);
  judge(expected, value);
  if (measures) assertUnmoved({ p99, late });
  if (!expected.hopeless) await surface.usable(name);
}

for (const type of transports) {
  test(`faults in a call over ${type}`, { timeout }, async (t) => {
    const faults = await startFaultServers(t);
    const troupe = await startTroupe(t, { mcpServers: { neighbour: demoServer() } });
    await connected(troupe, 'neighbour');
    const surface = new McpSurface(troupe.url);
    const neighbour = new Neighbour(() => surface.call('neighbour', 'echo', { message: 'hello' }));
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
