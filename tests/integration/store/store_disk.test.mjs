// A disk that is full for real, and one that cannot be written to.
import assert from 'node:assert/strict';
import test from 'node:test';
import { settles, until } from '../support/patience.mjs';
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
