// How many descriptors `troupe serve` allows itself, and leaves to the programs it starts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { childrenOf } from '../support/processes.mjs';
import { Program, binary } from '../support/program.mjs';
import { configFile, connected, demoServer, endCleanly } from '../support/servers.mjs';

const timeout = 60000;

/** Starts a server under `ulimit` with these arguments; has `url`, `program` and status(). */
async function startWith(t, limits, config) {
  const file = configFile(t, { listen: '127.0.0.1:0', ...config });
  const script = `ulimit ${limits} && exec "$0" "$@"`;
  const args = ['serve', '--config', file, '--shards', '1'];
  const program = new Program('sh', ['-c', script, binary('troupe'), ...args]);
  t.after(() => endCleanly(program));
  const [, url] = await program.prints(/listening on (http:\/\/[\d.]+:\d+)/);
  return { url, program, status: async () => (await fetch(`${url}/v1/status`)).json() };
}

const softLimit = (pid) =>
  Number(readFileSync(`/proc/${pid}/limits`, 'utf8').match(/^Max open files +(\d+)/m)[1]);

test('maxConnections decides the limit, and MCP servers keep the old one', { timeout }, async (t) => {
  const troupe = await startWith(t, '-Sn 300', {
    limits: { maxConnections: 500 }, mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  const { pid } = troupe.program;
  assert.equal(softLimit(pid), 2000);
  assert.deepEqual(childrenOf(pid).map((child) => softLimit(child.pid)), [300]);
  assert.doesNotMatch(troupe.program.stderr, /descriptor_limit/);
});

test('a hard limit that is too low for the clients is said', { timeout }, async (t) => {
  const { program } = await startWith(t, '-n 400', { limits: { maxConnections: 500 } });
  assert.equal(softLimit(program.pid), 400);
  const line = /"descriptor_limit".*"descriptors":400,"maxConnections":500/;
  await program.prints(line, { on: 'stderr' });
});
