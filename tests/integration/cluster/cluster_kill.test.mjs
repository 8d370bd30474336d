// kill -9 of random nodes under load: nothing that was acknowledged is lost, the others go on, and chats of a dead node can be used
// again within two seconds. CLUSTER_KILLS and CLUSTER_CHATS say how often and how many, CLUSTER_SEED which.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster, assertNoFaults, assertNoGaps, killNode, watchFences } from '../support/cluster.mjs';
import { measures, slowness, watchLateness } from '../support/patience.mjs';
import { randomFrom } from '../support/random.mjs';
import { Ledger } from '../support/store_ledger.mjs';
import { assertNoMistakes, startStoreModel } from '../support/store_model.mjs';

const kills = Number(process.env.CLUSTER_KILLS ?? 3);
const clients = Number(process.env.CLUSTER_CHATS ?? 24);
const seed = Number(process.env.CLUSTER_SEED ?? Date.now() % 1000000);
const between = Number(process.env.CLUSTER_PAUSE ?? 4000);
const restart = Math.min(3000, between / 2);
// Whole, the machine is quiet; in the gate other tests take their part of it.
// A network that loses packets has some of those that open a connection come only a second later.
const usable = process.env.CLUSTER_NAMESPACE ? 3000 : process.env.CLUSTER_KILLS ? 2000 : 2500;
const refusals = new Set([409, 503]);

const isUp = (node) => node.up;

/** Takes turns in one chat on random nodes that live; one that is refused is asked again. */
async function chatter(stage, chat) {
  const { cluster, ledger, random, notes } = stage;
  while (!stage.over) {
    const living = cluster.nodes.filter(isUp);
    const node = living[Math.floor(random() * living.length)];
    const start = node.starts;
    const entry = await ledger.take(node, chat);
    const { turn } = entry;
    const was = node.starts !== start || !node.up; // it was killed meanwhile
    if (entry.ended) {
      notes.ended += 1;
      if (chat.killedAt) notes.waits.push(turn.arrivals[0] - chat.killedAt);
      chat.killedAt = undefined;
    } else if (refusals.has(turn.status)) {
      notes.refused += 1;
      await pause(20);
    } else if (was) {
      chat.killedAt ??= turn.events.length ? node.killedAt : undefined;
    } else {
      notes.failed.push(`${node.name} ${turn.status} ${turn.errorText} ${JSON.stringify(entry.error)} ${turn.types()}`);
    }
  }
}

async function killAndRestart(stage, node) {
  const incarnation = stage.cluster.incarnationOf(node.name);
  node.up = false;
  node.killedAt = performance.now();
  node.starts += 1;
  await killNode(node);
  stage.notes.swept.push(await stage.cluster.swept(incarnation, node.killedAt));
  assert.equal(stage.cluster.count(`SELECT count(*) FROM troupe.turns WHERE state = 0 AND node = ${incarnation}`), 0);
  await pause(Math.max(0, restart - (performance.now() - node.killedAt)));
  await node.ready();
  node.up = true;
}

test(`${kills} kills of random nodes`, { timeout: (120000 + kills * between * 2) * slowness }, async (t) => {
  t.diagnostic(`CLUSTER_SEED=${seed}`);
  const random = randomFrom(seed);
  const late = watchLateness();
  const model = await startStoreModel(t, { random, pauseMs: 800 });
  const cluster = await Cluster.start(t, {
    config: { models: { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } } },
  });
  watchFences(cluster);
  for (const node of cluster.nodes) Object.assign(node, { up: true, starts: 0 });
  await cluster.judging();
  const ledger = new Ledger(model);
  const notes = { ended: 0, refused: 0, failed: [], waits: [], swept: [] };
  const stage = { cluster, ledger, random, notes, over: false };
  const work = Array.from({ length: clients }, () => chatter(stage, ledger.newChat()));
  for (let i = 0; i < kills; i += 1) {
    await pause(between - restart);
    await killAndRestart(stage, cluster.nodes[Math.floor(random() * 3)]);
  }
  await pause(1500);
  stage.over = true;
  await Promise.all(work);
  const asked = model.questions.map(({ turn }) => turn);
  assert.equal(new Set(asked).size, asked.length, 'the model is asked once per turn');
  ledger.collect();
  const round = (list) => list.map(Math.round).sort((x, y) => x - y).join(' ');
  t.diagnostic(`${notes.ended} turns, ${notes.refused} refused; swept after ${round(notes.swept)} ms; `
    + `first events after a kill: ${round(notes.waits)} ms`);
  assert.deepEqual(notes.failed, []);
  assert.ok(notes.waits.length > 0, 'chats of killed nodes went on');
  if (measures) for (const each of notes.waits) assert.ok(each < usable + late(), `usable after ${each} ms`);
  for (const chat of ledger.chats) ledger.assertKept(chat, await cluster.nodes[0].export(chat.id));
  assertNoGaps(cluster);
  assertNoFaults(cluster);
  assertNoMistakes(model);
});
