// A cluster whose database is cut off, restarted, or lost and replaced by its standby. CLUSTER_CUT says for how many seconds a line
// is cut, CLUSTER_RESTARTS how often the database is restarted, CLUSTER_CHATS under how many chats.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster, assertNoFaults, assertNoGaps, watchFences } from '../support/cluster.mjs';
import { PausableSocket } from '../support/pausable_socket.mjs';
import { Link, here, nodesNetwork } from '../support/network.mjs';
import { measures, slowness, until, watchLateness } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Ledger } from '../support/store_ledger.mjs';
import { assertNoMistakes, hold, startStoreModel } from '../support/store_model.mjs';

const cutSeconds = Number(process.env.CLUSTER_CUT ?? 5);
const restarts = Number(process.env.CLUSTER_RESTARTS ?? 2);
const clients = Number(process.env.CLUSTER_CHATS ?? 12);
const timeout = (120000 + 1000 * cutSeconds + 20000 * restarts) * slowness;
const lease = { beatMs: 250, leaseMs: 2500 * slowness };

/** Nodes on a database, each by the address that `urlOf` has for it. */
async function start(t, { postgres, nodes = 3, urlOf = () => postgres.url, pauseMs = 0, cluster: how = {}, judges = true, durability = 'normal' }) {
  const model = await startStoreModel(t, { pauseMs });
  const models = { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } };
  const cluster = new Cluster(postgres);
  for (let i = 0; i < nodes; i += 1)
    cluster.nodes.push(await cluster.node(t, 'abc'[i], { models, store: urlOf(i), durability }, how));
  for (const node of cluster.nodes) await node.ready();
  watchFences(cluster);
  if (judges) await cluster.judging();
  return { model, cluster, ledger: new Ledger(model) };
}

async function assertAllKept({ ledger, cluster, model }) {
  ledger.collect();
  for (const chat of ledger.chats) ledger.assertKept(chat, await cluster.nodes[0].export(chat.id));
  assertNoGaps(cluster);
  assertNoFaults(cluster);
  assertNoMistakes(model);
}

const assertAllRun = ({ cluster }) => {
  for (const { name, program } of cluster.nodes) assert.equal(program.ended, undefined, `${name} runs: ${program}`);
};

test(`a node that is cut off from the database for ${cutSeconds} s loses its turns, and comes back`, { timeout }, async (t) => {
  const postgres = await Postgres.start(t);
  const line = nodesNetwork ? new Link('a', { address: here, port: 5432 }) : await PausableSocket.start(t, postgres.folder);
  const urls = [line.folder ? `postgresql://troupe@/postgres?host=${line.folder}` : postgres.url, postgres.url];
  const stage = await start(t, { postgres, nodes: 2, urlOf: (i) => urls[i], cluster: lease });
  const { model, cluster, ledger } = stage;
  const [a, b] = cluster.nodes;
  const chat = ledger.newChat();
  assert.ok((await ledger.take(b, chat)).ended);
  const release = hold(model);
  const lost = ledger.take(a, chat);
  await until('its turn runs', () => model.questions.some(({ turn }) => turn === chat.last.name));
  line.cut();
  const late = watchLateness();
  const cut = performance.now();
  model.heldFrom = Infinity; // the other node's turns are answered
  const unhealthy = [];
  const watch = setInterval(() => void a.get('/healthz').then(({ status }) => status === 200 || unhealthy.push(status)), 250);
  t.after(() => clearInterval(watch));
  await until('/readyz answers 503', async () => (await a.get('/readyz')).status === 503, lease.leaseMs);
  let taken;
  await until('the chat is free', async () => {
    const entry = await ledger.take(b, chat);
    if (entry.turn.status === 200) taken = entry;
    else assert.match(entry.turn.errorText, /session_busy|store_unreachable|owner_unreachable/); // what the node says that is cut off
    return taken;
  }, lease.leaseMs + 5000);
  const usable = taken.turn.arrivals[0] - cut;
  const refused = await ledger.take(a, ledger.newChat());
  assert.equal(refused.turn.status, 503, refused.turn.errorText);
  assert.match(refused.turn.errorText, /store_unreachable/);
  assert.ok(refused.turn.response.headers['retry-after']);
  await pause(Math.max(0, cutSeconds * 1000 - (performance.now() - cut)));
  line.mend();
  const mended = performance.now();
  release();
  const { error } = await lost;
  assert.ok(['turn_lost', 'store_failed'].includes(error?.error), JSON.stringify(error));
  await until('it serves again', async () => (await a.get('/readyz')).status === 200, 15000);
  const back = performance.now() - mended;
  clearInterval(watch);
  assert.deepEqual(unhealthy, []);
  assert.ok((await ledger.take(a, chat)).ended);
  t.diagnostic(`usable after ${Math.round(usable)} ms, ${error.error}, serves ${Math.round(back)} ms after the line`);
  if (measures) assert.ok(usable < lease.leaseMs + 1000 + late(), `usable after ${usable} ms`);
  assertAllRun(stage);
  await assertAllKept(stage);
});

/** Takes turns in one chat on nodes by turns, until the stage is over; notes what became of each. */
async function chatter(stage, chat, first) {
  const { cluster, ledger, notes } = stage;
  for (let i = first; !stage.over; i += 1) {
    const asked = performance.now();
    const entry = await ledger.take(cluster.nodes[i % cluster.nodes.length], chat);
    const { status, response, errorText } = entry.turn;
    if (entry.ended) notes.ended.push({ asked, first: entry.turn.arrivals[0] });
    else if (status === 503 && response.headers['retry-after'] && /store_unreachable/.test(errorText)) notes.refused += 1;
    else notes.failed.push(`${status} ${errorText} ${JSON.stringify(entry.error)} ${entry.turn.types()}`);
    if (!entry.ended) await pause(20);
  }
}

function load(stage) {
  stage.notes = { ended: [], refused: 0, failed: [] };
  const work = Array.from({ length: clients }, (_, i) => chatter(stage, stage.ledger.newChat(), i));
  return { end: () => ((stage.over = true), Promise.all(work)) };
}

/** Resolves with the milliseconds from `since` to the first event of a turn that was asked for after it. */
async function firstTurn({ notes }, since) {
  const found = await until('a turn after it', () => notes.ended.find(({ asked }) => asked >= since), 15000);
  return found.first - since;
}

test(`${restarts} restarts of the database: no turn that runs fails, no node dies`, { timeout }, async (t) => {
  const postgres = await Postgres.start(t);
  const stage = await start(t, { postgres, pauseMs: 200 });
  const { cluster } = stage;
  const before = cluster.rows().map(({ incarnation }) => incarnation);
  const work = load(stage);
  const late = watchLateness();
  const waits = [];
  for (let i = 0; i < restarts; i += 1) {
    await until('turns end', () => stage.notes.ended.length > clients * (i + 1), 60000);
    await (i % 2 ? postgres.crash() : postgres.stop());
    await postgres.back();
    waits.push(await firstTurn(stage, performance.now()));
  }
  await work.end();
  t.diagnostic(`${stage.notes.ended.length} turns, ${stage.notes.refused} refused, first new ones after ${waits.map(Math.round)} ms`);
  assert.deepEqual(stage.notes.failed, []);
  assert.deepEqual(cluster.rows().map(({ incarnation }) => incarnation), before);
  if (measures) for (const each of waits) assert.ok(each < 1000 + late(), `a new turn after ${each} ms`);
  assertAllRun(stage);
  await assertAllKept(stage);
});

for (const synchronous of [true, false]) {
  test(`a standby${synchronous ? ' that is synchronous' : ''} takes the place of the database`, { timeout }, async (t) => {
    const primary = await Postgres.start(t);
    const standby = await Postgres.standby(t, primary);
    if (synchronous) await primary.waitForStandby();
    const url = `postgresql://troupe@/postgres?host=${primary.folder},${standby.folder}&target_session_attrs=read-write`;
    const stage = await start(t, { postgres: primary, urlOf: () => url, pauseMs: 100, judges: false, durability: synchronous ? 'full' : 'normal' });
    const work = load(stage);
    await until('turns end', () => stage.notes.ended.length > clients, 60000);
    const late = watchLateness();
    await primary.crash();
    standby.promote();
    const promoted = performance.now();
    stage.cluster.postgres = standby;
    const ms = await firstTurn(stage, promoted);
    await until('turns end', () => stage.notes.ended.length > clients * 3, 60000);
    await work.end();
    t.diagnostic(`${stage.notes.ended.length} turns, ${stage.notes.refused} refused, a new one ${Math.round(ms)} ms after the promotion`);
    if (measures) assert.ok(ms < 5000 + late(), `serves after ${ms} ms`);
    assertAllRun(stage);
    if (!synchronous) return assertNoGaps(stage.cluster), assertNoFaults(stage.cluster);
    assert.deepEqual(stage.notes.failed, []);
    await assertAllKept(stage);
  });
}
