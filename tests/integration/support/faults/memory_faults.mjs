// Memory that runs out at one place of a program: the n-th allocation of a flow fails.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder } from '../servers.mjs';

const source = fileURLToPath(new URL('memory_faults.c', import.meta.url));
const numbers = ['on', 'first', 'count', 'seen', 'failed', 'least'];
const bytes = numbers.length * 8;

/**
 * Returns {env, count(), fail(first, count), heal()}: the environment of a program whose allocations are counted from
 * `count` on, or fail from the one of this number on, until `heal`, which returns {seen, failed}.
 */
export function scarceMemory(t) {
  const made = folder(t);
  const library = path.join(made, 'memory_faults.so');
  execFileSync(process.env.CC ?? 'cc', ['-shared', '-fPIC', '-O1', '-fexceptions', '-o', library, source, '-ldl']);
  const file = path.join(made, 'numbers');
  writeFileSync(file, Buffer.alloc(bytes));
  const control = openSync(file, 'r+');
  t.after(() => closeSync(control));
  const put = (name, value) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(BigInt(value));
    writeSync(control, buffer, 0, 8, numbers.indexOf(name) * 8);
  };
  const get = (name) => {
    const buffer = Buffer.alloc(8);
    readSync(control, buffer, 0, 8, numbers.indexOf(name) * 8);
    return Number(buffer.readBigInt64LE());
  };
  const begin = (first, count) => {
    for (const [name, value] of [['seen', 0], ['failed', 0], ['first', first], ['count', count], ['on', 1]]) put(name, value);
  };
  return {
    env: { LD_PRELOAD: library, MEMORY_FAULT_FILE: file },
    count: () => begin(0, 0),
    fail: (first, count = 1) => begin(first, count),
    heal: () => {
      put('on', 0);
      return { seen: get('seen'), failed: get('failed') };
    },
  };
}
