// What broken MCP servers cost the calls to a healthy one: `mcp_isolation.mjs SECONDS [WORD]`, with
// TROUPE_BIN in the environment. Calls through HTTP to one `troupe serve`, one after another, in
// turns beside something broken and apart from it: then another `troupe serve` has the broken
// server, so that the machine is as busy. First servers that are broken all the time, then every row
// of the table of faults in calls, each called again and again; WORD chooses rows by their names.
// Prints a Markdown table.
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import {
  McpSurface, startFaultServers,
} from '../tests/integration/support/faults/fault_host.mjs';
import { quantile } from '../tests/integration/support/faults/fault_measures.mjs';
import { idle, rows, total } from '../tests/integration/support/faults/fault_rows.mjs';
import { connected, demoServer, startTroupe } from '../tests/integration/support/servers.mjs';

const seconds = Number(process.argv[2] ?? 8);
const word = process.argv[3] ?? '';
const pairs = 8; // of a time apart and one beside
const every = 200; // milliseconds between two calls of a fault, at least
const cleanups = [];
const t = { after: (work) => cleanups.unshift(work) };

// What is measured has a core to itself, so that it is Troupe that is seen, and not what the
// programs of the broken servers take of the machine.
const cores = os.availableParallelism();
const split = cores > 1 && !process.env.BENCH_TOGETHER;
const others = `1-${cores - 1}`;
const pin = (pid, where) => split && execFileSync('taskset', ['-acp', where, String(pid)]);
const elsewhere = (command, ...args) =>
  (split ? { command: 'taskset', args: ['-c', others, command, ...args] } : { command, args });
pin(process.pid, '0');

const faults = await startFaultServers(t);
pin(faults.program.pid, others);

/** An entry of a fault server, off; its program, if it is one, is kept away from the measured core. */
function faulty(type, name, ...fault) {
  const entry = faults.entry(type, name, ...fault);
  return { ...entry, ...(type === 'stdio' && elsewhere(entry.command, ...entry.args)) };
}

const log = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(200) } };
// Programs that need nearly no time to start: a crash loop of node would measure node.
const standing = {
  'log lines without end': elsewhere('yes', JSON.stringify(log)),
  'a line without end': elsewhere('sh', '-c', "exec tr '\\0' '{' </dev/zero"),
  'an event stream without end': faults.entry('http', 'endless-stream'),
  silence: elsewhere('sleep', '1000'),
  'one byte in 100 ms': faults.entry('http', 'slow', 'slow-drip'),
  '1000 list_changed a second': faults.entry('websocket', 'storm', 'storm'),
  'a crash loop': elsewhere('/bin/false'),
};
const names = Object.keys(standing);
const entries = {};
names.forEach((name, i) => (entries[`standing-${i}`] = { ...standing[name], enabled: false }));
const patience = { requestTimeoutMs: idle, totalTimeoutMs: total, connectTimeoutMs: 5000 };
rows.forEach(({ over, server }, i) => {
  const type = over.includes('http') ? 'http' : over[0];
  entries[`row-${i}`] = { ...faulty(type, `row-${i}`), ...patience, ...server, enabled: false };
});
const mcpServers = { healthy: demoServer(), ...entries };
const troupe = await startTroupe(t, { mcpServers });
await connected(troupe, 'healthy');
const surface = new McpSurface(troupe.url);
// Of another origin, to the client: what is measured has one connection, and so one loop, throughout.
const besideIt = new McpSurface(troupe.url.replace('127.0.0.1', 'localhost'));
const another = await startTroupe(t, { mcpServers });
pin(another.program.pid, others);
const apartFromIt = new McpSurface(another.url);

/** Calls the healthy server for so long; returns what each call took, in milliseconds. */
async function calls(milliseconds) {
  const into = [];
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    const { took, error } = await surface.call('healthy', 'echo', { message: 'hello' });
    if (error) throw new Error(error.message);
    into.push(took);
  }
  return into;
}

async function enableStanding(where, chosen, on) {
  for (const name of chosen) await where.enable(`standing-${names.indexOf(name)}`, on);
  const streams = names.indexOf('an event stream without end');
  if (!on || !chosen.includes(names[streams])) return;
  await where.health(`standing-${streams}`, 'success');
  where.fault(`standing-${streams}`, 'flood').catch(() => {}); // until it is disabled
}

/** Calls a row's fault again and again until `over()`. */
async function keepFailing(where, i, over) {
  const { kind, tool = 'fault', args } = rows[i];
  while (!over()) {
    const rest = pause(every);
    await where.call(`row-${i}`, tool, { kind, ...args }).catch(() => {});
    await rest;
  }
}

const median = (values) => quantile(values, 0.5);

/** Calls while what `begin` starts, and the function that it returns ends, is under way `where`. */
async function callsDuring(begin, where) {
  const end = await begin(where);
  const took = await calls((seconds * 500) / pairs);
  await end();
  return took;
}

async function compare(title, begin) {
  const seen = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const took = {};
    const order = ['apart', 'beside'];
    for (const which of pair % 2 ? order.reverse() : order)
      took[which] = await callsDuring(begin, which === 'apart' ? apartFromIt : besideIt);
    const { apart, beside } = took;
    seen.push([0.5, 0.99].flatMap((q) => [quantile(apart, q), quantile(beside, q)]));
  }
  const cells = [0, 1, 2, 3].map((i) => median(seen.map((one) => one[i])));
  const change = (median(seen.map((one) => one[3] / one[2] - 1)) * 100).toFixed(0);
  console.log(`| ${title} | ${cells.map((ms) => ms.toFixed(3)).join(' | ')} | ${change} % |`);
}

const standingAt = (chosen) => async (where) => {
  await enableStanding(where, chosen, true);
  return () => enableStanding(where, chosen, false);
};

const rowAt = (i) => async (where) => {
  let over = false;
  const failing = keepFailing(where, i, () => over);
  return async () => {
    over = true;
    await failing;
  };
};

console.log('\n| a call to a healthy server over HTTP, beside | p50 apart | p50 beside | p99 apart '
  + '| p99 beside | p99 changes by |\n|---|---|---|---|---|---|');
await calls(1000);
await compare('nothing (the noise of this run)', standingAt([]));
for (const name of names.filter((one) => one.includes(word))) await compare(name, standingAt([name]));
if (!word) await compare('all of them', standingAt(names));
for (const [i, { kind, tool = 'fault', args = {} }] of rows.entries()) {
  const title = `${tool} ${kind} ${JSON.stringify(args).slice(0, 40)}`;
  if (!title.includes(word)) continue;
  for (const where of [apartFromIt, besideIt]) {
    await where.enable(`row-${i}`, true);
    await where.health(`row-${i}`, 'success');
  }
  await compare(title.replaceAll('|', '/'), rowAt(i));
  for (const where of [apartFromIt, besideIt]) await where.enable(`row-${i}`, false);
}
for (const work of cleanups) await work();
process.exit(0);
