// What broken MCP servers cost the calls to a healthy one: `mcp_isolation.mjs SECONDS`, with
// TROUPE_BIN in the environment. One `troupe serve`; calls through HTTP, one after another, in turns with the broken servers
// disabled and enabled. Prints a Markdown table.
import {
  McpSurface, startFaultServers,
} from '../tests/integration/support/fault_host.mjs';
import { quantile } from '../tests/integration/support/fault_measures.mjs';
import { connected, demoServer, startTroupe } from '../tests/integration/support/servers.mjs';

const seconds = Number(process.argv[2] ?? 5);
const turns = 6;
const cleanups = [];
const t = { after: (work) => cleanups.unshift(work) };

const faults = await startFaultServers(t);
const broken = {
  'floods-stdio': faults.entry('stdio', 'floods-stdio', 'flood-at-start'),
  'floods-http': faults.entry('http', 'floods-http'),
  'endless-line': faults.entry('stdio', 'endless-line', 'endless-line'),
  silent: faults.entry('stdio', 'silent', 'silent'),
  slow: faults.entry('http', 'slow', 'slow-drip'),
  storm: faults.entry('websocket', 'storm', 'storm'),
  crashing: { command: '/bin/false' },
};
const disabled = Object.fromEntries(
  Object.entries(broken).map(([name, entry]) => [name, { ...entry, enabled: false }]),
);
const troupe = await startTroupe(t, { mcpServers: { healthy: demoServer(), ...disabled } });
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

async function switchFaults(on) {
  for (const name of Object.keys(broken)) await surface.enable(name, on);
  if (!on) return;
  await surface.health('floods-http', 'success');
  surface.fault('floods-http', 'flood').catch(() => {}); // goes on until it is switched off
}

const quiet = [];
const beside = [];
await calls([], 1000);
for (let turn = 0; turn < turns; turn += 1) {
  await calls(quiet, (seconds * 1000) / turns);
  await switchFaults(true);
  await calls(beside, (seconds * 1000) / turns);
  await switchFaults(false);
}

console.log('\n| a call to a healthy server, over HTTP | p50 | p99 |\n|---|---|---|');
const shown = (values, q) => `${quantile(values, q).toFixed(3)} ms`;
const change = (q) => `${((quantile(beside, q) / quantile(quiet, q) - 1) * 100).toFixed(0)} %`;
console.log(`| alone | ${shown(quiet, 0.5)} | ${shown(quiet, 0.99)} |`);
const names = Object.keys(broken).join(', ');
console.log(`| beside ${names} | ${shown(beside, 0.5)} | ${shown(beside, 0.99)} |`);
console.log(`| change | ${change(0.5)} | ${change(0.99)} |`);
for (const work of cleanups) await work();
process.exit(0);
