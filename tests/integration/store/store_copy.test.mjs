// `troupe store copy`: a whole store from a folder into PostgreSQL and back; copies that are broken
// off by kill -9; what is refused.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { settles, until } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Program, binary, run } from '../support/program.mjs';
import { configFile, folder, models, startModel } from '../support/servers.mjs';
import { StoreServer } from '../support/store_server.mjs';
import { Turn, takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const copy = (...args) => run(binary('troupe'), ['store', 'copy', ...args], { milliseconds: 60000 });

async function database() {
  const postgres = await Postgres.shared();
  return postgres.urlOf(postgres.database());
}

/** Makes a key for an owner of a folder. */
async function keyOf(owner, data) {
  const made = await run(binary('troupe'), ['keys', 'create', '--owner', owner, '--json', '--data', data]);
  assert.equal(made.code, 0, made.stderr);
  return JSON.parse(made.stdout).key;
}

/** All that a server shows to an owner, with the bytes of files. */
async function shown(server, headers = {}) {
  const { conversations } = await server.json('/v1/conversations?limit=1000', { headers });
  const exports = [];
  for (const { id } of conversations) {
    exports.push(await server.json(`/v1/conversations/${encodeURIComponent(id)}/export`, { headers }));
  }
  const { data: files } = await server.json('/v1/files', { headers });
  for (const file of files) {
    const bytes = await (await server.get(`/v1/files/${file.id}/content`, { headers })).arrayBuffer();
    file.digest = createHash('sha256').update(Buffer.from(bytes)).digest('hex');
  }
  return { conversations, exports, files, usage: await server.json('/v1/usage', { headers }) };
}

test('a store moves into PostgreSQL and back with all it has', { timeout }, async (t) => {
  const model = await startModel(t);
  const data = folder(t);
  const keys = [await keyOf('alice', data), await keyOf('bob', data)];
  const config = {
    models: models(model.url, ['text', 'echo', 'paced-20-100'], { images: true }), defaultModel: 'text', auth: { keys: true },
  };
  const as = keys.map((key) => ({ authorization: `Bearer ${key}` }));
  const everything = async (server) => Promise.all(as.map((headers) => shown(server, headers)));
  const begin = async (kept) => {
    const server = new StoreServer(t, { ...config, ...kept });
    return server.ready();
  };
  const first = await begin({ data });
  const say = (headers, session, body) => takeTurn(first.url, body, { session, headers });
  await say(as[0], 'plain', { message: 'the weather in Oslo' });
  await say(as[0], 'odd/id \u00e4', { message: 'line\n"two"\u0000', model: 'echo' });
  await say(as[1], 'plain', { message: 'another one' });
  await say(as[0], 'plain', { message: 'and Bergen' });
  await first.json('/v1/conversations/plain', { method: 'PATCH', body: { title: 'Named' }, headers: as[1] });
  await first.json('/v1/conversations/plain/overrides', { method: 'PUT', body: { model: 'echo' }, headers: as[1] });
  await first.json('/v1/conversations/plain/branch', { method: 'POST', status: 201, body: { id: 'branched' }, headers: as[0] });
  const photo = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(700000, 7)]);
  const file = await (await first.get('/v1/files', { method: 'POST', headers: { ...as[0], 'content-type': 'image/png' }, body: photo })).json();
  const parts = [{ type: 'text', text: 'look' }, { type: 'file', mediaType: 'image/png', url: file.url }];
  const looked = await first.get('/api/chat', {
    method: 'POST', headers: { ...as[0], 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'branched', message: { id: 'look', role: 'user', parts } }),
  });
  assert.match(await looked.text(), /"type":"finish"/);
  const cut = new Turn(first.url, { message: 'go', model: 'paced-20-100', resumable: true }, { session: 'cut', headers: as[0] });
  await cut.sees('TEXT');
  await first.kill();

  const url = await database();
  const there = await copy('--from', data, '--to', url);
  assert.equal(there.code, 0, there.stderr);
  assert.match(there.stdout, /^copied 5 conversations of 2 owners; 0 were there\ncopied 3 rows of usage, 2 keys, 0 settings, 1 uploaded files\n$/);
  const moved = await begin({ store: url });
  const onDatabase = await everything(moved);
  assert.equal(onDatabase[0].exports.find(({ info }) => info.id === 'cut').turns.at(-1).state, 'interrupted');
  const resumed = await new Turn(moved.url, { resume: true }, { session: 'cut', headers: as[0] }).ends();
  assert.equal(resumed.status, 200, resumed.errorText);
  assert.equal(resumed.events[0].messageId, cut.events[0].messageId, 'the same message goes on');
  const after = await everything(moved);
  assert.deepEqual(after[0].files.map(({ id, bytes, expires_at: end }) => [id, bytes, end]), [[file.id, photo.length, null]]);
  await moved.stop();

  const back = folder(t);
  const returned = await copy('--from', url, '--to', back, '--json');
  assert.equal(returned.code, 0, returned.stderr);
  const { copied, owners, keys: keysCopied } = JSON.parse(returned.stdout);
  assert.deepEqual([copied, owners, keysCopied], [5, 2, 2]);
  const last = await begin({ data: back });
  assert.deepEqual(await everything(last), after);
  await last.stop();

  // The first folder says of itself what the database said of the copy, but for when it noticed
  // that the turn was cut off.
  const old = await everything(await begin({ data }));
  const still = (all) => all.map(({ exports, usage, files }) => [usage, files, exports.filter(({ info }) => info.id !== 'cut')]);
  assert.deepEqual(still(old), still(onDatabase));
  assert.deepEqual(old.map(({ conversations }) => conversations.map(({ id }) => id)),
    onDatabase.map(({ conversations }) => conversations.map(({ id }) => id)));
});

/** Fills a folder with so many chats, some of them long. */
async function fill(t, count) {
  const data = folder(t);
  const chat = (i) => JSON.stringify({
    format: 'troupe.conversation', version: 1, info: { id: `c${i}`, title: `chat ${i}` },
    messages: Array.from({ length: i % 50 === 0 ? 1500 : 4 }, (_, n) => ({
      message: { role: n % 2 === 0 ? 'user' : 'assistant', text: `word${i} and ${n}`, id: `m${n}` },
    })),
  });
  const file = path.join(folder(t), 'all.jsonl');
  writeFileSync(file, Array.from({ length: count }, (_, i) => chat(i)).join('\n'));
  const made = await run(binary('troupe'), ['conversations', 'import', file, '--data', data], { milliseconds: 60000 });
  assert.equal(made.code, 0, made.stderr);
  return data;
}

const exported = async (...where) => {
  const all = await run(binary('troupe'), ['conversations', 'export', '--all', ...where], { milliseconds: 60000 });
  assert.equal(all.code, 0, all.stderr);
  return all.stdout;
};

for (const back of [false, true]) {
  test(`a copy ${back ? 'out of' : 'into'} PostgreSQL that is killed goes on, and doubles nothing`, { timeout }, async (t) => {
    const data = await fill(t, 400);
    const url = await database();
    const whole = await exported('--data', data);
    if (back) assert.equal((await copy('--from', data, '--to', url)).code, 0);
    const target = back ? folder(t) : url;
    const ways = ['--from', back ? url : data, '--to', target];
    const options = back ? ['--data', target] : ['--config', configFile(t, { store: url })];
    let cut = 0;
    for (const milliseconds of [60, 120, 200, 300]) {
      const program = new Program(binary('troupe'), ['store', 'copy', ...ways]);
      await pause(milliseconds);
      program.signal('SIGKILL');
      const { signal } = await settles('it is gone', program.exit);
      cut += signal ? 1 : 0;
    }
    t.diagnostic(`${cut} copies were cut off`);
    const begun = await run(binary('troupe'), ['conversations', 'list', ...options]);
    if (begun.code !== 0) assert.match(begun.stderr, /has a copy of .* that is not whole/);
    const done = await copy(...ways, '--json');
    if (done.code === 2) assert.match(done.stderr, /not empty/); // the last one had done it all
    else assert.deepEqual([done.code, JSON.parse(done.stdout).copied + JSON.parse(done.stdout).there], [0, 400], done.stderr);
    assert.ok(cut > 0, 'at least one was cut off');
    assert.equal(await exported(...options), whole);
  });
}

test('what cannot be copied is said, and stays as it is', { timeout }, async (t) => {
  const data = await fill(t, 3);
  const url = await database();
  const refused = async (args, code, pattern) => {
    const done = await copy(...args);
    assert.equal(done.code, code, `${args.join(' ')}: ${done.stderr}`);
    assert.match(done.stderr, pattern);
    assert.equal(done.stdout, '');
  };
  await refused(['--from', data, '--to', folder(t)], 2, /both are folders/);
  await refused(['--from', folder(t), '--to', url], 2, /there is no store in/);
  await refused(['--from', await database(), '--to', folder(t)], 2, /there is no store in/);
  await refused(['--from', data], 2, /--to/);
  await refused(['--from', data, '--to', url.replace(/test_\d+/, 'none')], 1, /"none" does not exist/);
  assert.equal((await copy('--from', data, '--to', url)).code, 0);
  await refused(['--from', data, '--to', url], 2, /not empty.*--add/);
  const added = await copy('--from', data, '--to', url, '--add');
  assert.match(added.stdout, /^copied 0 conversations of 1 owners; 3 were there/);
  assert.equal(added.code, 0, added.stderr);

  const model = await startModel(t);
  const served = new StoreServer(t, { data, models: models(model.url, ['text']), defaultModel: 'text' });
  await served.ready();
  await refused(['--from', data, '--to', await database()], 1, /in use|uses/);
  await served.stop();
  const other = new StoreServer(t, { store: url, models: models(model.url, ['text']), defaultModel: 'text' });
  await other.ready();
  await refused(['--from', data, '--to', url, '--add'], 1, /another server uses the database/);
  await takeTurn(other.url, { message: 'more' }, { session: 'c1' });
  await until('it is saved', async () => (await other.export('c1')).turns.at(-1)?.state === 'ended');
  await other.stop();
  const conflict = await copy('--from', data, '--to', url, '--add');
  assert.equal(conflict.code, 1);
  assert.match(conflict.stderr, /c1: it is there already, and is another one: it stays/);
  assert.match(conflict.stdout, /2 were there/);
});

test('a copy that is not whole is not served, until somebody says so', { timeout }, async (t) => {
  const data = await fill(t, 3);
  const postgres = await Postgres.shared();
  const name = postgres.database();
  const url = postgres.urlOf(name);
  assert.equal((await copy('--from', data, '--to', url)).code, 0);
  postgres.sql(`INSERT INTO troupe.settings VALUES ('storeCopy', '"/somewhere"')`, name);
  const config = configFile(t, { listen: '127.0.0.1:0', store: url });
  const served = await run(binary('troupe'), ['serve', '--config', config]);
  assert.equal(served.code, 1);
  assert.match(served.stderr, /has a copy of \/somewhere that is not whole.*troupe store accept/);
  const accepted = await run(binary('troupe'), ['store', 'accept', url]);
  assert.equal(accepted.code, 0, accepted.stderr);
  const list = await run(binary('troupe'), ['conversations', 'list', '--config', config]);
  assert.equal(list.code, 0, list.stderr);
  const again = await run(binary('troupe'), ['store', 'accept', url]);
  assert.deepEqual([again.code, /no copy .* is under way/.test(again.stderr)], [1, true], again.stderr);
});
