// The servers that tests start: troupe itself, the scripted model, the MCP servers.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { configFile } from './folders.mjs';
import { databaseOf } from './kept_in.mjs';
import { here } from './network.mjs';
import { settles, until } from './patience.mjs';
import { Program, binary, sanitizerReport } from './program.mjs';

const everything = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
export const announcement = /listening on (http:\/\/[\d.]+:\d+)/;

/** Every script of `troupe model` that has a fixed name. */
export const scripts = [
  'text', 'echo', 'call', 'chain', 'parallel', 'paced', 'unknown-tool', 'bad-arguments',
  'tool-error', 'error-400', 'error-401', 'error-429', 'error-500', 'error-503', 'error-quota',
  'error-in-stream', 'busy-in-stream', 'html', 'html-502', 'cut', 'cut-clean', 'silent', 'stall',
  'slow-start', 'reasoning', 'reasoning-chain', 'pause', 'filtered', 'long', 'loop', 'empty',
  'length', 'hang-call', 'told', 'demo',
];

export { configFile, folder } from './folders.mjs';

/** Returns the `models` of a configuration: one key per script, the key is the script's name. */
export function models(baseUrl, names = scripts, extra = {}) {
  return Object.fromEntries(
    names.map((name) => [
      name,
      { provider: 'openai', base_url: `${baseUrl}/v1`, model: name, api_key: 'test-key', ...extra },
    ]),
  );
}

/** Starts the scripted model; has `url`, stats(), requests() and forget(). */
export async function startModel(t) {
  const program = new Program(binary('troupe'), ['model', '--listen', `${here}:0`]);
  t.after(() => endCleanly(program));
  const [, url] = await program.prints(announcement);
  const read = async (what) => (await fetch(url + what)).json();
  return {
    url,
    program,
    stats: () => read('/stats'),
    requests: () => read('/requests'),
    forget: () => fetch(`${url}/requests`, { method: 'DELETE' }).then((answer) => answer.text()),
  };
}

/**
 * Starts `troupe serve` on a free port with this configuration (merged over a quick drain) and
 * resolves once /readyz says so; has `url`, `program`, `data` (the folder with its chats, its own
 * unless the configuration names one; kept_in.mjs says when it is a database) and status(). After the test it must end with exit code 0 and
 * without a sanitizer's report, unless the test sets `judged`.
 */
export async function startTroupe(t, config, { args = [], env } = {}) {
  const file = configFile(t, {
    listen: '127.0.0.1:0',
    ...((config.data ?? config.store) === undefined && databaseOf(t)),
    ...config,
    limits: { drainSeconds: 1, ...config.limits },
  });
  const program = new Program(binary('troupe'), ['serve', '--config', file, ...args], { env });
  const data = config?.data ?? path.join(program.home, 'troupe');
  const troupe = { program, file, data };
  t.after(() => troupe.judged || endCleanly(program));
  const [, url] = await program.prints(announcement);
  await until('/readyz answers 200', async () => {
    const answer = await fetch(`${url}/readyz`);
    return answer.ok || assert.fail(await answer.text());
  }, 60000); // it waits for MCP servers, whose programs a busy machine starts slowly
  const status = async () => (await fetch(`${url}/v1/status`)).json();
  return Object.assign(troupe, { url, status });
}

/** Resolves when the MCP server `name` is connected. */
export async function connected(troupe, name) {
  await until(
    `MCP server ${name} is connected`,
    async () => {
      const status = await troupe.status();
      const found = serverIn(status, name);
      return found?.health === 'success' ? found : assert.fail(JSON.stringify(status));
    },
    60000,
  );
}

/** Returns what a /v1/status says about the MCP server `name`. */
export const serverIn = (status, name) => status.mcpServers.find((server) => server.name === name);

/** Returns the `mcpServers` entry of the demo server, which logs what it reads to `log`. */
export function demoServer(log) {
  return { command: binary('troupe-demo-mcp'), args: log ? ['--log', log] : [] };
}

/** Returns the `mcpServers` entry of server-everything over stdio. */
export function everythingOverStdio() {
  return { command: process.execPath, args: [everything, 'stdio'] };
}

/** Starts server-everything over Streamable HTTP; resolves with its `mcpServers` entry. */
export const everythingOverHttp = (t) => everythingInMode(t, 'streamableHttp');

/** Starts server-everything in one of its HTTP modes; resolves with its `mcpServers` entry. */
export async function everythingInMode(t, mode) {
  const port = await freePort();
  const program = new Program(process.execPath, [everything, mode], {
    env: { PORT: String(port) },
  });
  t.after(() => program.end());
  await until(`port ${port} accepts`, () => accepts(port), 20000);
  const at = `http://127.0.0.1:${port}`;
  return mode === 'sse' ? { type: 'sse', url: `${at}/sse` } : { type: 'http', url: `${at}/mcp` };
}

/**
 * Resolves with a port of the loopback interface that nobody listens on, below those that the kernel gives to connections: whoever
 * connects somewhere cannot take it before it is used.
 */
export async function freePort() {
  const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number);
  for (;;) {
    const port = randomInt(Math.min(10000, first - 1000), first);
    const server = net.createServer();
    const free = await new Promise((resolve) => server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)));
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Ends a program of ours; fails when it did not end well. */
export async function endCleanly(program) {
  const { code, signal } = program.ended ?? (await settles('it ends', program.end(), 20000));
  assert.equal(sanitizerReport(program), undefined);
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, String(program));
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
