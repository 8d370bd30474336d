// scripts/quickstart.sh --once on programs that are built already.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { binary, run } from '../support/program.mjs';
import { folder, freePort } from '../support/servers.mjs';

const script = fileURLToPath(new URL('../../../scripts/quickstart.sh', import.meta.url));
const timeout = 240000;
const expected = [
  'SESSION_START', 'MODEL_RESPONSE_WAITING', 'TOOL_ARGS_START', 'TOOL_ARGS_COMPLETE',
  'MCP_TOOL_START', 'MCP_TOOL_SUCCESS', 'MODEL_RESPONSE_WAITING', 'TEXT',
  'MODEL_GENERATION_STOP', 'SESSION_END',
];

/** Whether `wanted` occurs in `seen` in this order, with anything between. */
function inOrder(wanted, seen) {
  let next = 0;
  for (const one of seen) if (one === wanted[next]) next += 1;
  return next === wanted.length;
}

const quickstart = (t, args, env) =>
  run('bash', [script, ...args], {
    milliseconds: timeout - 10000,
    env: {
      TROUPE_BIN: path.dirname(binary('troupe')),
      TROUPE_QUICKSTART_DIR: folder(t),
      ...env,
    },
  });

test('--once shows the events of a turn with a tool call and exits 0', { timeout }, async (t) => {
  const port = await freePort();
  const { code, stdout, stderr } = await quickstart(t, ['--once', '--port', String(port)]);
  assert.equal(code, 0, stdout + stderr);
  const events = [...stdout.matchAll(/"type":\s*"([A-Z_]+)"/g)].map(([, name]) => name);
  assert.ok(inOrder(expected, events), `${events}\n${stdout}`);
  assert.match(stdout, /\d+(\.\d+)? s\b/, 'it says how long its steps took');
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`), 'the server is gone again');
});

test('a busy port is one clear message', { timeout }, async (t) => {
  const port = await freePort();
  const squatter = net.createServer();
  await new Promise((resolve) => squatter.listen(port, '127.0.0.1', resolve));
  t.after(() => squatter.close());
  const { code, stderr } = await quickstart(t, ['--once'], { TROUPE_PORT: String(port) });
  assert.notEqual(code, 0);
  assert.match(stderr, new RegExp(`port ${port}.*in use`, 'i'));
  assert.match(stderr, /--port/, 'it says what to do');
});

test('an unknown option and --help', { timeout }, async (t) => {
  const unknown = await quickstart(t, ['--twice']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /--twice/);
  const help = await quickstart(t, ['--help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--once/);
});
