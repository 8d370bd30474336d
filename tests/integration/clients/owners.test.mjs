// Two owners with real keys on a real server: what is one's is not there for the other.
import assert from 'node:assert/strict';
import test from 'node:test';
import WebSocket from 'ws';
import { KeptIn } from '../support/kept_in.mjs';
import { settles, until } from '../support/patience.mjs';
import { Program, binary } from '../support/program.mjs';
import { demoServer, models, startModel } from '../support/servers.mjs';
import { configFile, endCleanly } from '../support/servers.mjs';
import { SseReader } from '../support/turns.mjs';

const timeout = 120000;
const endless = 'paced-5-100000';
const chat = 'shared-name'; // both owners have one

/** Runs `troupe keys ...` beside the server and returns what it printed. */
async function keys(kept, ...args) {
  const program = new Program(binary('troupe'), ['keys', ...args, ...kept.options]);
  const { code } = await settles('troupe keys', program.exit, 20000);
  assert.equal(code, 0, String(program));
  return program.stdout;
}

/** Makes a key; has `key`, `id`, `owner`. */
const createKey = async (kept, owner, ...args) =>
  JSON.parse(await keys(kept, 'create', '--owner', owner, '--json', ...args));

/** Starts a server that needs keys; no request of ours gets in without one. */
async function start(t, config = {}) {
  const model = await startModel(t);
  const kept = new KeptIn(t);
  const admin = await createKey(kept, 'root', '--admin');
  const alice = await createKey(kept, 'alice');
  const bob = await createKey(kept, 'bob');
  const file = configFile(t, {
    listen: '127.0.0.1:0',
    ...kept.config,
    auth: { keys: true },
    models: models(model.url, [endless, 'text']),
    defaultModel: 'text',
    mcpServers: { demo: demoServer() },
    limits: { drainSeconds: 1 },
    ...config,
  });
  const program = new Program(binary('troupe'), ['serve', '--config', file, '--log-level', 'debug']);
  t.after(() => endCleanly(program));
  const [, url] = await program.prints(/listening on (http:\/\/[\d.]+:\d+)/);
  await until('/readyz answers 200', async () => (await fetch(`${url}/readyz`)).status === 200, 20000);
  return { url, kept, program, admin, alice, bob };
}

/** Sends a request as someone; resolves with {status, text, json, headers}. */
async function as(server, who, method, path, body, headers = {}) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...(who && { authorization: `Bearer ${who.key}` }), ...headers },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return { status: answer.status, text, json: isJson ? JSON.parse(text) : undefined, headers: answer.headers };
}

const say = (server, who, message, more = {}) =>
  as(server, who, 'POST', `/v1/sessions/${chat}/turns`, { message, ...more });

test('nobody gets in without a key', { timeout }, async (t) => {
  const server = await start(t);
  for (const [method, path] of [
    ['GET', '/v1/models'],
    ['GET', '/v1/status'],
    ['GET', '/metrics'],
    ['GET', '/v1/conversations'],
    ['GET', '/v1/mcp/servers'],
    ['POST', '/api/chat'],
    ['POST', '/v1/chat/completions'],
    ['GET', '/nothing'],
  ]) {
    for (const headers of [{}, { authorization: 'Bearer tk_wrong' }, { 'x-api-key': server.alice.key.slice(0, -1) }]) {
      const answer = await as(server, undefined, method, path, method === 'POST' ? {} : undefined, headers);
      assert.equal(answer.status, 401, `${method} ${path}`);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    }
  }
  for (const path of ['/', '/healthz', '/readyz'])
    assert.equal((await as(server, undefined, 'GET', path)).status, 200);
  assert.equal((await as(server, undefined, 'GET', '/v1/models', undefined, { 'x-api-key': server.bob.key })).status, 200);
  for (const path of ['/v1/status', '/metrics']) {
    assert.equal((await as(server, server.bob, 'GET', path)).status, 403);
    assert.equal((await as(server, server.admin, 'GET', path)).status, 200);
  }
  const remove = await as(server, server.bob, 'DELETE', '/v1/mcp/servers/demo');
  assert.equal(remove.status, 403);
  for (const { key } of [server.alice, server.bob, server.admin])
    assert.ok(!server.program.stderr.includes(key.slice(-43)), 'no secret is in the log');
});

test('chats of one name are two chats', { timeout }, async (t) => {
  const server = await start(t);
  const { alice, bob } = server;
  const hers = await say(server, alice, 'hello of alice');
  assert.equal(hers.status, 200, hers.text);
  assert.ok(hers.text.includes(`"sessionId":"${chat}"`));
  assert.ok(!hers.text.includes('alice'), 'events show the id as its client knows it');

  // What bob finds under her name is what he finds under a name that nobody has.
  for (const [method, path, body] of [
    ['GET', '/v1/conversations/ID'],
    ['PATCH', '/v1/conversations/ID', { title: 'x' }],
    ['DELETE', '/v1/conversations/ID'],
    ['POST', '/v1/conversations/ID/branch', {}],
    ['GET', '/v1/conversations/ID/export'],
    ['GET', '/v1/conversations/ID/overrides'],
    ['PUT', '/v1/conversations/ID/overrides', {}],
    ['GET', '/v1/sessions/ID/events'],
    ['GET', '/api/chat/ID/stream'],
    ['GET', '/v1/sessions/ID/attachments'],
    ['DELETE', '/v1/sessions/ID/attachments/a'],
  ]) {
    const foreign = await as(server, bob, method, path.replace('ID', chat), body);
    const unknown = await as(server, bob, method, path.replace('ID', 'of-nobody'), body);
    assert.equal(foreign.status, unknown.status, `${method} ${path}`);
    assert.equal(foreign.text.replaceAll(chat, 'of-nobody'), unknown.text, `${method} ${path}`);
  }
  assert.deepEqual((await as(server, bob, 'GET', '/v1/conversations')).json.conversations, []);
  assert.deepEqual((await as(server, bob, 'GET', '/v1/conversations/search?q=hello')).json.hits, []);
  const usage = (await as(server, bob, 'GET', '/v1/usage')).json;
  assert.deepEqual(usage.usage, []);

  assert.equal((await say(server, bob, 'hello of bob')).status, 200);
  for (const [who, other] of [[alice, 'bob'], [bob, 'alice']]) {
    const list = (await as(server, who, 'GET', '/v1/conversations')).json.conversations;
    assert.deepEqual(list.map(({ id }) => id), [chat]);
    assert.equal(list[0].messageCount, 2);
    const one = await as(server, who, 'GET', `/v1/conversations/${chat}`);
    assert.ok(one.text.includes('hello of') && !one.text.includes(other), one.text);
    const hits = (await as(server, who, 'GET', '/v1/conversations/search?q=hello')).json.hits;
    assert.equal(hits.length, 1);
  }
  assert.equal((await as(server, bob, 'DELETE', `/v1/conversations/${chat}`)).status, 200);
  assert.equal((await as(server, alice, 'GET', `/v1/conversations/${chat}`)).status, 200);
});

/** Begins a long resumable turn; resolves when its first text is there. */
async function begin(server, who) {
  const answer = await fetch(`${server.url}/v1/sessions/${chat}/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.key}` },
    body: JSON.stringify({ message: 'go on', model: endless, resumable: true }),
  });
  assert.equal(answer.status, 200);
  const events = [];
  const reader = new SseReader(({ data }) => events.push(JSON.parse(data)));
  const over = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of answer.body) reader.read(decoder.decode(piece, { stream: true }));
    return events;
  })();
  over.catch(() => {});
  await until('a text', () => events.some(({ type }) => type === 'TEXT'));
  return { events, over };
}

test('a running turn is its owner\'s, over HTTP and WebSocket', { timeout }, async (t) => {
  const server = await start(t);
  const { alice, bob } = server;
  const turn = await begin(server, alice);
  assert.equal((await as(server, bob, 'GET', `/v1/sessions/${chat}/events`)).status, 204);
  assert.equal((await as(server, bob, 'GET', `/api/chat/${chat}/stream`)).status, 204);
  const turnId = turn.events[0].turnId;
  assert.equal((await as(server, bob, 'GET', `/v1/sessions/${chat}/events?turn=${turnId}&after=1`)).status, 204);
  await as(server, bob, 'POST', `/v1/sessions/${chat}/abort`);
  await as(server, bob, 'POST', `/api/chat/${chat}/stop`);

  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`, ['troupe.v1', `troupe.key.${bob.key}`]);
  t.after(() => socket.terminate());
  const told = [];
  socket.on('message', (text) => told.push(JSON.parse(text)));
  await settles('the handshake', new Promise((open, fail) => socket.on('open', open).on('error', fail)));
  assert.equal(socket.protocol, 'troupe.v1');
  socket.send(JSON.stringify({ type: 'resume', session: chat }));
  await until('idle', () => told.some(({ type }) => type === 'idle'));
  socket.send(JSON.stringify({ type: 'abort', session: chat, turn: turnId }));
  socket.send(JSON.stringify({ type: 'start', session: chat, message: 'hello of bob' }));
  await until('the end of his own turn', () => told.some(({ events }) => events?.at(-1).type === 'SESSION_END'));
  assert.ok(told.every(({ session }) => session === chat));

  const seen = turn.events.length;
  await until('nobody stopped it', () => turn.events.length > seen);
  await as(server, alice, 'POST', `/v1/sessions/${chat}/abort`);
  const events = await settles('her turn', turn.over);
  assert.equal(events.at(-2).type, 'ABORT');
  assert.equal(events.filter(({ type }) => type === 'ABORT').length, 1);
  const again = await as(server, alice, 'GET', `/v1/sessions/${chat}/events?after=0`);
  assert.equal(again.status, 200, 'she can have it again');
});

test('keys are made and revoked while the server runs', { timeout }, async (t) => {
  const server = await start(t);
  const status = async (who) => (await as(server, who, 'GET', '/v1/models')).status;
  const carol = await createKey(server.kept, 'carol', '--name', 'laptop');
  const begun = performance.now();
  await until('the new key is good', async () => (await status(carol)) === 200);
  t.diagnostic(`good after ${Math.round(performance.now() - begun)} ms`);
  const list = JSON.parse(await keys(server.kept, 'list', '--json')).keys;
  assert.deepEqual(list.map(({ owner }) => owner).sort(), ['alice', 'bob', 'carol', 'root']);
  assert.ok(list.every((each) => !('hash' in each)));
  assert.ok(!JSON.stringify(list).includes(carol.key.slice(-43)));
  await keys(server.kept, 'revoke', carol.id);
  const revoked = performance.now();
  await until('it is not any more', async () => (await status(carol)) === 401);
  t.diagnostic(`revoked after ${Math.round(performance.now() - revoked)} ms`);
  assert.equal(await status(server.alice), 200);
});

test('a rate and a number of turns hold for the key they belong to', { timeout }, async (t) => {
  const server = await start(t);
  const carol = await createKey(server.kept, 'carol', '--rate', '60');
  const dave = await createKey(server.kept, 'dave', '--turns', '1');
  const status = async (who) => (await as(server, who, 'GET', '/v1/models')).status;
  await until('the new keys are good', async () => (await status(dave)) === 200);
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 12 }, () => as(server, carol, 'GET', '/v1/models')));
  const late = answers.filter((answer) => answer.status === 429);
  const refilled = Math.ceil((performance.now() - begun) / 1000); // one each second
  assert.ok(late.length >= Math.max(1, 6 - refilled) && late.length <= 6, `${late.length} of 12 came too early`);
  assert.ok(Number(late[0].headers.get('retry-after')) >= 1);
  assert.equal(late[0].json.error.code, 'rate_limited');
  assert.equal(await status(server.bob), 200);

  const turn = await begin(server, dave);
  const second = await as(server, dave, 'POST', '/v1/sessions/other/turns', { message: 'x' });
  assert.equal(second.status, 429, second.text);
  assert.equal(second.json.error.code, 'too_many_turns');
  assert.equal((await say(server, server.bob, 'x')).status, 200);
  await as(server, dave, 'POST', `/v1/sessions/${chat}/abort`);
  await settles('his first turn', turn.over);
  assert.equal((await as(server, dave, 'POST', '/v1/sessions/other/turns', { message: 'x' })).status, 200);
});

test('pages of other origins are refused unless they are allowed', { timeout }, async (t) => {
  const server = await start(t, { cors: { origins: ['https://app.example'] } });
  const post = (origin, method = 'POST', headers = {}) =>
    as(server, server.alice, method, `/v1/sessions/${chat}/turns`,
      method === 'POST' ? { message: 'x' } : undefined, { origin, ...headers });
  const evil = await post('https://evil.example');
  assert.equal(evil.status, 403);
  assert.equal(evil.json.error.code, 'origin_refused');
  assert.equal(evil.headers.get('access-control-allow-origin'), null);
  assert.equal((await post(server.url)).status, 200);
  const allowed = await post('https://app.example');
  assert.equal(allowed.status, 200);
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example');
  const asked = await post('https://app.example', 'OPTIONS', {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  });
  assert.equal(asked.status, 204);
  assert.match(asked.headers.get('access-control-allow-headers'), /authorization/);
});
