// What /proc says about a program and its children.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Returns {pid, state, command} of every living or dead-but-unreaped child of `pid`. */
export function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((process) => process?.parent === pid);
}

/** Returns whether a process runs: one that nobody has reaped does not. */
export const isRunning = (pid) => !['Z', undefined].includes(statOf(pid)?.state);

/** Returns the resident memory of a process in KiB. */
export function residentKiB(pid) {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)[1]);
}

/** Returns the seconds of CPU that a process took so far, in hundredths. */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13).map(Number);
  return (user + system) / 100;
}

/** Returns the TCP ports of IPv4 that a process listens on. */
export function listeningPorts(pid) {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).match(/^socket:\[(\d+)\]$/)?.[1];
    } catch {
      return undefined; // it was closed while we looked
    }
  }));
  return readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((row) => row[3] === '0A' && sockets.has(row[9]))
    .map((row) => parseInt(row[1].split(':')[1], 16));
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
