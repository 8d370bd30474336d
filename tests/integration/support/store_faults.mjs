// Disks that fail: writes of a server that end in an error of our choice, and a file system that is
// full for real.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder } from './servers.mjs';

const source = fileURLToPath(new URL('store_faults.c', import.meta.url));

/**
 * Returns {data, env, fail(name), hang(), heal()}: a data folder, and the environment of a program
 * whose writes there fail with the error of that name ("ENOSPC"), or hang, until `heal`.
 */
export function faultyDisk(t) {
  const made = folder(t);
  const data = path.join(made, 'data');
  mkdirSync(data);
  const library = path.join(made, 'faults.so');
  execFileSync(process.env.CC ?? 'cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  const control = path.join(made, 'fault');
  const say = (fault) => writeFileSync(control, String(fault));
  say(0);
  return {
    data,
    env: {
      LD_PRELOAD: library,
      STORE_FAULT_FOLDER: data,
      STORE_FAULT_FILE: control,
      ASAN_OPTIONS: `${process.env.ASAN_OPTIONS ?? ''}:verify_asan_link_order=0`,
    },
    fail: (name) => say(constants.errno[name] ?? assert.fail(name)),
    hang: () => say(-1),
    heal: () => say(0),
  };
}

/**
 * Has the test file run with mounts of its own, which end with it: true in such a run, false
 * where this machine does not allow it; does not return in the outer run.
 */
export function runsWithOwnMounts(file) {
  if (process.env.STORE_OWN_MOUNTS) return true;
  const trial = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  if (trial.status !== 0) return false;
  const { status } = spawnSync(
    'unshare', ['-Urm', process.execPath, ...process.execArgv, fileURLToPath(file)],
    { stdio: 'inherit', env: { ...process.env, STORE_OWN_MOUNTS: '1' } },
  );
  process.exit(status ?? 1);
}

/** A file system of so many KiB; has `data` (a folder), fill(), free() and remount('ro'|'rw'[, KiB]). */
export function smallDisk(t, kib) {
  const made = mkdtempSync(path.join(tmpdir(), 'troupe-disk-'));
  const mount = (...args) => execFileSync('mount', args);
  mount('-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', made);
  t.after(() => {
    execFileSync('umount', ['-l', made]);
    rmSync(made, { recursive: true });
  });
  const filler = path.join(made, 'filler');
  const data = path.join(made, 'data');
  mkdirSync(data);
  return {
    data,
    fill: () => fill(filler),
    free: () => rmSync(filler),
    remount: (how, size = kib) => mount('-o', `remount,${how},size=${size}k`, made),
  };
}

/** Takes all the space that is left. */
function fill(filler) {
  const file = openSync(filler, 'a');
  try {
    for (const piece = Buffer.alloc(4096); ; ) writeSync(file, piece);
  } catch (error) {
    assert.equal(error.code, 'ENOSPC');
  } finally {
    closeSync(file);
  }
}
