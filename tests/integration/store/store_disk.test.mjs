// A disk that is full for real, and one that cannot be written to.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { closeSync, cpSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { settles, until } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { folder } from '../support/servers.mjs';
import { runsWithOwnMounts, smallDisk } from '../support/store_faults.mjs';
import { assertIntact } from '../support/store_file.mjs';
import {
  assertRecovers, assertSaysSo, beginHeld, codeOf, goesWell, startTroubled, untilOneFails,
} from '../support/store_trouble.mjs';

const skip = !runsWithOwnMounts(import.meta.url) && 'no mount namespaces here';
const timeout = 120000;

test('a full disk fails turns with store_full, and all goes on when there is space', {
  skip,
  timeout,
}, async (t) => {
  const disk = smallDisk(t, 6144);
  const stage = await startTroubled(t, disk.data);
  const { ledger, server } = stage;
  const [quiet, held, busy] = [ledger.newChat(), ledger.newChat(), ledger.newChat()];
  await goesWell(stage, quiet);
  const { over, release } = await beginHeld(stage, held);

  disk.fill();
  stage.model.held = undefined;
  const failed = await untilOneFails(stage, busy);
  release();
  const cut = await over;

  assert.equal(codeOf(failed), 'store_full');
  assert.equal(codeOf(cut), 'store_full', 'also a turn that had begun');
  await assertSaysSo(stage, 'store_full', /make room/);
  assert.ok((await server.export(quiet.id)).messages.length === 2, 'what is kept can be read');
  const again = await ledger.take(server, quiet);
  assert.equal(codeOf(again), 'store_full');
  ledger.collect();
  assert.ok(!ledger.asked.has(again.name), 'the model was not asked what was not kept');

  disk.free();
  await assertRecovers(stage);
  assertIntact(disk.data);
});

test('with durability none turns go on while the disk is full, and are kept later', {
  skip,
  timeout,
}, async (t) => {
  const disk = smallDisk(t, 6144);
  const stage = await startTroubled(t, disk.data, { durability: 'none' });
  const { ledger, server } = stage;
  const chat = ledger.newChat();
  await goesWell(stage, chat);
  disk.fill();
  await until('the store has noticed', async () => {
    await goesWell(stage, chat);
    return (await server.json('/v1/status')).store.error?.code === 'store_full';
  }, 60000);
  await goesWell(stage, ledger.newChat());

  disk.free();
  const { store } = await until('it is kept', async () => {
    const status = await server.json('/v1/status');
    return !status.store.error && status;
  }, 20000);
  assert.ok(store.failures > 0);
  await until('every turn is kept', async () => {
    for (const each of ledger.chats) ledger.assertKept(each, await server.export(each.id));
    return true;
  }, 10000);
  await assertRecovers(stage, 'stop');
});

test('a folder that cannot be written to is refused at the start, with nothing lost', {
  skip,
  timeout,
}, async (t) => {
  const disk = smallDisk(t, 8192);
  const stage = await startTroubled(t, disk.data);
  const chat = stage.ledger.newChat();
  await goesWell(stage, chat);
  await stage.server.stop();

  disk.remount('ro');
  const program = stage.server.launch();
  const ended = await settles('it ends', program.exit);
  assert.equal(ended.code, 1, String(program));
  assert.ok(program.stderr.includes(disk.data), 'the text names the folder');
  assert.match(program.stderr, /Read-only file system/);

  disk.remount('rw');
  await stage.server.ready();
  stage.ledger.assertKept(chat, await stage.server.export(chat.id));
  await goesWell(stage, chat);
});

test('a damaged database that finds no room to be saved loses nothing', { skip, timeout }, async (t) => {
  const made = path.join(folder(t), 'data');
  const file = path.join(folder(t), 'chats.jsonl');
  const text = () => randomBytes(75000).toString('base64');
  const chat = (i) => ({ format: 'troupe.conversation', version: 1, info: { id: `c${i}` }, messages: [{ message: { role: 'user', text: text() } }] });
  writeFileSync(file, Array.from({ length: 20 }, (_, i) => `${JSON.stringify(chat(i))}\n`).join(''));
  const conversations = (...args) => run(binary('troupe'), ['conversations', ...args]);
  assert.equal((await conversations('import', file, '--data', made)).code, 0);
  const database = path.join(made, 'troupe.db');
  const { size } = statSync(database);
  damage(database, Math.floor(size / 2 / 4096) * 4096);

  const disk = smallDisk(t, Math.ceil((size * 2.2) / 1024) + 400);
  cpSync(made, disk.data, { recursive: true });
  for (let tries = 0; tries < 2; tries += 1) {
    const full = await conversations('list', '--data', disk.data);
    assert.equal(full.code, 1, full.stdout);
    assert.match(full.stderr, /make room/);
  }
  disk.remount('rw', Math.ceil((size * 6) / 1024));
  const listed = await conversations('list', '--data', disk.data);
  assert.equal(listed.code, 0, listed.stderr);
  assert.ok(listed.stdout.split('\n').filter((line) => /^c\d/.test(line)).length >= 19, listed.stdout);
});

/** Makes a page unreadable, and marks the database as one to look through. */
function damage(database, at) {
  const file = openSync(database, 'r+');
  writeSync(file, randomBytes(4096), 0, 4096, at);
  closeSync(file);
  writeFileSync(`${database}.suspect`, '', { mode: 0o600 });
}
