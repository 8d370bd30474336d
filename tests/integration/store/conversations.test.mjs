// Conversations that are kept: over HTTP as pages use them, on the command line, across restarts.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { validateUIMessages } from 'ai';
import { KeptIn } from '../support/kept_in.mjs';
import { within } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { connected, demoServer, endCleanly, folder, models, startModel, startTroupe } from '../support/servers.mjs';
import { Turn } from '../support/turns.mjs';

const timeout = within(120000);
const names = ['text', 'echo', 'call', 'paced-50-100000', 'error-400'];

/** Starts a server on chats of its own, or on those that `config` names. */
async function start(t, config = {}) {
  const model = await startModel(t);
  const kept = new KeptIn(t);
  const troupe = await startTroupe(t, {
    ...kept.config, models: models(model.url, names), defaultModel: 'text', ...config,
  });
  const at = (rest) => `${troupe.url}/v1${rest}`;
  const ask = async (method, rest, body, headers = {}) => {
    const answer = await fetch(at(rest), {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: text ? JSON.parse(text) : undefined };
  };
  const chat = async (session, body) => {
    const turn = new Turn(troupe.url, body, { session });
    await turn.ended;
    return turn;
  };
  return { ...troupe, kept, ask, chat };
}

const textsOf = (conversation) =>
  conversation.messages.map(({ role, parts }) => [role, ...parts.filter(({ type }) => type === 'text').map(({ text }) => text)]);

test('a chat is listed, read, renamed, found and deleted', { timeout }, async (t) => {
  const { ask, chat } = await start(t);
  await chat('one', { message: 'the weather in Oslo', model: 'echo' });
  await chat('two', { message: 'a poem about rain', model: 'echo' });
  const { json: list } = await ask('GET', '/conversations');
  assert.deepEqual(list.conversations.map(({ id, title }) => [id, title]), [
    ['two', 'a poem about rain'], ['one', 'the weather in Oslo'],
  ]);
  assert.equal(list.next, null);
  const first = await ask('GET', '/conversations?limit=1');
  const second = await ask('GET', `/conversations?limit=1&cursor=${encodeURIComponent(first.json.next)}`);
  assert.deepEqual([first, second].map(({ json }) => json.conversations[0].id), ['two', 'one']);

  const one = await ask('GET', '/conversations/one');
  const tag = one.headers.get('etag');
  assert.match(tag, /^"v\d+"$/);
  assert.equal(one.json.messages.length, 2);
  assert.equal(one.json.lastTurn.state, 'ended');
  assert.equal(one.json.lastTurn.messageId, one.json.messages[1].id);
  const seen = await ask('GET', '/conversations/one', undefined, { 'if-none-match': tag });
  assert.deepEqual([seen.status, seen.headers.get('content-length')], [304, null]);

  const renamed = await ask('PATCH', '/conversations/one', { title: 'Oslo' }, { 'if-match': tag });
  assert.equal(renamed.status, 200);
  assert.equal(renamed.json.title, 'Oslo');
  const late = await ask('PATCH', '/conversations/one', { title: 'Bergen' }, { 'if-match': tag });
  assert.equal(late.status, 412);
  assert.equal(late.json.error.code, 'conversation_changed');

  const { json: found } = await ask('GET', '/conversations/search?q=weath*%20oslo');
  assert.ok(found.hits.length > 0);
  for (const hit of found.hits) {
    assert.equal(hit.conversationId, 'one');
    assert.equal(hit.title, 'Oslo');
    const matched = hit.snippet.filter(({ match }) => match).map(({ text }) => text.toLowerCase());
    assert.deepEqual([...new Set(matched)].sort(), ['oslo', 'weather']);
  }
  assert.equal((await ask('DELETE', '/conversations/one')).status, 200);
  assert.equal((await ask('GET', '/conversations/one')).status, 404);
  assert.deepEqual((await ask('GET', '/conversations/search?q=oslo')).json.hits, []);
});

test('texts without spaces are found in parts, and marked', { timeout }, async (t) => {
  const { ask, chat } = await start(t);
  await chat('one', { message: '请检查数据库迁移脚本', model: 'text' });
  await chat('two', { message: 'ｶﾞｲﾄﾞの料金表', model: 'text' });
  const find = async (q) => (await ask('GET', `/conversations/search?q=${encodeURIComponent(q)}`)).json.hits;
  for (const [q, id, marked] of [
    ['迁移', 'one', '迁移'], ['数据库迁移', 'one', '数据库迁移'], ['查', 'one', '查'],
    ['ガイド', 'two', 'ｶﾞｲﾄﾞ'], ['料金', 'two', '料金'],
  ]) {
    const hits = await find(q);
    assert.deepEqual(hits.map(({ conversationId }) => conversationId), [id], q);
    assert.deepEqual(hits[0].snippet.filter(({ match }) => match).map(({ text }) => text), [marked]);
  }
  assert.deepEqual(await find('移迁'), []);
});

test('a long chat is imported, branched and deleted while others chat', { timeout }, async (t) => {
  const { ask, chat } = await start(t);
  const file = JSON.stringify({
    format: 'troupe.conversation', version: 1,
    messages: Array.from({ length: 50000 }, (_, i) => ({ message: { role: 'user', text: `word${i}` } })),
  });
  const beside = async (change) => {
    const turns = chat('beside', { message: 'hi', model: 'text' });
    const answer = await change;
    await turns;
    return answer;
  };
  const made = await beside(ask('POST', '/conversations/import?id=long', file));
  assert.equal(made.status, 201);
  assert.equal(made.json.messageCount, 50000);
  assert.equal((await beside(ask('POST', '/conversations/import?id=long', file))).status, 409);
  const copied = await beside(ask('POST', '/conversations/long/branch', { id: 'copy' }));
  assert.equal(copied.json.messageCount, 50000);
  assert.equal((await beside(ask('DELETE', '/conversations/long'))).status, 200);
  assert.equal((await ask('GET', '/conversations/long')).status, 404);
  assert.equal((await ask('GET', '/conversations/copy/export')).json.messages.length, 50000);
  const { json } = await ask('GET', '/conversations');
  assert.deepEqual(json.conversations.map(({ id }) => id).sort(), ['beside', 'copy']);
});

test('a page gets messages that the AI SDK takes, tools and all', { timeout }, async (t) => {
  const troupe = await start(t, { mcpServers: { demo: demoServer() } });
  await connected(troupe, 'demo');
  await troupe.chat('c', { message: 'add', model: 'call' });
  const { json } = await troupe.ask('GET', '/conversations/c');
  await validateUIMessages({ messages: json.messages });
  const [user, answer] = json.messages;
  assert.equal(user.role, 'user');
  assert.ok(answer.metadata.createdAt > 1.6e12);
  const tool = answer.parts.find(({ type }) => type === 'dynamic-tool');
  assert.equal(tool.state, 'output-available');
  assert.equal(tool.output.content[0].type, 'text');
  assert.equal(typeof tool.input, 'object');
  assert.equal(answer.parts.at(-1).type, 'text');
});

test('a deleted chat is answered no further and begins anew', { timeout }, async (t) => {
  const { ask, chat, url } = await start(t);
  await chat('c', { message: 'before', model: 'echo' });
  const turn = new Turn(url, { message: 'slow', model: 'paced-50-100000' }, { session: 'c' });
  await turn.started;
  assert.equal((await ask('DELETE', '/conversations/c')).status, 200);
  await turn.ended;
  assert.deepEqual(turn.types().slice(-2), ['ABORT', 'SESSION_END']);
  assert.equal((await ask('GET', '/conversations/c')).status, 404);
  await chat('c', { message: 'after', model: 'echo' });
  const { json } = await ask('GET', '/conversations/c');
  assert.deepEqual(textsOf(json).map(([role, text]) => [role, text.includes('before')]), [['user', false], ['assistant', false]]);
});

test('many chats are deleted at once, those that were meant only', { timeout }, async (t) => {
  const { ask, chat, url } = await start(t);
  for (const id of ['bench-1', 'bench-2', 'my-bench-1', 'other']) await chat(id, { message: 'hi' });
  const ids = async () => (await ask('GET', '/conversations')).json.conversations.map(({ id }) => id).sort();
  for (const [query, reason] of [
    ['', /id=bench-\*/], ['?id=', /id has no value/], ['?all=yes', /all must be/], ['?all=true&id=a', /stands alone/],
    ['?before=yesterday', /2026-11-21/], ['?all=true&befor=2020-01-01', /'befor' is not known here/], ['?all=true&dryRun', /dryRun has no value/],
    ['?all=true&dryrun=true', /'dryrun'/], ['?id=50%-*&before=2099-12-31', /percent-encoded/], ['?id=bench-*&before=', /before has no value/],
    ['?before=2020-01-01&before=2099-12-31', /stands twice/],
  ]) {
    const refused = await ask('DELETE', `/conversations${query}`);
    assert.equal(refused.status, 400, query);
    assert.match(refused.json.error.message, reason);
  }
  const counted = await ask('DELETE', '/conversations?id=bench-*&dryRun=true');
  assert.deepEqual(counted.json, { matched: 2, deleted: 0 });
  for (const day of ['2020-01-01', '1970-01-01'])
    assert.deepEqual((await ask('DELETE', `/conversations?before=${day}`)).json, { matched: 0, deleted: 0 });
  assert.deepEqual((await ask('DELETE', '/conversations?id=bench-*')).json, { matched: 2, deleted: 2 });
  await chat('bench-3', { message: 'hi' });
  assert.deepEqual((await ask('DELETE', '/conversations?id=bench-*&before=2099-12-31')).json, { matched: 1, deleted: 1 });
  assert.deepEqual(await ids(), ['my-bench-1', 'other']);

  const remove = (...args) => run(binary('troupe'), ['conversations', 'delete', ...args, '--server', url]);
  const asked = await remove('*bench*');
  assert.equal(asked.code, 1, 'without a terminal nobody can agree');
  assert.match(asked.stderr, /1 conversation would be deleted; say --yes/);
  for (const args of [[], ['--all', 'other'], ['--before', 'yesterday']]) assert.equal((await remove(...args)).code, 2, args.join(' '));
  assert.deepEqual(await ids(), ['my-bench-1', 'other']);
  assert.equal((await remove('*bench*', '--yes')).code, 0);
  assert.deepEqual(await ids(), ['other']);
  assert.match((await remove('--all', '--yes')).stderr, /1 of 1 deleted/);
  assert.deepEqual(await ids(), []);
});

test('an ephemeral turn keeps nothing, and touches nothing that is kept', { timeout }, async (t) => {
  const { ask, chat, url } = await start(t);
  await chat('kept', { message: 'hi' });
  await chat('gone', { message: 'hi', ephemeral: true });
  const again = await chat('gone', {
    replaceHistory: true, ephemeral: true, messages: [{ role: 'user', content: 'and again' }],
  });
  assert.equal(again.events.at(-1).type ?? again.events.at(-1).event, 'SESSION_END');
  const posted = await fetch(`${url}/api/chat`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'page', message: 'hi', ephemeral: true }),
  });
  assert.match(await posted.text(), /"type":"finish"/);
  assert.deepEqual((await ask('GET', '/conversations')).json.conversations.map(({ id }) => id), ['kept']);
  const refused = await ask('POST', '/sessions/kept/turns', { message: 'hi', ephemeral: true });
  assert.equal(refused.status, 409);
  assert.equal((await ask('GET', '/conversations/kept')).json.messages.length, 2);
  assert.equal((await ask('POST', '/sessions/kept/tool-results', { results: [], ephemeral: true })).status, 400);
});

test('a turn that was stopped is in the usage', { timeout }, async (t) => {
  const { ask, url } = await start(t);
  const turn = new Turn(url, { message: 'go', model: 'paced-50-100000' }, { session: 'stopped' });
  await turn.sees('TEXT');
  await ask('POST', '/sessions/stopped/abort');
  await turn.ended;
  const [row] = (await ask('GET', '/usage')).json.usage;
  assert.equal(row.requests, 1);
  assert.ok(row.usage.outputTokens > 0 && row.usage.inputTokens > 0, JSON.stringify(row));
});

test('overrides choose the model of the next turn', { timeout }, async (t) => {
  const { ask, chat } = await start(t);
  await chat('c', { message: 'hello' });
  const put = await ask('PUT', '/conversations/c/overrides', { model: 'echo' });
  assert.equal(put.status, 200, put.text);
  assert.deepEqual(put.json, { model: 'echo', mcpServers: null });
  assert.deepEqual((await ask('GET', '/conversations/c/overrides')).json, put.json);
  await chat('c', { message: 'parrot' });
  const { json } = await ask('GET', '/conversations/c');
  assert.match(textsOf(json).at(-1)[1], /parrot/);
  assert.equal(json.lastTurn.model, 'echo');
  assert.equal((await ask('PUT', '/conversations/c/overrides', { model: 'none' })).json.error.code, 'model_unknown');
});

test('a branch goes on by itself', { timeout }, async (t) => {
  const { ask, chat } = await start(t);
  await chat('c', { message: 'first', model: 'echo' });
  await chat('c', { message: 'second', model: 'echo' });
  const { json: whole } = await ask('GET', '/conversations/c');
  const made = await ask('POST', '/conversations/c/branch', { messageId: whole.messages[1].id, title: 'Fork' });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.headers.get('location'), `/v1/conversations/${made.json.id}`);
  await chat(made.json.id, { message: 'other', model: 'echo' });
  const { json: fork } = await ask('GET', `/conversations/${made.json.id}`);
  assert.equal(fork.title, 'Fork');
  assert.deepEqual(textsOf(fork).map(([role]) => role), ['user', 'assistant', 'user', 'assistant']);
  assert.deepEqual(textsOf(fork)[2], ['user', 'other']);
  assert.deepEqual((await ask('GET', '/conversations/c')).json.messages, whole.messages, 'the old one is as it was');
});

test('a failed turn says so until the next one', { timeout }, async (t) => {
  const { ask, chat } = await start(t);
  await chat('c', { message: 'hello', model: 'error-400' });
  const { json } = await ask('GET', '/conversations/c');
  assert.equal(json.lastTurn.state, 'failed');
  assert.equal(json.lastTurn.error.code, 'model_request_invalid');
  await chat('c', { message: 'again', model: 'echo' });
  assert.equal((await ask('GET', '/conversations/c')).json.lastTurn.state, 'ended');
});

test('exports come back byte for byte, over HTTP and on the command line', { timeout }, async (t) => {
  const server = await start(t, { mcpServers: { demo: demoServer() } });
  await connected(server, 'demo');
  for (const [session, body] of [
    ['plain', { message: 'hello', model: 'echo' }],
    ['tools', { message: 'add', model: 'call' }],
    ['odd/id \u00e4', { message: 'line\n"two"\u0000', model: 'echo' }],
  ]) await server.chat(session, body);
  const exported = await server.ask('GET', '/conversations/tools/export');
  assert.equal(exported.json.format, 'troupe.conversation');
  const again = await server.ask('POST', '/conversations/import', exported.text);
  assert.equal(again.status, 409);
  const copy = await server.ask('POST', '/conversations/import?id=copy', exported.text);
  assert.equal(copy.status, 201, copy.text);
  const { json: back } = await server.ask('GET', '/conversations/copy/export');
  assert.deepEqual({ ...back, info: 0 }, { ...exported.json, info: 0 });

  const cli = (...args) => run(binary('troupe'), ['conversations', ...args], { milliseconds: 60000 });
  const file = path.join(folder(t), 'all.jsonl');
  const all = await cli('export', '--all', '-o', file, '--server', server.url);
  assert.equal(all.code, 0, all.stderr);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  assert.equal(lines.length, 4);
  const inUse = await cli('list', ...server.kept.options);
  assert.equal(inUse.code, 1);
  assert.match(inUse.stderr, /--server/);
  server.judged = true;
  await endCleanly(server.program);

  const other = new KeptIn(t).options;
  const imported = await cli('import', file, ...other);
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stderr, /4 of 4 imported/);
  const twice = await cli('import', file, ...other);
  assert.equal(twice.code, 1);
  assert.match(twice.stderr, /0 of 4 imported/);
  const kept = (await cli('export', '--all', ...other)).stdout.trim().split('\n');
  const contents = (list) => list.map((line) => JSON.parse(line)).map(({ info, ...rest }) => [info.id, info.title, info.createdAt, rest]).sort();
  assert.deepEqual(contents(kept), contents(lines));
});

test('the command line does on a folder what it does on a server', { timeout }, async (t) => {
  const server = await start(t);
  await server.chat('c', { message: 'the weather in Oslo', model: 'echo' });
  const cli = (where) => async (...args) => {
    const answer = await run(binary('troupe'), ['conversations', ...args, ...where], { milliseconds: 60000 });
    return { ...answer, json: args.includes('--json') ? JSON.parse(answer.stdout) : undefined };
  };
  const walk = async (ask) => {
    const seen = [];
    const list = await ask('list', '--json');
    seen.push(list.json.conversations.map(({ id, title, messageCount }) => [id, title, messageCount]));
    seen.push((await ask('list')).stdout.replace(/\d\d\d\d-.*/, 'TIME'));
    seen.push((await ask('search', 'weather', '--json')).json.hits.length > 0);
    seen.push((await ask('show', 'c')).stdout.includes('the weather in Oslo'));
    seen.push((await ask('show', 'c', '--json')).json.messages.length);
    seen.push((await ask('overrides', 'c', '--mcp-servers', 'a,b', '--json')).json);
    seen.push((await ask('overrides', 'c')).stdout);
    seen.push((await ask('overrides', 'c', '--all-mcp-servers', '--json')).json);
    seen.push((await ask('branch', 'c', '--id', 'fork', '--title', 'Fork')).stdout);
    seen.push((await ask('rename', 'fork', 'Spoon', '--json')).json.title);
    seen.push((await ask('usage', '--json')).json.total.turns);
    seen.push((await ask('delete', 'fork')).code);
    const gone = await ask('show', 'fork');
    seen.push([gone.code, gone.stdout, gone.stderr]);
    const wrong = await ask('usage', '--from', 'today');
    seen.push(wrong.code);
    return seen;
  };
  const served = await walk(cli(['--server', server.url]));
  assert.deepEqual(served[0], [['c', 'the weather in Oslo', 2]]);
  assert.match(served[1], /^ID +TITLE +MESSAGES +CHANGED\nc +the weather in Oslo +2 +TIME\n$/);
  assert.equal(served[8], 'fork\n');
  assert.equal(served.at(-3), 0);
  assert.deepEqual(served.at(-2), [1, '', 'troupe: There is no such conversation.\n']);
  assert.equal(served.at(-1), 2);
  server.judged = true;
  await endCleanly(server.program);
  assert.deepEqual(await walk(cli(server.kept.options)), served);
});

test('what a person could type wrong is said', { timeout }, async (t) => {
  const data = folder(t);
  const cli = (...args) => run(binary('troupe'), ['conversations', ...args], { milliseconds: 60000 });
  const empty = await cli('list', '--data', data);
  assert.deepEqual([empty.code, empty.stdout, empty.stderr], [0, '', 'No conversation is kept.\n']);
  const file = path.join(data, 'broken.json');
  writeFileSync(file, '{"format":"troupe.conversation","version":1,"messages":[{"message":{"role":"x"}}]}');
  for (const [args, code, text] of [
    [['export', '--data', data], 2, /--all/],
    [['import', path.join(data, 'none'), '--data', data], 2, /No such file/],
    [['import', file, '--data', data], 2, /messages\[0\]\.message\.role/],
    [['delete', 'a', 'b', '--data', data], 1, /a: There is no such conversation[^]*b: There/],
    [['show', '--data', data], 2, /ID/],
    [['list', '--data', data, '--server', 'http://127.0.0.1:1'], 2, /excludes/],
    [['list', '--server', 'http://127.0.0.1:1'], 1, /troupe: ./],
  ]) {
    const answer = await cli(...args);
    assert.equal(answer.code, code, `${args.join(' ')}: ${answer.stderr}`);
    assert.match(answer.stderr, text);
  }
});

test('a server without a data folder says how to get one', { timeout }, async (t) => {
  const { ask } = await start(t, { data: '', store: undefined });
  const { status, json } = await ask('GET', '/conversations');
  assert.equal(status, 501);
  assert.equal(json.error.code, 'capability_missing');
  assert.match(json.error.message, /--data/);
});

test('an export of all has what moves to the front between two pages', { timeout }, async (t) => {
  const order = ['a', 'b', 'c', 'd'];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const id = pathname.match(/^\/v1\/conversations\/(.+)\/export$/)?.[1];
    if (id) return response.end(JSON.stringify({ id }));
    const from = Number(searchParams.get('cursor') ?? 0);
    const page = order.slice(from, from + 2).map((each) => ({ id: each }));
    const next = from + 2 < order.length ? String(from + 2) : null;
    response.end(JSON.stringify({ conversations: page, next }));
    if (from === 0 && order[0] === 'a') order.unshift(order.pop()); // d is used
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { code, stdout, stderr } = await run(binary('troupe'), [
    'conversations', 'export', '--all', '--server', `http://127.0.0.1:${server.address().port}`,
  ]);
  assert.equal(code, 0, stderr);
  const ids = stdout.trim().split('\n').map((line) => JSON.parse(line).id);
  assert.deepEqual(ids.toSorted(), ['a', 'b', 'c', 'd'], 'each once');
});
