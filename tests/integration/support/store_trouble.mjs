// A server whose store gets into trouble while chats run, and out of it again.
import assert from 'node:assert/strict';
import { within, until } from './patience.mjs';
import { Ledger } from './store_ledger.mjs';
import { assertNoMistakes, hold, startStoreModel } from './store_model.mjs';
import { StoreServer } from './store_server.mjs';

/** Starts a server with its model on a data folder; resolves with {model, server, ledger}. */
export async function startTroubled(t, data, { env, durability = 'normal' } = {}) {
  const model = await startStoreModel(t);
  const server = new StoreServer(t, {
    durability,
    models: { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } },
  }, { data, env });
  await server.ready();
  return { model, server, ledger: new Ledger(model) };
}

/** Takes a turn that must end well. */
export async function goesWell({ ledger, server }, chat) {
  const entry = await ledger.take(server, chat);
  assert.ok(entry.ended, `${chat.id}: ${entry.turn.errorText} ${JSON.stringify(entry.error)}`);
  ledger.collect();
  return entry;
}

/** The code of the error with which a turn was refused or ended; undefined if it ended well. */
export function codeOf({ turn, error, ended }) {
  if (ended) return undefined;
  if (error) return error.error;
  return JSON.parse(turn.errorText).error.code;
}

/** Takes turns in the chat until one fails; those before must end well. Resolves with that one. */
export async function untilOneFails({ ledger, server }, chat, milliseconds = 60000) {
  const deadline = performance.now() + within(milliseconds);
  while (performance.now() < deadline) {
    const entry = await ledger.take(server, chat);
    if (!entry.ended) return entry;
  }
  return assert.fail('no turn failed');
}

/** Begins a turn whose model waits; `release` lets it go on. */
export async function beginHeld({ model, ledger, server }, chat) {
  const release = hold(model);
  const over = ledger.take(server, chat);
  const { name } = chat.last;
  await until('the model is asked', () => model.questions.some(({ turn }) => turn === name));
  return { over, release };
}

/** What a server says of a store that is in trouble with this error. */
export async function assertSaysSo({ server }, code, pattern) {
  assert.equal((await server.get('/healthz')).status, 200, 'it lives');
  const ready = await until('/readyz says so', async () => {
    const answer = await server.get('/readyz');
    return answer.status === 503 && answer.text();
  });
  assert.ok(ready.includes(code), ready); // anybody may ask: no more than that
  const { store } = await server.json('/v1/status');
  assert.equal(store.error?.code, code);
  assert.match(store.error.message, pattern);
}

/**
 * Everything works by itself again, also what was refused or cut off, and survives the end of the
 * server: kill -9, or `stop` where nobody waits for the store.
 */
export async function assertRecovers(stage, end = 'kill') {
  const { server, ledger, model } = stage;
  await until('it is ready again', async () => (await server.get('/readyz')).status === 200, 20000);
  for (const chat of ledger.chats) await goesWell(stage, chat);
  await server[end]();
  await server.ready();
  for (const chat of ledger.chats) ledger.assertKept(chat, await server.export(chat.id));
  assertNoMistakes(model);
}
