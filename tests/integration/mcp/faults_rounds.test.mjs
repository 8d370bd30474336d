// A thousand rounds of cheap faults leave nothing behind: no descriptor, no child, no memory.
import assert from 'node:assert/strict';
import test from 'node:test';
import { McpSurface, lost, startFaultServers } from '../support/faults/fault_host.mjs';
import { Neighbour, assertUnmoved, holdings } from '../support/faults/fault_measures.mjs';
import { measures, until } from '../support/patience.mjs';
import { connected, demoServer, startTroupe } from '../support/servers.mjs';

const timeout = 290000;
const rounds = measures ? 1000 : 150;
const warmup = measures ? 150 : 30;

/** Runs `work` with a server that is added before and removed afterwards. */
async function withNewServer({ surface, faults }, type, round, work) {
  const name = `added-${round}`;
  await surface.put(name, faults.entry(type, 'added'));
  await surface.health(name, 'success');
  const answer = await work(name);
  await surface.remove(name);
  return answer;
}

// A connection of its own, as one that loses its session twice within seconds has to wait.
const lostSession = (stage, round) =>
  withNewServer(stage, 'http', round, async (name) => {
    const form = [404, 400, 401, 503][round % 4];
    await stage.surface.fault(name, 'forget', { form });
    const call = () => stage.surface.call(name, 'echo', { text: 'right' });
    if (form < 401 || form === 404) return call();
    // Whoever answers so may have run the call: it is not sent again, only the session is new.
    assert.notEqual((await call()).error, null, `${form}`);
    await stage.surface.health(name, 'success');
    return call();
  });

const addAndRemove = (stage, round) =>
  withNewServer(stage, 'websocket', round, (name) =>
    stage.surface.call(name, 'echo', { text: 'right' }),
  );

/** One round each: a fault, what it has to give, and the recovery. */
const faultsByTurn = [
  ['crash', ({ surface }) => surface.call('crashing', 'crash'), lost, 'crashing'],
  ['early end', ({ surface }) => surface.fault('http', 'early-end'), lost],
  ['lost session', lostSession, 'right'],
  ['wrong id', ({ surface }) => surface.fault('http', 'wrong-id', { id: 'x' }), 'right'],
  ['cut socket', ({ surface }) => surface.fault('websocket', 'cut'), lost, 'websocket'],
  ['refused', ({ surface }) => surface.fault('http', 'error'), ['server_refused']],
  ['cut stream', ({ surface }) => surface.fault('sse', 'cut'), lost, 'sse'],
  ['duplicate', ({ surface }) => surface.fault('websocket', 'duplicate'), 'right'],
  ['tool that does not exist', ({ surface }) => surface.call('http', 'none'), 'any'],
  ['closed socket', ({ surface }) => surface.fault('websocket', 'early-end'), lost, 'websocket'],
  ['a server added and removed', addAndRemove, 'right'],
];

/** Brings a server back by hand, so that no round waits for a backoff. */
async function revive(surface, name) {
  await until(`${name} is back`, async () => {
    if ((await surface.server(name)).health === 'success') return true;
    await surface.retry(name);
    return false;
  });
}

async function play(stage, round) {
  const [what, act, gives, broken] = faultsByTurn[round % faultsByTurn.length];
  const { error, text } = await act(stage, round);
  const shown = `round ${round}, ${what}: ${JSON.stringify(error)} ${text}`;
  if (gives === 'right') assert.deepEqual({ error, text }, { error: null, text: 'right' }, shown);
  else if (gives !== 'any') assert.ok(gives.includes(error?.code), shown);
  if (broken) await revive(stage.surface, broken);
}

test(`${rounds} rounds of faults leave nothing behind`, { timeout }, async (t) => {
  const faults = await startFaultServers(t);
  const entry = (type) => faults.entry(type, type);
  const troupe = await startTroupe(t, {
    mcpServers: {
      neighbour: demoServer(),
      crashing: demoServer(),
      http: entry('http'),
      sse: entry('sse'),
      websocket: entry('websocket'),
    },
  });
  const surface = new McpSurface(troupe.url);
  for (const name of ['neighbour', 'crashing', 'http', 'sse', 'websocket'])
    await connected(troupe, name);
  const { pid } = troupe.program;
  const stage = { surface, faults };
  const neighbour = new Neighbour(
    () => surface.call('neighbour', 'echo', { message: 'hello' }),
    pid,
  );
  const alone = await neighbour.alone();
  for (let round = 0; round < warmup; round += 1) await play(stage, round);
  const before = holdings(pid);

  const { p99, worst, late } = await neighbour.beside(async () => {
    for (let round = 0; round < rounds; round += 1) await play(stage, round);
  });

  const after = await until('no more children and descriptors than before', () => {
    const now = holdings(pid);
    const isBack = now.children === before.children && now.zombies === 0;
    return isBack && now.descriptors <= before.descriptors + 4 && now;
  });
  t.diagnostic(`neighbour's p99 alone ${alone.toFixed(1)} ms, beside ${p99.toFixed(1)} ms`);
  t.diagnostic(`before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);
  if (measures) assert.ok(after.residentKiB <= before.residentKiB + 2 * 1024, 'memory');
  if (measures) assertUnmoved({ worst, late });
});
