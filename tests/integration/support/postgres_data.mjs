// The files of a new PostgreSQL server. To copy them takes a quarter of the time that initdb does, so they are made once, and kept
// beside the packages of the tests.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/troupe', import.meta.url));

/** @param made is called with initdb's arguments where there is nothing to copy */
export function makeData(folder, programs, made) {
  const args = ['-U', 'troupe', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  const pattern = path.join(cache, `postgres${[programs, ...args].join(' ').replace(/\W+/g, '-')}`);
  if (existsSync(pattern)) return copy(pattern, folder);
  made(['-D', folder, ...args]);
  return keep(folder, pattern);
}

/** With owners and modes, which PostgreSQL looks at. */
function copy(from, to) {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
}

function keep(folder, pattern) {
  const mine = `${pattern}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  copy(folder, mine);
  try {
    renameSync(mine, pattern);
  } catch { // another test was faster
    rmSync(mine, { recursive: true });
  }
}
