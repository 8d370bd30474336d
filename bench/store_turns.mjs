// What keeping chats costs: turns per second and CPU per turn without a store, with each durability
// in SQLite, and in a PostgreSQL on the same machine, beside each other in one run. BENCH_SECONDS is
// the length of one load.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Postgres } from '../tests/integration/support/postgres.mjs';
import { cpuMs, cpuOfAll, end, percentile, startTroupe } from './store_program.mjs';
import { connections, load, startInstantModel } from './turn_load.mjs';

const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const repeats = Number(process.env.BENCH_REPEATS ?? 3);
const onDatabase = 'PostgreSQL, ';
const modes = ['memory only', 'none', 'normal', 'full', `${onDatabase}none`, `${onDatabase}normal`];

const work = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
execFileSync('chmod', ['755', work]);

/** The counts of the store, from /metrics. */
async function storeCounts(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = (name) => Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1] ?? 0);
  return { saves: value('troupe_store_saves_total'), commits: value('troupe_store_commits_total') };
}

/** What a configuration says of where chats are kept. */
function storeOf(mode, number, postgres) {
  if (mode === 'memory only') return { data: '' };
  if (!mode.startsWith(onDatabase)) return { data: path.join(work, `data-${number}`), durability: mode };
  return { store: postgres.urlOf(postgres.database()), durability: mode.slice(onDatabase.length) };
}

async function measure(mode, modelUrl, number, postgres) {
  const store = storeOf(mode, number, postgres);
  const { data } = store;
  const config = path.join(work, `troupe-${number}.json`);
  writeFileSync(config, JSON.stringify({
    listen: '127.0.0.1:0',
    shards: 1,
    ...store,
    models: { instant: { base_url: modelUrl, model: 'text', api_key: 'none' } },
  }));
  const { child, url } = await startTroupe(['serve', '--config', config]);
  await load(url, 'warm', 1);
  const inDatabase = () => (store.store ? cpuOfAll(postgres.child.pid) : 0);
  const before = { cpu: cpuMs(child), database: inDatabase(), ...(await storeCounts(url)) };
  const { turns, seconds: took } = await load(url, 'run', seconds);
  const after = { cpu: cpuMs(child), database: inDatabase(), ...(await storeCounts(url)) };
  await end(child);
  const bytes = data ? statSync(path.join(data, 'troupe.db')).size : 0;
  if (data) rmSync(data, { recursive: true });
  return {
    perSecond: turns / took,
    cpu: (after.cpu - before.cpu) / turns,
    database: (after.database - before.database) / turns,
    saves: after.saves - before.saves,
    commits: after.commits - before.commits,
    savesPerTurn: (after.saves - before.saves) / turns,
    bytes,
  };
}

const modelUrl = await startInstantModel(work);
const postgres = new Postgres({ syncs: true });
await postgres.back();
const results = new Map(modes.map((mode) => [mode, []]));
let number = 0;
for (let i = 0; i < repeats; i += 1)
  for (const mode of i % 2 ? modes.toReversed() : modes)
    results.get(mode).push(await measure(mode, modelUrl, (number += 1), postgres));
await postgres.remove();

const median = (mode, key) => percentile(results.get(mode).map((one) => one[key]), 50);
const none = median('none', 'perSecond');
console.log(`Turns of 50 tokens, an instant model, ${connections} connections, one shard, each ` +
  `turn in a chat of its own; medians of ${repeats} loads of ${seconds} s, taken in turn.\n`);
console.log('| durability | turns per second | to none | CPU per turn | and in the database | ' +
  'saves per turn | saves per commit |\n|---|---|---|---|---|---|---|');
for (const mode of modes) {
  const perSecond = median(mode, 'perSecond');
  const group = median(mode, 'saves') / median(mode, 'commits');
  console.log(`| ${mode} | ${perSecond.toFixed(0)} | ${(perSecond / none).toFixed(2)} | ` +
    `${median(mode, 'cpu').toFixed(4)} ms | ` +
    `${mode.startsWith(onDatabase) ? `${median(mode, 'database').toFixed(4)} ms` : ''} | ` +
    `${median(mode, 'savesPerTurn').toFixed(2)} | ` +
    `${Number.isFinite(group) ? group.toFixed(1) : ''} |`);
}
process.exit(0);
