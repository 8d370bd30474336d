// What it costs PostgreSQL that many nodes live, and whether one of them is taken for dead: 1,000 nodes in ten processes.
//   node bench/cluster_members.mjs [NODES [SECONDS [PAUSE]]]      SECONDS are measured when all are there; each process starts a
//   node every PAUSE whole seconds, one by default: a slow machine takes longer for the two connections of each
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { binary } from '../tests/integration/support/program.mjs';
import { Postgres } from '../tests/integration/support/postgres.mjs';

const [nodes = 1000, measured = 600, starts = 1] = process.argv.slice(2).map(Number);
const processes = 10;
const ticks = 100; // of a second, as /proc counts

/** Seconds of CPU that a server and its children took so far. */
function cpuOf(parent) {
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ').map(Number);
      const [, of] = fields;
      const [own, system, children, systemOfChildren] = fields.slice(11, 15);
      if (Number(pid) === parent) sum += own + system + children + systemOfChildren;
      else if (of === parent) sum += own + system;
    } catch {} // it has ended
  }
  return sum / ticks;
}

const postgres = new Postgres({ settings: [`max_connections=${nodes * 3 + 50}`] });
await postgres.back();
try {
  const each = Math.ceil(nodes / processes);
  const joined = each * starts + 20; // seconds until all are there and have settled
  const seconds = joined + measured + 5;
  const program = binary('bench-cluster-members');
  const run = async (i) => {
    await pause(i * 100 * starts);
    return promisify(execFile)(program, [postgres.url, i * each, each, seconds, starts].map(String), { timeout: (seconds + 120) * 1000 });
  };
  await promisify(execFile)(program, [postgres.url, '0', '1', '1', '1']); // makes the tables
  const all = Array.from({ length: processes }, (_, i) => run(i));
  await pause(joined * 1000);
  const [cpu, began] = [cpuOf(postgres.child.pid), performance.now()];
  await pause(measured * 1000);
  const used = (cpuOf(postgres.child.pid) - cpu) / ((performance.now() - began) / 1000);
  const ended = await Promise.all(all);
  for (const { stderr } of ended) process.stderr.write(stderr);
  const found = ended.map(({ stdout }) => JSON.parse(stdout));
  const sum = (key) => found.reduce((total, one) => total + one[key], 0);
  console.log(`${nodes} nodes, ${measured} s: PostgreSQL ${used.toFixed(2)} cores; ${sum('beats')} beats, ${sum('failed')} failed, `
    + `${sum('late')} late, ${sum('lost')} nodes taken for dead, ${sum('dead')} dead nodes seen`);
} finally {
  await postgres.remove();
}
