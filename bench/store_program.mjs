// A `troupe` under measurement: started, looked at, ended.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const bin = path.resolve(process.env.TROUPE_BIN ?? 'build/release/bin');

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGTERM')));

/** Starts a program that is ended with this one. */
export function launch(file, args, options = {}) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'], ...options });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

/** Ends a program with SIGTERM; resolves when it is gone. */
export function end(child) {
  child.kill('SIGTERM');
  return new Promise((resolve) => {
    if (child.exitCode === null) child.on('exit', resolve);
    else resolve();
  });
}

/** Starts a `troupe` command; resolves with {child, url, milliseconds} when it is ready. */
export async function startTroupe(args) {
  const begun = performance.now();
  const child = launch(path.join(bin, 'troupe'), args);
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      const [, found] = text.match(/listening on (\S+)\n/) ?? [];
      if (found) resolve(found);
    });
    child.on('exit', () => reject(new Error(`troupe ended: ${text}`)));
  });
  if (args[0] === 'serve')
    while (!(await fetch(`${url}/readyz`)).ok) await new Promise((next) => setTimeout(next, 5));
  return { child, url, milliseconds: performance.now() - begun };
}

/** User and system time of a process in milliseconds. */
export function cpuMs({ pid }) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** User and system time of a process and its children, those that have ended too, in milliseconds. */
export function cpuOfAll(pid) {
  let ticks = 0;
  for (const each of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    let stat;
    try {
      stat = readFileSync(`/proc/${each}/stat`, 'utf8');
    } catch {
      continue; // it has ended
    }
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ').map(Number);
    const isParent = Number(each) === pid;
    if (isParent) ticks += fields[13] + fields[14];
    if (isParent || fields[1] === pid) ticks += fields[11] + fields[12];
  }
  return ticks * 10;
}

/** Resident memory in MiB. */
export function residentMiB({ pid }) {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)[1]) / 1024;
}

/** The p-th percentile. */
export function percentile(values, p) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];
}
