// Writes that fail in every way a disk has, or do not come back: the error is typed, the server
// lives, and goes on by itself.
import assert from 'node:assert/strict';
import test from 'node:test';
import { faultyDisk } from '../support/store_faults.mjs';
import { assertIntact } from '../support/store_file.mjs';
import {
  assertRecovers, assertSaysSo, beginHeld, codeOf, goesWell, startTroubled,
} from '../support/store_trouble.mjs';

const timeout = 120000;

const faults = [
  ['ENOSPC', 'store_full', /make room/],
  ['EDQUOT', 'store_full', /make room/],
  ['EROFS', 'store_read_only', /let this user write/],
  ['EIO', 'store_failed', /./],
];

for (const [name, code, text] of faults) {
  test(`${name} while chats run is ${code}, until it is over`, { timeout }, async (t) => {
    const disk = faultyDisk(t);
    const stage = await startTroubled(t, disk.data, disk);
    const { ledger, server, model } = stage;
    const [quiet, held] = [ledger.newChat(), ledger.newChat()];
    await goesWell(stage, quiet);
    const { over, release } = await beginHeld(stage, held);

    disk.fail(name);
    release();
    assert.equal(codeOf(await over), code, 'the turn that ran');
    const refused = await ledger.take(server, quiet);
    assert.equal(codeOf(refused), code, 'a new one');
    ledger.collect();
    assert.ok(!ledger.asked.has(refused.name), 'the model was not asked what was not kept');
    await assertSaysSo(stage, code, text);
    assert.equal((await server.export(quiet.id)).messages.length, 2, 'reading works');
    assert.deepEqual(model.mistakes, []);

    disk.heal();
    await assertRecovers(stage);
    assertIntact(disk.data);
  });
}

test('a disk that hangs fails turns with store_timeout, until it is back', {
  timeout,
}, async (t) => {
  const disk = faultyDisk(t);
  const stage = await startTroubled(t, disk.data, disk);
  const { ledger, server } = stage;
  const chat = ledger.newChat();
  await goesWell(stage, chat);

  disk.hang();
  const begun = performance.now();
  const stuck = await ledger.take(server, chat);
  const took = performance.now() - begun;
  assert.equal(codeOf(stuck), 'store_timeout');
  assert.ok(took < 60000, `after ${took} ms`);
  assert.equal((await server.get('/healthz')).status, 200);
  assert.equal((await server.get('/readyz')).status, 503);

  disk.heal();
  await assertRecovers(stage);
});

test('durability none goes on while writes fail', { timeout }, async (t) => {
  const disk = faultyDisk(t);
  const stage = await startTroubled(t, disk.data, { ...disk, durability: 'none' });
  const chat = stage.ledger.newChat();
  disk.fail('EROFS');
  for (let i = 0; i < 5; i += 1) await goesWell(stage, chat);
  disk.heal();
  await assertRecovers(stage, 'stop');
});
