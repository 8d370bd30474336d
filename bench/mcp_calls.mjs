// What bench/mcp.sh measures of @modelcontextprotocol/sdk: `mcp_calls.mjs ECHO_SERVER SECONDS`.
// Prints the same lines as the program bench-mcp-calls.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const packages = createRequire(new URL('../tests/integration/package.json', import.meta.url));
const { Client } = packages('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = packages('@modelcontextprotocol/sdk/client/stdio.js');
const [command, seconds = '3'] = process.argv.slice(2);
const connections = 200;

async function connect() {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command }));
  await client.listTools();
  return client;
}

const call = async (client, n) => {
  const text = `hello ${n}`;
  const { content } = await client.callTool({ name: 'echo', arguments: { text } });
  if (content[0].text !== text) throw new Error(`wrong answer: ${JSON.stringify(content)}`);
};

/** Keeps `width` calls in flight for `length` seconds; returns their figures. */
async function load(client, width, length) {
  const took = [];
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const end = begin + length * 1000;
  const chain = async () => {
    for (let at = performance.now(); at < end; ) {
      await call(client, took.length);
      const now = performance.now();
      took.push(now - at);
      at = now;
    }
  };
  await Promise.all(Array.from({ length: width }, chain));
  const elapsed = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  took.sort((a, b) => a - b);
  const quantile = (q) => (took[Math.floor(took.length * q)] * 1000).toFixed(1);
  return {
    calls_per_second: Math.round(took.length / elapsed),
    cpu_us_per_call: ((user + system) / took.length).toFixed(2),
    p50_us: quantile(0.5),
    p99_us: quantile(0.99),
  };
}

function residentKiB() {
  globalThis.gc?.();
  return Number(readFileSync('/proc/self/status', 'utf8').match(/^VmRSS:\s+(\d+)/m)[1]);
}

const print = (prefix, values) =>
  Object.entries(values).forEach(([key, value]) => console.log(`${prefix}_${key} ${value}`));

// Memory first: afterwards the heap of the loads would hide what a connection costs.
const first = await connect();
await call(first, 0);
const before = residentKiB();
const began = performance.now();
const clients = await Promise.all(Array.from({ length: connections }, connect));
await Promise.all(clients.map(call));
console.log(`connect_${connections}_ms ${Math.round(performance.now() - began)}`);
console.log(`kib_per_connection ${((residentKiB() - before) / connections).toFixed(1)}`);
await Promise.all(clients.map((client) => client.close()));

await load(first, 1, 1);
print('one', await load(first, 1, Number(seconds)));
print('hundred', await load(first, 100, Number(seconds)));
await first.close();
