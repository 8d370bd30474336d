// Chats in PostgreSQL: a server that ends, well or by kill -9, a database that goes away in the
// middle of a turn, and what is found and shown.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';
import { run, binary } from '../support/program.mjs';
import { configFile, connected, demoServer } from '../support/servers.mjs';
import { Ledger } from '../support/store_ledger.mjs';
import { assertNoMistakes, hold, startStoreModel } from '../support/store_model.mjs';
import { StoreServer } from '../support/store_server.mjs';
import { takeTurn } from '../support/turns.mjs';

const timeout = 120000;

/** Starts a server on a database of its own. @param postgres one that the test may crash */
async function start(t, config = {}, postgres = undefined) {
  const model = await startStoreModel(t);
  const common = postgres ?? await Postgres.shared();
  const url = common.urlOf(common.database());
  const server = new StoreServer(t, {
    store: url,
    models: { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } },
    ...config,
  });
  await server.ready();
  return { url, postgres: common, model, server, ledger: new Ledger(model) };
}

const endings = [
  ['a regular end', (server) => server.stop()],
  ['kill -9', (server) => server.kill()],
];

for (const [how, end] of endings) {
  test(`chats, lists and usage go on after ${how}`, { timeout }, async (t) => {
    const { server, model, ledger } = await start(t);
    const chats = [ledger.newChat(), ledger.newChat()];
    for (const chat of [chats[0], chats[1], chats[0]]) {
      assert.ok((await ledger.take(server, chat)).ended);
    }
    ledger.collect();
    const before = [await server.list(1), (await server.json('/v1/usage')).total];
    assert.deepEqual(before[0].map(({ id }) => id), [chats[0].id, chats[1].id]);
    await end(server);

    await server.ready();
    assert.deepEqual([await server.list(1), (await server.json('/v1/usage')).total], before);
    for (const chat of chats) {
      ledger.assertKept(chat, await server.export(chat.id));
      assert.ok((await ledger.take(server, chat)).ended);
    }
    assert.deepEqual(model.questions.map(({ messages }) => messages.length), [5, 3]);
    ledger.collect();
    for (const chat of chats) ledger.assertKept(chat, await server.export(chat.id));
    assertNoMistakes(model);
  });
}

test('chats are found by words of every script, renamed and removed', { timeout }, async (t) => {
  const { server } = await start(t, { models: undefined }); // the scripted model
  const said = { a: '明天下午三点讨论数据库迁移方案', b: 'the plan of the Café', c: 'nothing' };
  for (const [session, message] of Object.entries(said)) {
    await takeTurn(server.url, { message, model: 'text' }, { session });
  }
  const found = async (words) => (await server.json(`/v1/conversations/search?q=${encodeURIComponent(words)}`))
    .hits.map(({ conversationId }) => conversationId);
  assert.deepEqual(await found('数据库'), ['a']);
  assert.deepEqual(await found('数库'), []);
  assert.deepEqual(await found('"the plan" cafe'), ['b']);
  await server.json('/v1/conversations/b', { method: 'PATCH', body: { title: 'Paris' } });
  assert.deepEqual((await server.list()).map(({ id, title }) => [id, title]), [
    ['b', 'Paris'], ['c', said.c], ['a', said.a],
  ]);
  await server.json('/v1/conversations/b', { method: 'DELETE' });
  assert.deepEqual(await found('cafe'), []);
});

test('a search goes on until it has found something, or all is looked at', { timeout }, async (t) => {
  const { server } = await start(t, { models: undefined });
  const keep = (id, texts) => server.json('/v1/conversations/import', {
    method: 'POST', status: 201,
    body: {
      format: 'troupe.conversation', version: 1, info: { id },
      messages: texts.map((text) => ({ message: { role: 'user', text } })),
    },
  });
  await keep('old', ['the end comes']);
  await keep('new', Array(8300).fill('end the')); // more texts than one answer looks into
  const page = await server.json(`/v1/conversations/search?q=${encodeURIComponent('"the end"')}`);
  assert.deepEqual(page.hits, []);
  assert.notEqual(page.next, null);
  const search = (words) => run(binary('troupe'), ['conversations', 'search', words, '--json', '--server', server.url]);
  const ids = (printed) => JSON.parse(printed).hits.map(({ conversationId }) => conversationId);
  assert.deepEqual(ids((await search('"the end"')).stdout), ['old']);
  assert.deepEqual(ids((await search('"end end"')).stdout), []);
});

const losses = [
  ['crashes', (postgres) => postgres.crash()],
  ['is restarted', (postgres) => postgres.stop()],
];

for (const [what, end] of losses) {
  test(`a database that ${what} in the middle of a turn fails no turn`, { timeout }, async (t) => {
    const config = { mcpServers: { demo: demoServer() } };
    const { postgres, model, server, ledger } = await start(t, config, await Postgres.start(t));
    await connected({ status: () => server.json('/v1/status') }, 'demo');
    const [held, other] = [ledger.newChat(), ledger.newChat()];
    assert.ok((await ledger.take(server, other)).ended);
    ledger.collect();
    const release = hold(model);
    const over = ledger.take(server, held, { rounds: 2 });
    await until('the model is asked', () => model.questions.length === 1);
    await end(postgres);
    release(); // what it says is saved before its tools run
    const begun = ledger.take(server, other); // its question has to be saved, too
    await until('lists are refused', async () =>
      (await server.get('/v1/conversations')).status === 503, 20000);
    assert.equal((await server.get('/healthz')).status, 200);
    await postgres.back();
    for (const entry of [await over, await begun]) {
      assert.ok(entry.ended, `${JSON.stringify(entry.error)} ${entry.turn.errorText} ${server.program}`);
    }
    ledger.collect();
    for (const chat of ledger.chats) ledger.assertKept(chat, await server.export(chat.id));
    assertNoMistakes(model);
  });
}

test('a second server leaves the database alone', { timeout }, async (t) => {
  const { url, server } = await start(t);
  const file = configFile(t, { listen: '127.0.0.1:0', store: url });
  const second = await run(binary('troupe'), ['serve', '--config', file]);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /another server uses the database/);
  assert.equal((await server.get('/readyz')).status, 200);
});

test('a password is shown nowhere', { timeout }, async (t) => {
  const { url, postgres, server } = await start(t);
  await server.stop();
  const secret = 'Xy7-secret';
  const bad = [
    [`postgresql://troupe:${secret}@/nowhere?host=${postgres.folder}`, 1, /"nowhere" does not exist/],
    [`postgresql://troupe:${secret}%zz@/postgres`, 2, /not one of a PostgreSQL database/],
  ];
  for (const [store, code, says] of bad) {
    const file = configFile(t, { listen: '127.0.0.1:0', store });
    const ended = await run(binary('troupe'), ['serve', '--config', file]);
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, says);
    assert.doesNotMatch(ended.stdout + ended.stderr, new RegExp(secret));
  }
  server.file = configFile(t, {
    listen: '127.0.0.1:0', store: url.replace('troupe@', `troupe:${secret}@`),
  });
  await server.ready();
  const { store } = await server.json('/v1/status');
  assert.match(store.path, /^postgresql:\/\/troupe@/);
  await server.stop();
  assert.doesNotMatch(server.program.stdout + server.program.stderr, new RegExp(secret));
});
