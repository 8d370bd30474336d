// What a server holds, looked at once a second, and how fast that grows.
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { residentMiB } from './store_program.mjs';

process.env.TROUPE_DUMPABLE = '1'; // else only root may see what a server has open

const sizeMiB = (file) => (existsSync(file) ? statSync(file).size / 1048576 : 0);

/** Processes that this one has started, also on other threads than its first. */
function childrenOf(pid) {
  const lists = readdirSync(`/proc/${pid}/task`).map((task) => {
    try {
      return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
    } catch { // the thread has ended meanwhile
      return '';
    }
  });
  return lists.filter(Boolean).join(' ').split(' ').filter(Boolean).length;
}

/** Inode numbers in a table of /proc/net, of the lines that fit. */
function inodesOf(table, column, fits = () => true) {
  const lines = readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1);
  const rows = lines.map((line) => line.trim().split(/\s+/)).filter(fits);
  return rows.map((fields) => `socket:[${fields[column]}]`);
}

/**
 * What a process has open: descriptors, and how many of them are its HTTP client's: connections to
 * one of `ports` that are kept for the next requests, and libcurl's pairs of local sockets.
 */
function opened(pid, ports) {
  const hex = ports.map((port) => port.toString(16).toUpperCase().padStart(4, '0'));
  const isUpstream = (fields) => hex.includes(fields[2].split(':')[1]);
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch { // closed meanwhile
      return '';
    }
  });
  const client = new Set([...inodesOf('tcp', 9, isUpstream), ...inodesOf('unix', 6)]);
  const others = {};
  for (const link of links.filter((each) => !client.has(each))) {
    const kind = link.startsWith('/') ? path.basename(link) : link.split(':')[0];
    others[kind] = (others[kind] ?? 0) + 1;
  }
  const kept = links.filter((link) => client.has(link)).length;
  return { descriptors: links.length, kept, others };
}

/** A server and its data folder, seen from outside; its models are at `ports`. */
export function watched({ child, url }, data, ports) {
  const { pid } = child;
  return {
    async look() {
      const status = await (await fetch(`${url}/v1/status`)).json();
      return {
        at: performance.now() / 1000,
        rss: residentMiB(child),
        ...opened(pid, ports),
        threads: readdirSync(`/proc/${pid}/task`).length,
        children: childrenOf(pid),
        sessions: status.sessions,
        turns: status.runningTurns,
        flows: status.activeFlows,
        all: status.turns,
        wal: sizeMiB(path.join(data, 'troupe.db-wal')),
        database: sizeMiB(path.join(data, 'troupe.db')),
      };
    },
  };
}

/**
 * Least squares of y over x: {slope, error}. The error is twice the slope's standard error, with
 * neighbours in groups of ten: resident memory that went up in one second is still up in the next,
 * so single seconds would make it look surer than it is.
 */
export function slopeOf(points) {
  const groups = [];
  for (let i = 0; i + 10 <= points.length; i += 10) {
    const group = points.slice(i, i + 10);
    groups.push([0, 1].map((axis) => group.reduce((sum, each) => sum + each[axis], 0) / 10));
  }
  const used = groups.length >= 5 ? groups : points;
  const mean = [0, 1].map((axis) => used.reduce((sum, each) => sum + each[axis], 0) / used.length);
  let [xx, xy] = [0, 0];
  for (const [x, y] of used) {
    xx += (x - mean[0]) ** 2;
    xy += (x - mean[0]) * (y - mean[1]);
  }
  const slope = xx > 0 ? xy / xx : 0;
  const rest = used.reduce((sum, [x, y]) => sum + (y - mean[1] - slope * (x - mean[0])) ** 2, 0);
  const error = used.length > 2 && xx > 0 ? 2 * Math.sqrt(rest / (used.length - 2) / xx) : Infinity;
  return { slope, error };
}
