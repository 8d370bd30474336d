// A server that ends, well or by kill -9, and comes back: chats, turns, settings and usage go on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { until } from '../support/patience.mjs';
import {
  connected, demoServer, folder, models, serverIn, startModel,
} from '../support/servers.mjs';
import { plain, plainStored } from '../support/store_history.mjs';
import { Ledger, runsIn } from '../support/store_ledger.mjs';
import { assertNoMistakes, hold, startStoreModel } from '../support/store_model.mjs';
import { StoreServer } from '../support/store_server.mjs';
import { SseReader, Turn, takeTurn } from '../support/turns.mjs';

const timeout = 60000;

async function start(t, config = {}) {
  const model = await startStoreModel(t);
  const log = path.join(folder(t), 'calls.log');
  const server = new StoreServer(t, {
    models: { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } },
    mcpServers: { demo: demoServer(log) },
    ...config,
  });
  await back(server);
  return { model, server, log, ledger: new Ledger(model) };
}

async function back(server) {
  await server.ready();
  await connected({ status: () => server.json('/v1/status') }, 'demo');
}

const endings = [
  ['a regular end', (server) => server.stop()],
  ['kill -9', (server) => server.kill()],
];

for (const [how, end] of endings) {
  test(`chats and usage go on after ${how}`, { timeout }, async (t) => {
    const { model, server, ledger, log } = await start(t);
    const [talk, tools] = [ledger.newChat(), ledger.newChat()];
    for (let i = 0; i < 3; i += 1) assert.ok((await ledger.take(server, talk)).ended);
    assert.ok((await ledger.take(server, tools, { rounds: 2 })).ended);
    ledger.collect();
    const before = await used(server);
    await end(server);

    await back(server);
    for (const chat of [talk, tools]) {
      ledger.assertKept(chat, await server.export(chat.id));
      assert.ok((await ledger.take(server, chat)).ended);
    }
    const asked = model.questions.map(({ messages }) => messages.length);
    assert.deepEqual(asked, [7, 8], 'the model sees all that was before');
    ledger.collect();
    for (const chat of ledger.chats) ledger.assertKept(chat, await server.export(chat.id));
    assert.deepEqual([...runsIn(log).values()], [1, 1, 1], 'no tool ran again');
    assert.deepEqual(before, { turns: 4, requests: 6, inputTokens: 42, outputTokens: 30 });
    assert.deepEqual(await used(server), {
      turns: 6, requests: 8, inputTokens: 56, outputTokens: 40,
    });
    assertNoMistakes(model);
  });
}

async function used(server) {
  const { turns, requests, usage } = (await server.json('/v1/usage')).total;
  const { inputTokens, outputTokens } = usage;
  return { turns, requests, inputTokens, outputTokens };
}

test('a chat that was idle for too long goes on from the store', { timeout }, async (t) => {
  const { server, ledger } = await start(t, { limits: { sessionIdleMs: 200 } });
  const chat = ledger.newChat();
  for (let i = 0; i < 3; i += 1) {
    assert.ok((await ledger.take(server, chat)).ended);
    await until('its session is gone', async () =>
      (await server.json('/v1/status')).sessions === 0);
  }
  ledger.collect();
  ledger.assertKept(chat, await server.export(chat.id));
});

test('settings of MCP servers survive kill -9 right after the answer', { timeout }, async (t) => {
  const { server } = await start(t, {
    mcpServers: { demo: demoServer(), off: demoServer(), gone: demoServer() },
  });
  await server.json('/v1/mcp/servers/added', { method: 'PUT', body: demoServer() });
  await server.json('/v1/mcp/servers/off', { method: 'PATCH', body: { enabled: false } });
  await server.json('/v1/mcp/servers/gone', { method: 'DELETE' });
  await server.kill();

  await back(server);
  const status = { status: () => server.json('/v1/status') };
  await connected(status, 'added');
  const { mcpServers: left } = await status.status();
  assert.deepEqual(left.map(({ name }) => name).sort(), ['added', 'demo', 'off']);
  assert.equal(serverIn({ mcpServers: left }, 'off').health, 'idle');
});

/** Reads the events of a chat's turn to their end; resolves with them, or undefined if none runs. */
async function events(server, id, headers = {}) {
  const answer = await server.get(`/v1/sessions/${id}/events`, { headers });
  if (answer.status !== 200) return void (await answer.text());
  const found = [];
  const reader = new SseReader(({ data }) => found.push(JSON.parse(data)));
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) reader.read(piece);
  return found;
}

/** A resumable turn with one round of tools, killed in its second answer. */
async function interrupted(t) {
  const stage = await start(t);
  const { model, server, ledger } = stage;
  const chat = ledger.newChat();
  assert.ok((await ledger.take(server, chat)).ended);
  ledger.collect();
  const release = hold(model, 1);
  const over = ledger.take(server, chat, { rounds: 1, body: { resumable: true } });
  await until('the tool ran', () => chat.last.turn.of('MCP_TOOL_SUCCESS').length === 1);
  await until('the model has the result', () => model.questions.length === 2);
  await server.kill();
  release();
  const entry = await over;
  ledger.collect();
  await back(server);
  return { ...stage, chat, entry };
}

test('an interrupted turn is replayed, ends with server_restarted, and goes on when asked', {
  timeout,
}, async (t) => {
  const { model, server, ledger, chat, entry, log } = await interrupted(t);
  const kept = await events(server, chat.id);
  assert.ok(kept, 'it can be read');
  const seen = entry.turn.events.map(({ seq, type }) => `${seq} ${type}`);
  const shown = kept.slice(0, -1).map(({ seq, type }) => `${seq} ${type}`);
  assert.deepEqual(shown, seen.slice(0, shown.length), 'the same events again');
  assert.ok(kept.some(({ type }) => type === 'MCP_TOOL_SUCCESS'), 'up to what was fed back');
  assert.equal(kept.at(-1).type, 'SESSION_ERROR');
  assert.equal(kept.at(-1).error, 'server_restarted');

  const last = entry.turn.events.at(-1).seq;
  const [end, ...more] = await events(server, chat.id, { 'last-event-id': String(last) });
  assert.deepEqual([end.type, more.length], ['SESSION_ERROR', 0], 'to who has seen it all');
  assert.ok(end.seq > last, 'numbered behind what it has seen');

  const resumed = new Turn(server.url, { resume: true }, { session: chat.id });
  await resumed.ends();
  assert.equal(resumed.status, 200, resumed.errorText);
  assert.equal(resumed.events.at(-1).type, 'SESSION_END');
  assert.equal(resumed.events[0].messageId, entry.turn.events[0].messageId, 'the same message');
  const { messages } = model.questions.at(-1);
  assert.deepEqual(messages.map(plain), ledger.asked.get(entry.name), 'asked with what there was');
  assert.deepEqual([...runsIn(log).values()], [1], 'the tool did not run again');
  const stored = (await server.export(chat.id)).messages.map(plainStored);
  assert.equal(stored.at(-1).text, resumed.text());
  assert.equal(stored.length, messages.length + 1);
  assertNoMistakes(model);
});

test('a chat whose turn ended has nothing to go on with', { timeout }, async (t) => {
  const { server, ledger } = await start(t);
  const chat = ledger.newChat();
  assert.ok((await ledger.take(server, chat, { body: { resumable: true } })).ended);
  await server.kill();
  await back(server);
  assert.equal(await events(server, chat.id), undefined);
  const refused = await new Turn(server.url, { resume: true }, { session: chat.id }).ends();
  assert.equal(refused.status, 400, refused.errorText);
  assert.equal(await events(server, 'nobody-knows-this'), undefined);
  assert.equal((await server.list()).length, 1, 'asking makes no conversation');
});

test('the model is told of a tool that ran when the server died', { timeout }, async (t) => {
  const model = await startModel(t);
  const log = path.join(folder(t), 'calls.log');
  const server = new StoreServer(t, {
    models: models(model.url, ['text', 'hang-call']),
    mcpServers: { demo: demoServer(log) },
  });
  await back(server);
  const cut = new Turn(server.url, { message: 'go', model: 'hang-call' }, { session: 'hung' });
  await cut.sees('MCP_TOOL_START');
  await until('the tool runs', () => readFileSync(log, 'utf8').includes('tools/call'));
  await server.kill();

  await back(server);
  await takeTurn(server.url, { message: 'and now?', model: 'text' }, { session: 'hung' });
  const { body } = (await model.requests()).at(-1);
  assert.deepEqual(body.messages.map(({ role }) => role), ['user', 'assistant', 'tool', 'assistant', 'user']);
  assert.match(body.messages[2].content, /restarted/);
  assert.match(body.messages[2].content, /may or may not have run/);
  const exported = await server.export('hung');
  assert.deepEqual(exported.messages.map(({ message }) => message.role), [
    'user', 'assistant', 'tool', 'user', 'assistant',
  ]);
  assert.deepEqual(exported.turns.map(({ state }) => state), ['interrupted', 'ended']);
});

test('names, branches and deletions survive', { timeout }, async (t) => {
  const { server, ledger } = await start(t);
  const [one, two] = [ledger.newChat(), ledger.newChat()];
  for (const chat of [one, two, one]) assert.ok((await ledger.take(server, chat)).ended);
  const at = `/v1/conversations/${one.id}`;
  await server.json(at, { method: 'PATCH', body: { title: 'Named' } });
  await server.json(`${at}/branch`, { method: 'POST', status: 201, body: { id: 'branched' } });
  await server.get(`/v1/conversations/${two.id}`, { method: 'DELETE' });
  await server.kill();

  await back(server);
  const found = new Map((await server.list()).map((each) => [each.id, each]));
  assert.deepEqual([...found.keys()].sort(), ['branched', one.id].sort());
  assert.equal(found.get(one.id).title, 'Named');
  assert.equal(found.get('branched').messageCount, 4);
  assert.equal(await server.export(two.id), undefined);
  const reused = await ledger.take(server, two);
  assert.ok(reused.ended);
  assert.equal((await server.export(two.id)).messages.length, 2, 'a deleted chat begins anew');
});

test('a very long chat goes on, and is edited near its beginning', { timeout }, async (t) => {
  const model = await startModel(t);
  const server = new StoreServer(t, { models: models(model.url, ['text']), defaultModel: 'text' });
  await server.ready();
  const messages = Array.from({ length: 3000 }, (_, i) => ({
    message: { role: i % 2 === 0 ? 'user' : 'assistant', id: `m${i}`, text: `word${i}` },
  }));
  const file = { format: 'troupe.conversation', version: 1, messages };
  await server.json('/v1/conversations/import?id=long', { method: 'POST', status: 201, body: file });
  const texts = async () => (await server.export('long')).messages.map(({ message }) => message.text);
  const take = async (body) => assert.equal((await takeTurn(server.url, body, { session: 'long' })).events.at(-1).type, 'SESSION_END');
  await take({ message: 'more' });
  await server.kill();
  await server.ready();
  await take({ message: 'and more' });
  assert.deepEqual((await texts()).filter((_, i) => i % 2 === 0 && i >= 2998), ['word2998', 'more', 'and more']);
  await take({ message: 'edited', replaceFrom: 'm10' });
  const edited = await texts();
  assert.deepEqual(edited.slice(0, -1), [...messages.slice(0, 10).map(({ message }) => message.text), 'edited']);
  await server.kill();
  await server.ready();
  assert.deepEqual(await texts(), edited);
  const { hits } = await server.json('/v1/conversations/search?q=word2998');
  assert.deepEqual(hits, []);
  await take({ message: 'last' });
  assert.deepEqual((await texts()).slice(0, -1), [...edited, 'last']);
  await server.stop();
});

test('turns for clients that keep the history themselves leave nothing', { timeout }, async (t) => {
  const model = await startModel(t);
  const server = new StoreServer(t, { models: models(model.url, ['text']), defaultModel: 'text' });
  await server.ready();
  const messages = [{ role: 'user', content: 'keep nothing' }];
  await server.json('/v1/chat/completions', { method: 'POST', body: { model: 'text', messages } });
  assert.deepEqual(await server.list(), []);
});
