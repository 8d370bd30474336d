// Ten thousand chats that are left alone cost no memory, and each goes on where it was.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { measures, slowness, until } from '../support/patience.mjs';
import { residentKiB } from '../support/processes.mjs';
import { Ledger } from '../support/store_ledger.mjs';
import { assertNoMistakes, startStoreModel } from '../support/store_model.mjs';
import { StoreServer } from '../support/store_server.mjs';

const chats = measures ? 10000 : 500;
const warm = measures ? 4000 : 100; // so many fill the caches of the store, which are bounded
const atOnce = 64;
const sessionIdleMs = 10000;

/** Runs `work` for every element, so many at once. */
async function each(all, work) {
  let next = 0;
  const one = async () => {
    while (next < all.length) await work(all[next++]);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

function opened(ledger, count) {
  return Array.from({ length: count }, () => ledger.newChat());
}

async function takeOne({ ledger, server, agent }, chat) {
  const entry = await ledger.take(server, chat, { agent });
  assert.ok(entry.ended, entry.turn.errorText);
  entry.turn.events.length = 1; // the test has its own memory to think of
  entry.turn.arrivals = [];
}

test(`${chats} idle chats return their memory and go on`, {
  timeout: 280000 * slowness,
}, async (t) => {
  const model = await startStoreModel(t);
  const server = new StoreServer(t, {
    models: { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } },
    limits: { sessionIdleMs },
  });
  await server.ready();
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const stage = { server, ledger: new Ledger(model, 'idle'), agent };
  const { pid } = server.program;
  const fresh = residentKiB(pid);
  const sessions = async () => (await server.json('/v1/status')).sessions;
  const gone = () => until('all sessions are gone', async () => (await sessions()) === 0, 60000);

  const first = opened(new Ledger(model, 'warm'), warm);
  await each(first, (chat) => takeOne(stage, chat));
  await gone();
  model.forget();
  const baseline = residentKiB(pid);

  const many = opened(stage.ledger, chats);
  const ends = [];
  await each(many, async (chat) => (await takeOne(stage, chat), ends.push(performance.now())));
  const open = await sessions();
  const kept = performance.now() - sessionIdleMs + 2000; // what ended since has its session for sure
  const young = ends.filter((end) => end > kept).length;
  const peak = residentKiB(pid);
  await gone();
  const after = residentKiB(pid);
  t.diagnostic(`${open} sessions open at once; RSS ${fresh} KiB at the start, ` +
    `${baseline} KiB after the first ${warm} were gone, ${peak} KiB with all, ` +
    `${after} KiB after`);

  stage.ledger.collect();
  await each(many, (chat) => takeOne(stage, chat));
  for (const { turn, messages } of model.questions)
    assert.equal(messages.length, 3, `${turn} was asked with its history`);
  stage.ledger.collect();
  for (const chat of many.slice(0, 200))
    stage.ledger.assertKept(chat, await server.export(chat.id));
  assertNoMistakes(model);
  await server.stop();
  if (!measures) return;
  assert.ok(open >= young && young > atOnce, `${open} sessions were open, ${young} of them for sure`);
  assert.ok(after - baseline < 4096, `it grew by ${after - baseline} KiB`);
});
