// Commands that work in a data folder without a server: which folder, which configuration, which file.
import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { within } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { configFile, folder } from '../support/servers.mjs';

const timeout = within(120000);
const troupe = (args, env = {}) => run(binary('troupe'), args, {
  milliseconds: 60000, // it looks for a database for a while
  env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', TROUPE_CONFIG: '', TROUPE_SERVER: '', ...env },
});
const conversations = (data, ...args) => troupe(['conversations', ...args, '--data', data]);

/** A data folder with these chats. */
async function kept(t, ...sessions) {
  const data = folder(t);
  for (const session of sessions) {
    const { code, stderr } = await troupe(['chat', 'hi', '--model', 'echo', '--session', session, '--data', data]);
    assert.equal(code, 0, stderr);
  }
  return data;
}

test('an export takes the place of a backup only when it is whole', { timeout }, async (t) => {
  const data = await kept(t, 'one', 'two');
  const place = folder(t);
  const file = path.join(place, 'all.jsonl');
  const says = async (from, args, code, words) => {
    const done = await conversations(from, 'export', ...args, '-o', file);
    assert.equal(done.code, code, done.stderr);
    assert.match(done.stderr, words);
    assert.deepEqual(readdirSync(place), ['all.jsonl'], 'nothing else is left there');
    return readFileSync(file, 'utf8');
  };
  const backup = await says(data, ['--all'], 0, /^$/);
  assert.equal(backup.trim().split('\n').length, 2);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(await says(data, ['one', 'nobody'], 1, /nobody: There is no such[^]*all\.jsonl was not written/), backup);
  assert.equal(await says(await kept(t), ['--all'], 1, /nothing to export; [^\n]*all\.jsonl stays as it was/), backup);
  writeFileSync(`${file}.new`, 'of an export that was killed');
  assert.match(await says(data, ['one'], 0, /^$/), /^[^\n]+\n$/);
});

test('an export to a link, a device and a folder', { timeout }, async (t) => {
  const data = await kept(t, 'one');
  const place = folder(t);
  const [file, link] = ['real.jsonl', 'link.jsonl'].map((name) => path.join(place, name));
  writeFileSync(file, 'old');
  symlinkSync('real.jsonl', link);
  assert.equal((await conversations(data, 'export', '--all', '-o', link)).code, 0);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.match(readFileSync(file, 'utf8'), /troupe\.conversation/);
  assert.equal((await conversations(data, 'export', '--all', '-o', '/dev/null')).code, 0);
  assert.ok(statSync('/dev/null').isCharacterDevice());
  const toFolder = await conversations(data, 'export', '--all', '-o', place);
  assert.equal(toFolder.code, 2);
  assert.match(toFolder.stderr, /Is a directory/);
  const empty = path.join(place, 'empty.jsonl');
  assert.equal((await conversations(await kept(t), 'export', '--all', '-o', empty)).code, 0);
  assert.equal(readFileSync(empty, 'utf8'), '', 'where nothing was before, nothing is no loss');
});

test('conversations are not looked for in a folder that is not there', { timeout }, async (t) => {
  const place = path.join(folder(t), 'typo');
  const file = path.join(folder(t), 'all.jsonl');
  for (const verb of [['list'], ['search', 'x'], ['usage'], ['export', '--all', '-o', file], ['delete', '--all', '--yes']]) {
    const { code, stderr } = await conversations(place, ...verb);
    assert.deepEqual([code, stderr], [2, `troupe: There is no data folder ${place}.\n`]);
    assert.ok(!existsSync(place), 'it is not made');
  }
  assert.ok(!existsSync(file), 'no backup is made of nothing');
  assert.equal((await conversations(await kept(t, 'one'), 'export', '--all', '-o', file)).code, 0);
  const imported = await conversations(place, 'import', file);
  assert.equal(imported.code, 0, imported.stderr);
  assert.match((await conversations(place, 'list')).stdout, /^one /m);
});

test('what needs no model needs no key of one', { timeout }, async (t) => {
  const data = await kept(t, 'one');
  const file = configFile(t, { models: { a: { model: 'gpt', api_key: '${NOT_SET_ANYWHERE}' } }, defaultModel: 'a', data });
  const listed = await troupe(['conversations', 'list', '--config', file]);
  assert.match(listed.stdout, /^one /m, listed.stderr);
  const key = await troupe(['keys', 'create', '--owner', 'ann', '--config', file]);
  assert.equal(key.code, 0, key.stderr);
  assert.match((await troupe(['keys', 'list'], { TROUPE_CONFIG: file })).stdout, / ann /);
});

test('commands of a cluster take the configuration of the environment', { timeout }, async (t) => {
  const file = configFile(t, { data: folder(t) });
  for (const verb of [['status'], ['drain', 'a'], ['forget', 'a']]) {
    const named = await troupe(['cluster', ...verb], { TROUPE_CONFIG: file });
    assert.equal(named.code, 2);
    assert.ok(named.stderr.includes(`${file}: has no "store"`), named.stderr);
    const unnamed = await troupe(['cluster', ...verb]);
    assert.equal(unnamed.code, 2);
    assert.match(unnamed.stderr, /--config, or TROUPE_CONFIG in the environment, is required/);
  }
});

test('a database that is none, or is not there, is told without promises', { timeout }, async (t) => {
  const wrong = await troupe(['cluster', 'status', '--config', configFile(t, { store: 'mysql://ann:secret@db/x' })]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /store address is not one of a PostgreSQL database[^\n]*postgresql:\/\/USER@HOST/);
  assert.ok(!wrong.stderr.includes('secret'));
  const file = configFile(t, { store: 'postgresql://ann@127.0.0.1:1/x' });
  const commands = [['cluster', 'status'], ['conversations', 'list'], ['keys', 'list'], ['serve', '--listen', '127.0.0.1:0']];
  await Promise.all(commands.map(async (command) => {
    const { code, stderr } = await troupe([...command, '--config', file]);
    assert.equal(code, 1, `${command}: ${stderr}`);
    assert.match(stderr, /see whether the database runs and can be reached$/m);
  }));
});
