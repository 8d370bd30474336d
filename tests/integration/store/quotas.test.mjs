// How much an owner may keep: what is refused, before anything happens, and what makes room again.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { KeptIn } from '../support/kept_in.mjs';
import { settles, within } from '../support/patience.mjs';
import { Program, binary, run } from '../support/program.mjs';
import { configFile, folder, models, startModel, startTroupe } from '../support/servers.mjs';
import { SseReader } from '../support/turns.mjs';
import { Connection } from '../support/websocket.mjs';

const timeout = within(120000);

/** Starts a server with these limits; `who` are owners that get a key each. */
async function start(t, limits, { who = [], ...config } = {}) {
  const place = new KeptIn(t);
  const model = await startModel(t);
  const keys = {};
  for (const owner of who) {
    const made = new Program(binary('troupe'), ['keys', 'create', '--owner', owner, '--json', ...place.options]);
    await settles('a key is made', made.exit, 20000);
    keys[owner] = JSON.parse(made.stdout).key;
  }
  const server = await startTroupe(t, {
    ...place.config, limits, models: models(model.url, ['text', 'echo', 'long', 'paced-50-100']), defaultModel: 'text',
    ...(who.length > 0 && { auth: { keys: true } }), ...config,
  });
  const ask = async (method, rest, body, owner) => {
    const answer = await fetch(server.url + rest, {
      method,
      headers: { 'content-type': 'application/json', ...(owner && { authorization: `Bearer ${keys[owner]}` }) },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    const json = text.startsWith('{') ? JSON.parse(text) : undefined;
    return { status: answer.status, text, json, code: json?.error?.code };
  };
  const events = (text) => {
    const found = [];
    new SseReader(({ event }) => found.push(event)).read(text);
    return found;
  };
  /** One turn; resolves with its status, its error's code, and the types of its events. */
  const say = async (id, message, { owner, ...more } = {}) => {
    const answer = await ask('POST', `/v1/sessions/${id}/turns`, { message, ...more }, owner);
    return { ...answer, events: answer.status === 200 ? events(answer.text) : [] };
  };
  const kept = async (owner) => (await ask('GET', '/v1/usage', undefined, owner)).json.kept;
  const messages = async (id) => (await ask('GET', `/v1/conversations/${id}`)).json?.messages;
  return { ...server, model, keys, ask, say, kept, messages };
}

const fileOf = (count, text) => JSON.stringify({
  format: 'troupe.conversation', version: 1,
  messages: Array.from({ length: count }, () => ({ message: { role: 'user', text } })),
});

const goesWell = async (answer) => {
  const { status, text, events } = await answer;
  assert.equal(status, 200, text);
  assert.equal(events.at(-1), 'SESSION_END', text);
};

test('one conversation more than an owner may keep is refused everywhere', { timeout }, async (t) => {
  const { ask, say, kept, model } = await start(t, { maxConversationsPerOwner: 2 });
  await goesWell(say('a', 'one'));
  await goesWell(say('b', 'two'));
  await model.forget();

  const turn = await say('c', 'three');
  assert.deepEqual([turn.status, turn.code], [507, 'quota_used_up']);
  assert.match(turn.json.error.message, /^2 conversations are kept, and 2 may be; delete/);
  const page = await ask('POST', '/api/chat', {
    id: 'c', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'three' }] }],
  });
  assert.equal(page.status, 507);
  assert.match(page.text, /2 conversations are kept/);
  for (const answer of [
    await ask('POST', '/v1/conversations/import?id=c', fileOf(1, 'x')),
    await ask('POST', '/v1/conversations/import?id=c', fileOf(2000, 'x')),
    await ask('POST', '/v1/conversations/a/branch', { id: 'c' }),
  ]) assert.deepEqual([answer.status, answer.code], [507, 'quota_used_up'], answer.text);
  assert.equal((await ask('GET', '/v1/conversations/c')).status, 404);
  assert.deepEqual(await model.requests(), [], 'no model was asked');

  await goesWell(say('a', 'goes on'));
  assert.equal((await ask('PATCH', '/v1/conversations/a', { title: 'still mine' })).status, 200);
  assert.equal((await ask('DELETE', '/v1/conversations/b')).status, 200);
  await goesWell(say('c', 'three'));
  assert.equal((await say('d', 'four')).status, 507);
  const now = await kept();
  assert.deepEqual([now.conversations, now.maxConversations, now.maxBytes], [2, 2, 0]);
});

test('a turn that would pass the bytes never was; one that runs is kept', { timeout }, async (t) => {
  const { ask, say, kept, messages, model } = await start(t, { maxBytesPerOwner: 20000 });
  await goesWell(say('a', 'x'.repeat(10000)));
  const before = await messages('a');
  await model.forget();
  const refused = await say('a', 'y'.repeat(10000));
  assert.deepEqual([refused.status, refused.code], [507, 'quota_used_up']);
  assert.match(refused.json.error.message, /^1\d{4} bytes of conversations are kept, 20000 may be, and this would add 10\d{3}; delete/);
  assert.deepEqual(await messages('a'), before);
  assert.deepEqual(await model.requests(), []);
  assert.equal((await ask('POST', '/v1/conversations/a/branch', {})).status, 507);
  assert.equal((await ask('POST', '/v1/conversations/import?id=i', fileOf(30, 'x'.repeat(500)))).status, 507);

  await goesWell(say('a', 'write much', { model: 'long' }));
  const answer = (await messages('a')).at(-1);
  assert.ok(answer.parts.some(({ text }) => text?.length > 20000), 'all of a running turn is kept');
  const full = await kept();
  assert.ok(full.bytes > 20000, JSON.stringify(full));
  for (const id of ['a', 'new']) assert.equal((await say(id, 'hi')).code, 'quota_used_up');

  // Another answer in place of the long one has room.
  const last = (await messages('a')).at(-1).id;
  const again = await ask('POST', '/api/chat', {
    id: 'a', trigger: 'regenerate-message', messageId: last,
    messages: (await messages('a')).slice(0, -1),
  });
  assert.equal(again.status, 200, again.text.slice(0, 500));
  assert.ok((await kept()).bytes < 20000);
  await goesWell(say('new', 'hi'));
});

test('what one owner keeps takes nothing from others', { timeout }, async (t) => {
  const { say, kept } = await start(t, { maxConversationsPerOwner: 1 }, { who: ['alice', 'bob'] });
  await goesWell(say('a', 'hi', { owner: 'alice' }));
  assert.equal((await say('b', 'hi', { owner: 'alice' })).code, 'quota_used_up');
  assert.equal((await kept('bob')).conversations, 0);
  await goesWell(say('b', 'hi', { owner: 'bob' }));
  assert.equal((await say('c', 'hi', { owner: 'bob' })).code, 'quota_used_up');
  assert.equal((await kept('alice')).conversations, 1);
});

test('of turns that begin at once only so many are let in', { timeout }, async (t) => {
  const { ask, say } = await start(t, { maxConversationsPerOwner: 5 });
  const all = await Promise.all(Array.from({ length: 30 }, (_, i) => say(`c${i}`, 'hi')));
  assert.equal(all.filter(({ status }) => status === 200).length, 5);
  assert.equal(all.filter(({ code }) => code === 'quota_used_up').length, 25);
  assert.equal((await ask('GET', '/v1/conversations')).json.conversations.length, 5);
});

test('a WebSocket hears it as a refusal of the turn', { timeout }, async (t) => {
  const server = await start(t, { maxConversationsPerOwner: 1 });
  await goesWell(server.say('a', 'hi'));
  const socket = await Connection.open(server);
  const session = socket.start('b', { message: 'hi' });
  const notice = await session.until('it is refused', ({ notices }) => notices.find(({ type }) => type === 'refused'));
  assert.equal(notice.error.code, 'quota_used_up');
  assert.deepEqual(session.events, []);
  await socket.close();
});

test('where saves are not waited for the beginning is refused all the same', { timeout }, async (t) => {
  const { ask, say, model } = await start(t, { maxConversationsPerOwner: 1 }, { durability: 'none' });
  await goesWell(say('a', 'hi'));
  await model.forget();
  assert.equal((await say('b', 'hi')).code, 'quota_used_up');
  assert.deepEqual(await model.requests(), []);
  await goesWell(say('a', 'again'));
  assert.equal((await ask('GET', '/v1/conversations/b')).status, 404);
});

test('the command line keeps to the quota of its configuration, and shows it', { timeout }, async (t) => {
  const config = configFile(t, { ...new KeptIn(t).config, limits: { maxConversationsPerOwner: 2, maxBytesPerOwner: 5000 } });
  const cli = (...args) => run(binary('troupe'), ['conversations', ...args, '--config', config], { milliseconds: 60000 });
  const file = path.join(folder(t), 'chats.jsonl');
  const line = (id, text) => JSON.stringify({ ...JSON.parse(fileOf(1, text)), info: { id } });
  writeFileSync(file, [line('a', 'x'), line('big', 'x'.repeat(9000)), line('b', 'y'), line('c', 'z')].join('\n'));
  const imported = await cli('import', file);
  assert.equal(imported.code, 1);
  assert.match(imported.stderr, /conversation 2: 257 bytes of conversations are kept, 5000 may be/);
  assert.match(imported.stderr, /conversation 4: 2 conversations are kept, and 2 may be/);
  assert.match(imported.stderr, /2 of 4 imported/);
  const branch = await cli('branch', 'a');
  assert.equal(branch.code, 1);
  assert.match(branch.stderr, /2 conversations are kept/);
  const usage = await cli('usage');
  assert.match(usage.stdout, /^kept: 2 of 2 conversations, 514 of 5000 bytes$/m);
  assert.equal((await cli('delete', 'a')).code, 0);
  assert.match((await cli('usage')).stdout, /^kept: 1 of 2 conversations, 257 of 5000 bytes$/m);
});

test('without a quota everything is as it was', { timeout }, async (t) => {
  const { ask, say, kept } = await start(t, {});
  for (let i = 0; i < 5; i += 1) await goesWell(say(`c${i}`, 'x'.repeat(10000)));
  const now = await kept();
  assert.deepEqual([now.conversations, now.maxConversations, now.maxBytes], [5, 0, 0]);
  assert.ok(now.bytes > 50000);
  assert.equal((await ask('POST', '/v1/conversations/c0/branch', {})).status, 201);
});
