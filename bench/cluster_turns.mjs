// What a turn costs on one to three nodes of a PostgreSQL, in the nodes and in the database, beside one server with SQLite.
// BENCH_SECONDS is the length of one load, BENCH_REPEATS how many there are of each. CPU time only: all share the cores.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Postgres } from '../tests/integration/support/postgres.mjs';
import { freePort } from '../tests/integration/support/servers.mjs';
import { cpuMs, cpuOfAll, end, percentile, startTroupe } from './store_program.mjs';
import { connections, load, startInstantModel } from './turn_load.mjs';

const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const repeats = Number(process.env.BENCH_REPEATS ?? 5);
const kinds = { 'one server, SQLite': 0, 'one node': 1, 'two nodes': 2, 'three nodes': 3 };

const work = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
execFileSync('chmod', ['755', work]);

let number = 0;
async function startServer(where) {
  const config = path.join(work, `troupe-${(number += 1)}.json`);
  const models = { instant: { base_url: modelUrl, model: 'text', api_key: 'none' } };
  writeFileSync(config, JSON.stringify({ listen: '127.0.0.1:0', shards: 1, ...where, models }));
  return startTroupe(['serve', '--config', config]);
}

async function startNodes(count) {
  if (count === 0) return [await startServer({ data: path.join(work, `data-${number}`) })];
  const store = postgres.urlOf(postgres.database());
  const made = [];
  for (const node of ['a', 'b', 'c'].slice(0, count)) {
    const listen = `127.0.0.1:${await freePort()}`;
    made.push(await startServer({ store, cluster: { node, listen, secret: 'of-the-measured-nodes' } }));
  }
  return made;
}

/** Milliseconds of CPU per turn, of all nodes and of the database. */
async function measure(count) {
  const nodes = await startNodes(count);
  const run = (prefix, time) => Promise.all(nodes.map(({ url }, i) => load(url, `${prefix}-${i}`, time)));
  const cpu = () => [nodes.reduce((sum, { child }) => sum + cpuMs(child), 0), cpuOfAll(postgres.child.pid)];
  await run('warm', 1);
  const before = cpu();
  const turns = (await run('run', seconds)).reduce((sum, one) => sum + one.turns, 0);
  const after = cpu();
  for (const { child } of nodes) await end(child);
  if (count === 0) after[1] = before[1]; // it was not used
  return after.map((ms, i) => (ms - before[i]) / turns);
}

const modelUrl = await startInstantModel(work);
const postgres = new Postgres({ syncs: true });
await postgres.back();
const found = new Map(Object.keys(kinds).map((kind) => [kind, []]));
for (let i = 0; i < repeats; i += 1)
  for (const kind of i % 2 ? Object.keys(kinds).toReversed() : Object.keys(kinds))
    found.get(kind).push(await measure(kinds[kind]));
await postgres.remove();

const median = (kind, at) => percentile(found.get(kind).map((one) => one[at]), 50);
const both = (kind) => percentile(found.get(kind).map(([nodes, database]) => nodes + database), 50);
console.log(`Turns of 50 tokens, an instant model, ${connections} connections to each node, each turn in a chat of its own; ` +
  `medians of ${repeats} loads of ${seconds} s, taken in turn.\n`);
console.log('| | CPU per turn, nodes | database | both | to one node |\n|---|---|---|---|---|');
for (const [kind, count] of Object.entries(kinds)) {
  const database = count ? `${median(kind, 1).toFixed(4)} ms` : '';
  console.log(`| ${kind} | ${median(kind, 0).toFixed(4)} ms | ${database} | ${both(kind).toFixed(4)} ms | ` +
    `${(both(kind) / both('one node')).toFixed(2)} |`);
}
process.exit(0);
