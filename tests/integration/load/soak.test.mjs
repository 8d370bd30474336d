// A short soak: a mix of all kinds of users and faults leaves nothing behind.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, run } from '../support/program.mjs';

const skip = !existsSync(binary('troupe-bench')) && 'troupe-bench was not built';
const soak = fileURLToPath(new URL('../../../bench/soak.mjs', import.meta.url));

test('nothing is left of a mix of users, cancels and faults', { timeout: 280000, skip }, async () => {
  const env = { BENCH_TOKENS: '40000', BENCH_TOKENS_PER_SECOND: '5000', BENCH_ROUNDS: '2' };
  const ended = await run(process.execPath, [soak], { milliseconds: 260000, env });
  assert.equal(ended.code, 0, `${ended.stdout}\n${ended.stderr}`);
  assert.match(ended.stdout, /Nothing is left\./);
});
