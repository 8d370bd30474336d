// What a server makes of the files it finds: damaged ones, those of a newer version, and a folder
// that another process uses.
import assert from 'node:assert/strict';
import {
  chmodSync, closeSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, statSync, symlinkSync,
  truncateSync, writeFileSync, writeSync,
} from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { settles, until } from '../support/patience.mjs';
import { folder } from '../support/servers.mjs';
import { change, databaseIn, schemaOf } from '../support/store_file.mjs';
import { Ledger } from '../support/store_ledger.mjs';
import { assertRecovers, assertSaysSo, goesWell, startTroubled } from '../support/store_trouble.mjs';

const timeout = 60000;

const setAside = (data) => readdirSync(data).filter((name) => /\.damaged-[\d-]+$/.test(name));

/** A server that has kept a chat and has ended; resolves with {stage, chat, file}. */
async function leftBehind(t) {
  const stage = await startTroubled(t, folder(t));
  const chat = stage.ledger.newChat();
  for (let i = 0; i < 20; i += 1) await goesWell(stage, chat);
  await stage.server.stop();
  return { stage, chat, file: databaseIn(stage.server.data) };
}

function overwrite(file, from, bytes) {
  const open = openSync(file, 'r+');
  writeSync(open, Buffer.alloc(bytes, 'garbage '), 0, bytes, from);
  closeSync(open);
}

const damages = [
  ['whose first page is garbage', (file) => overwrite(file, 0, 4096)],
  ['that is another kind of file', (file) => writeFileSync(file, 'not a database\n'.repeat(1000))],
  ['whose schema is garbage', (file) => overwrite(file, 100, 3996)],
];

for (const [what, damage] of damages) {
  test(`a file ${what} is set aside and a new one begun`, { timeout }, async (t) => {
    const { stage, chat, file } = await leftBehind(t);
    const { server } = stage;
    damage(file);
    const broken = readFileSync(file);

    await server.ready();
    const kept = setAside(server.data);
    assert.equal(kept.length, 1, readdirSync(server.data).join(' '));
    assert.deepEqual(readFileSync(path.join(server.data, kept[0])), broken, 'as it was');
    const { store } = await server.json('/v1/status');
    assert.match(store.notice, /damaged/);
    assert.ok(store.notice.includes(kept[0]), store.notice);
    assert.equal(await server.export(chat.id), undefined);
    stage.ledger = new Ledger(stage.model, 'after');
    await goesWell(stage, stage.ledger.newChat());
    await server.stop();

    await server.ready();
    assert.deepEqual(setAside(server.data), kept, 'once');
    assert.equal((await server.json('/v1/status')).store.notice ?? '', '', 'said once');
    assert.equal((await server.list()).length, 1);
  });
}

test('pages that are found damaged later are a typed error, and set aside at the next start', {
  timeout,
}, async (t) => {
  const { stage, chat, file } = await leftBehind(t);
  const { server, ledger } = stage;
  overwrite(file, 4096, statSync(file).size - 4096);
  const broken = readFileSync(file);

  const program = server.launch();
  await until('it listens or ends', () => program.ended ?? /listening/.test(program.stdout));
  if (!setAside(server.data).length) {
    [, server.url] = program.stdout.match(/listening on (\S+)/);
    const entry = await ledger.take(server, chat);
    assert.equal(entry.ended, false);
    assert.match(entry.turn.errorText + JSON.stringify(entry.error ?? {}), /store_damaged/);
    await server.kill();
    await server.ready();
  }
  const [kept, ...more] = setAside(server.data);
  assert.deepEqual(more, []);
  const found = readFileSync(path.join(server.data, kept));
  assert.deepEqual(found.subarray(4096, broken.length), broken.subarray(4096), 'as it was');
});

test('an empty file and a cut one do not stop a start', { timeout }, async (t) => {
  for (const size of [0, 5000]) {
    const { stage, file } = await leftBehind(t);
    truncateSync(file, size);
    await stage.server.ready();
    stage.ledger = new Ledger(stage.model, 'after');
    await goesWell(stage, stage.ledger.newChat());
    await stage.server.stop();
  }
});

test('a file of a newer version is refused and left alone', { timeout }, async (t) => {
  const { stage, chat, file } = await leftBehind(t);
  const version = schemaOf(stage.server.data);
  change(stage.server.data, 'PRAGMA user_version = 999');
  const before = readFileSync(file);

  const program = stage.server.launch();
  const ended = await settles('it ends', program.exit);
  assert.equal(ended.code, 1, String(program));
  assert.match(program.stderr, /999/);
  assert.match(program.stderr, new RegExp(`\\b${version}\\b`), 'and the one that it knows');
  assert.match(program.stderr, /newer/);
  assert.deepEqual(readFileSync(file), before);

  change(stage.server.data, `PRAGMA user_version = ${version}`);
  await stage.server.ready();
  stage.ledger.assertKept(chat, await stage.server.export(chat.id));
});

test('a second process on the same folder is refused', { timeout }, async (t) => {
  const stage = await startTroubled(t, folder(t));
  const { server, ledger } = stage;
  const chat = ledger.newChat();
  await goesWell(stage, chat);
  const { program: first } = server;

  const second = server.launch();
  server.program = first;
  t.after(() => second.signal('SIGKILL'));
  const ended = await settles('it ends', second.exit);
  assert.equal(ended.code, 1, String(second));
  assert.ok(second.stderr.includes(server.data), second.stderr);
  assert.match(second.stderr, new RegExp(`\\b${first.pid}\\b`), 'the text names who uses it');
  await goesWell(stage, chat);

  await server.kill();
  await server.ready();
  ledger.assertKept(chat, await server.export(chat.id));
});

test('files can be read by their owner only', { timeout }, async (t) => {
  const { stage } = await leftBehind(t);
  const data = path.join(stage.server.data, 'made', 'by', 'it');
  stage.server.data = data;
  stage.server.args = ['--data', data];
  await stage.server.ready();
  assert.equal(statSync(data).mode & 0o777, 0o700);
  for (const name of readdirSync(data))
    assert.equal(statSync(path.join(data, name)).mode & 0o077, 0, name);
});

test('a folder in which others may write is refused, and a link in it is left alone', { timeout }, async (t) => {
  const { stage } = await leftBehind(t);
  const { server } = stage;
  const data = path.join(server.data, 'shared');
  const victim = path.join(server.data, 'victim');
  mkdirSync(data);
  writeFileSync(victim, 'precious');
  symlinkSync(victim, path.join(data, 'troupe.lock'));
  chmodSync(data, 0o777);
  server.args = ['--data', data];
  const program = server.launch();
  const ended = await settles('it ends', program.exit);
  assert.equal(ended.code, 1, String(program));
  assert.match(program.stderr, /mode 0777.*chmod go-w/);
  assert.equal(readFileSync(victim, 'utf8'), 'precious');
});

test('a database that is deleted or replaced is noticed, and when it is back', { timeout }, async (t) => {
  const stage = await startTroubled(t, folder(t));
  const { server, ledger } = stage;
  await goesWell(stage, ledger.newChat());
  const file = databaseIn(server.data);
  renameSync(file, `${file}.away`);
  await assertSaysSo(stage, 'store_failed', /deleted or replaced/);
  writeFileSync(file, 'another');
  await assertSaysSo(stage, 'store_failed', /deleted or replaced/);
  renameSync(`${file}.away`, file);
  await assertRecovers(stage);
});
