// What broken MCP servers cost the calls to a healthy one: `mcp_isolation.mjs SECONDS`, with
// TROUPE_BIN in the environment. One `troupe serve`; calls through HTTP, one after another, with
// the broken server disabled and enabled in turns. Prints a Markdown table.
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import {
  McpSurface, startFaultServers,
} from '../tests/integration/support/fault_host.mjs';
import { quantile } from '../tests/integration/support/fault_measures.mjs';
import { connected, demoServer, startTroupe } from '../tests/integration/support/servers.mjs';

const seconds = Number(process.argv[2] ?? 5);
const turns = 6;
const cleanups = [];
const t = { after: (work) => cleanups.unshift(work) };

// What is measured has a core to itself, so that it is Troupe that is seen, and not what the
// programs of the broken servers take of the machine.
const cores = os.availableParallelism();
const apart = cores > 1 && !process.env.BENCH_TOGETHER;
const others = `1-${cores - 1}`;
const pin = (pid, where) => apart && execFileSync('taskset', ['-acp', where, String(pid)]);
const elsewhere = (command, ...args) =>
  (apart ? { command: 'taskset', args: ['-c', others, command, ...args] } : { command, args });
pin(process.pid, '0');

const faults = await startFaultServers(t);
pin(faults.program.pid, others);
const log = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(200) } };
// Programs that need nearly no time to start: a crash loop of node would measure node.
const broken = {
  'log lines without end': elsewhere('yes', JSON.stringify(log)),
  'a line without end': elsewhere('sh', '-c', "exec tr '\\0' '{' </dev/zero"),
  'an event stream without end': faults.entry('http', 'endless-stream'),
  silence: elsewhere('sleep', '1000'),
  'one byte in 100 ms': faults.entry('http', 'slow', 'slow-drip'),
  '1000 list_changed a second': faults.entry('websocket', 'storm', 'storm'),
  'a crash loop': elsewhere('/bin/false'),
};
const names = Object.keys(broken);
const entries = names.map((name, i) => [`broken-${i}`, { ...broken[name], enabled: false }]);
const troupe = await startTroupe(t, {
  mcpServers: { healthy: demoServer(), ...Object.fromEntries(entries) },
});
await connected(troupe, 'healthy');
const surface = new McpSurface(troupe.url);

/** Calls the healthy server for so long; adds what each call took, in milliseconds, to `into`. */
async function calls(into, milliseconds) {
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    const { took, error } = await surface.call('healthy', 'echo', { message: 'hello' });
    if (error) throw new Error(error.message);
    into.push(took);
  }
}

async function enable(chosen, on) {
  for (const name of chosen) await surface.enable(`broken-${names.indexOf(name)}`, on);
  const streams = names.indexOf('an event stream without end');
  if (!on || !chosen.includes(names[streams])) return;
  await surface.health(`broken-${streams}`, 'success');
  surface.fault(`broken-${streams}`, 'flood').catch(() => {}); // until it is disabled
}

/** Prints the p99 alone and beside the chosen servers. */
async function compare(title, chosen) {
  const alone = [];
  const beside = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await calls(alone, (seconds * 1000) / turns);
    await enable(chosen, true);
    await calls(beside, (seconds * 1000) / turns);
    await enable(chosen, false);
  }
  const cells = [0.5, 0.99].flatMap((q) => [quantile(alone, q), quantile(beside, q)]);
  const change = ((cells[3] / cells[2] - 1) * 100).toFixed(0);
  console.log(`| ${title} | ${cells.map((ms) => ms.toFixed(3)).join(' | ')} | ${change} % |`);
}

console.log('\n| a call to a healthy server over HTTP, beside | p50 alone | p50 beside | p99 alone '
  + '| p99 beside | p99 changes by |\n|---|---|---|---|---|---|');
await calls([], 1000);
await compare('nothing (the noise of this run)', []);
for (const name of names) await compare(name, [name]);
await compare('all of them', names);
for (const work of cleanups) await work();
process.exit(0);
