// Nodes that hang, or lose their database: their turns are taken away and their writes refused, and they come back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster, assertNoFaults, assertNoGaps, freeze, thaw, watchFences } from '../support/cluster.mjs';
import { measures, settles, slowness, until, watchLateness, within } from '../support/patience.mjs';
import { Ledger } from '../support/store_ledger.mjs';
import { assertNoMistakes, hold, startStoreModel } from '../support/store_model.mjs';
import { Turn } from '../support/turns.mjs';

const timeout = 180000 * slowness;
const rounds = Number(process.env.CLUSTER_FREEZES ?? 2);
const lease = { beatMs: 250, leaseMs: 2500 * slowness };

async function start(t, nodes = 2, how = lease) {
  const model = await startStoreModel(t);
  const cluster = await Cluster.start(t, {
    nodes,
    cluster: how,
    config: { models: { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } } },
  });
  watchFences(cluster);
  await cluster.judging();
  return { model, cluster, ledger: new Ledger(model) };
}

/** A connection of that node's which holds the row of a chat, as a node does that was stopped in a transaction. */
function holdRow(t, cluster, incarnation, chat) {
  const child = cluster.postgres.session();
  t.after(() => child.kill('SIGKILL'));
  child.stdin.write(`SET application_name = 'troupe/${incarnation}'; BEGIN;\n`
    + `SELECT 'held' FROM troupe.conversations WHERE name = '${chat.id}'::bytea FOR UPDATE;\n`);
  return new Promise((resolve) => {
    child.stdout.on('data', (text) => String(text).includes('held') && resolve());
  });
}

/** Takes a turn again and again until it is taken; resolves with the milliseconds since `since`. */
async function taken(ledger, node, chat, since) {
  for (;;) {
    const entry = await ledger.take(node, chat);
    if (entry.turn.status === 200) return { entry, ms: entry.turn.arrivals[0] - since };
    // Busy there, or handed to the node that hangs: nobody knows what that one has done with it.
    assert.match(entry.turn.errorText, /session_busy|owner_unreachable/);
    assert.ok(performance.now() - since < within(20000), 'the chat is still the other node\'s');
    await pause(20);
  }
}

for (const held of [false, true]) {
  test(`a node that hangs ${held ? 'within a transaction ' : ''}loses its turns, and comes back`, { timeout }, async (t) => {
    const { model, cluster, ledger } = await start(t);
    const late = watchLateness();
    const figures = [];
    for (let round = 0; round < rounds; round += 1) {
      const [a, b] = round % 2 ? [...cluster.nodes].reverse() : cluster.nodes;
      const chat = ledger.newChat();
      assert.ok((await ledger.take(b, chat)).ended);
      const incarnation = cluster.incarnationOf(a.name);
      const release = hold(model);
      const lost = ledger.take(a, chat);
      await until('its turn runs', () => model.questions.some(({ turn }) => turn === chat.last.name));
      if (held) await settles('the row is held', holdRow(t, cluster, incarnation, chat));
      freeze(a);
      const frozen = performance.now();
      model.heldFrom = Infinity; // the other node's turns are answered
      const { entry, ms } = await taken(ledger, b, chat, frozen);
      assert.ok(entry.ended);
      thaw(a);
      const thawed = performance.now();
      const ended = await lost;
      assert.equal(ended.error?.error, 'turn_lost', `${JSON.stringify(ended.error)} ${ended.turn.types()}`);
      const told = performance.now() - thawed;
      await until('it serves again', async () => (await a.get('/readyz')).status === 200);
      const back = performance.now() - thawed;
      release();
      assert.ok((await ledger.take(a, chat)).ended);
      assert.notEqual(cluster.incarnationOf(a.name), incarnation);
      figures.push([ms, told, back].map(Math.round));
      if (measures) {
        assert.ok(ms < lease.leaseMs + (held ? 2000 : 1000) + late(), `usable after ${ms} ms`);
        assert.ok(told < 1000 + late(), `turn_lost after ${told} ms`);
        assert.ok(back < 2000 + late(), `serves after ${back} ms`);
      }
    }
    t.diagnostic(`usable, turn_lost, serves after (ms): ${JSON.stringify(figures)}`);
    ledger.collect();
    for (const chat of ledger.chats) ledger.assertKept(chat, await cluster.nodes[0].export(chat.id));
    assertNoGaps(cluster);
    assertNoFaults(cluster);
    assertNoMistakes(model);
  });
}

test('nodes without their database take no turns, and judge nobody when it is back', { timeout }, async (t) => {
  const leaseMs = 10000; // who comes back late is not buried
  const { cluster, ledger } = await start(t, 2, { ...lease, leaseMs });
  const before = cluster.rows().map(({ incarnation }) => incarnation);
  await cluster.postgres.crash();
  for (const node of cluster.nodes)
    await until('/readyz answers 503', async () => (await node.get('/readyz')).status === 503, leaseMs + 2000);
  const refused = async (node) => {
    const turn = new Turn(node.url, { message: 'late wants 0 rounds' });
    await turn.ends();
    return turn;
  };
  await until('new turns are refused', async () => {
    const turn = await refused(cluster.nodes[0]);
    return turn.status === 503 && /store_unreachable/.test(turn.errorText) && turn.response.headers['retry-after'];
  }, leaseMs + 15000);
  for (const node of cluster.nodes) assert.equal((await node.get('/healthz')).status, 200);
  await cluster.postgres.back();
  for (const node of cluster.nodes)
    await until('/readyz answers 200', async () => (await node.get('/readyz')).status === 200, 15000);
  const chat = ledger.newChat();
  for (const node of cluster.nodes) assert.ok((await ledger.take(node, chat)).ended);
  assert.deepEqual(cluster.rows().map(({ incarnation }) => incarnation), before);
});
