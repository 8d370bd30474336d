// kill -9 of the server at random moments under load: nothing that a client or the model was told
// is lost, nothing is there twice, and no tool runs again. STORE_ROUNDS and STORE_SEED choose the
// run.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { slowness } from '../support/patience.mjs';
import { connected, demoServer, folder } from '../support/servers.mjs';
import { Ledger, runsIn } from '../support/store_ledger.mjs';
import { randomFrom } from '../support/random.mjs';
import { assertNoMistakes, startStoreModel } from '../support/store_model.mjs';
import { StoreServer } from '../support/store_server.mjs';

const rounds = Number(process.env.STORE_ROUNDS ?? (slowness > 1 ? 10 : 40));
const seed = Number(process.env.STORE_SEED ?? Date.now() % 1000000);
const clients = 8;
const longest = 250 * slowness; // milliseconds from the start to the kill

/** One client: goes on with its chats, the last one first, until its server is gone. Calls `ended` after each turn that ended. */
async function chatter(stage, own, isOver, ended) {
  const { ledger, server, random, touched } = stage;
  while (!isOver()) {
    const goesOn = own.length > 0 && random() < 0.75;
    const chat = goesOn ? own.at(-1 - Math.floor(random() ** 3 * own.length)) : ledger.newChat();
    if (!goesOn) own.push(chat);
    touched.add(chat);
    const entry = await ledger.take(server, chat, {
      rounds: Math.floor(random() * 4),
      body: { resumable: random() < 0.25 },
    });
    assert.equal(entry.error, undefined, `${entry.name}: ${JSON.stringify(entry.error)}`);
    if (entry.turn.status && entry.turn.status !== 200) assert.fail(entry.turn.errorText);
    if (entry.ended) ended();
  }
}

/** A life of the server, from its start to its violent end: after a while, and not before so many turns have ended. */
async function live(stage, chats, turns) {
  const { server, random } = stage;
  if (turns > 0) {
    await server.ready();
    await connected({ status: () => server.json('/v1/status') }, 'demo'); // turns of this life have its tools
  } else await server.start();
  let over = false;
  let left = turns;
  let enough = () => {};
  const worked = turns === 0 ? undefined : new Promise((resolve) => (enough = resolve));
  const work = chats.map((own) => chatter(stage, own, () => over, () => (left -= 1) === 0 && enough()));
  const all = Promise.all(work);
  await Promise.race([Promise.all([pause(10 + random() * longest), worked]), all]);
  over = true;
  await server.kill();
  await all;
}

/** Some lives end before they have begun. */
async function dieEarly({ server, random }) {
  server.launch();
  await pause(random() * 60 * slowness);
  await server.kill();
}

async function assertAllKept({ ledger, server }, chats) {
  for (const chat of chats) ledger.assertKept(chat, await server.export(chat.id));
  server.kept.assertIntact();
}

function assertNothingRanTwice({ log, ledger }) {
  const runs = existsSync(log) ? runsIn(log) : new Map();
  for (const [run, times] of runs) assert.equal(times, 1, `${run} ran once`);
  for (const chat of ledger.chats)
    for (const { answers, text } of ledger.known(chat).filter(({ role }) => role === 'tool'))
      if (text.startsWith('Echo: ')) assert.ok(runs.has(text.slice(6)), `${answers} ran`);
  return runs.size;
}

/** After the last round: each chat answers once more, and every conversation is listed once. */
async function assertAllGoOn(stage) {
  const { ledger, server } = stage;
  for (const chat of ledger.chats) {
    const entry = await ledger.take(server, chat);
    assert.ok(entry.ended, `${chat.id} goes on: ${JSON.stringify(entry.error)}`);
  }
  ledger.collect();
  await assertAllKept(stage, ledger.chats);
  const listed = (await server.list()).map(({ id }) => id).sort();
  assert.deepEqual(listed, ledger.chats.map(({ id }) => id).sort(), 'each is listed once');
}

test(`${rounds} rounds of kill -9 lose nothing, double nothing`, {
  timeout: (60000 + rounds * 3000) * slowness,
}, async (t) => {
  t.diagnostic(`STORE_SEED=${seed}`);
  const random = randomFrom(seed);
  const model = await startStoreModel(t, { random, pauseMs: 6 });
  const log = path.join(folder(t), 'calls.log');
  const server = new StoreServer(t, {
    models: { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } },
    mcpServers: { demo: demoServer(log) },
  });
  const stage = { ledger: new Ledger(model), server, random, log, touched: new Set() };
  const chats = Array.from({ length: clients }, () => []);

  for (let round = 0; round < rounds; round += 1) {
    stage.touched = new Set();
    await live(stage, chats, round % 2 === 0 ? 0 : 8); // a busy machine gets to nothing in the while alone
    assertNoMistakes(model);
    stage.ledger.collect();
    if (random() < 0.2) await dieEarly(stage);
    await server.ready();
    await assertAllKept(stage, stage.touched);
    assertNothingRanTwice(stage);
    await server.kill();
  }

  await server.ready();
  await assertAllGoOn(stage);
  const runs = assertNothingRanTwice(stage);
  await server.stop();
  server.kept.assertIntact();
  assertNoMistakes(model);
  report(t, stage.ledger, runs);
});

function report(t, { chats }, runs) {
  const turns = chats.flatMap((chat) => chat.turns);
  const cut = turns.filter(({ ended }) => !ended).length;
  t.diagnostic(`${chats.length} chats, ${turns.length} turns, ${cut} of them cut off by a kill, ` +
    `${runs} runs of tools`);
  assert.ok(cut >= rounds, `kills cut turns off: ${cut}`);
  assert.ok(runs > rounds && turns.length - cut > rounds, 'there was load');
}
