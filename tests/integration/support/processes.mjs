// What /proc says about a program and its children.
import { readFileSync, readdirSync } from 'node:fs';

/** Returns {pid, state, command} of every living or dead-but-unreaped child of `pid`. */
export function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((process) => process?.parent === pid);
}

/** Returns the resident memory of a process in KiB. */
export function residentKiB(pid) {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)[1]);
}

function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, command] = stat.match(/\((.*)\)/);
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), state, parent: Number(parent), command };
  } catch {
    return undefined; // it ended while we looked
  }
}
