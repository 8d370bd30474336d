// Keys of the program, as far as MCP servers that it starts are concerned.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../support/patience.mjs';
import { Program, binary } from '../support/program.mjs';
import { configFile, folder, startModel } from '../support/servers.mjs';

const timeout = 60000;
const secret = ['sk-of-the-', 'operator'];
const peeping = fileURLToPath(new URL('../support/untrusted/peeping_server.mjs', import.meta.url));

// Root may look into every process, unless it lacks the capabilities for it.
const asUser = process.getuid() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : ['env'];

/** Starts a command of troupe with an MCP server that looks around; resolves with what that found. */
async function found(t, args, env = {}) {
  const model = await startModel(t);
  const file = path.join(folder(t), 'found.json');
  const config = configFile(t, {
    models: { m: { base_url: `${model.url}/v1`, model: 'paced-50-60000', api_key: '${OPENAI_API_KEY}' } },
    mcpServers: { peeping: { command: process.execPath, args: [peeping, file, ...secret] } },
  });
  const [first, ...more] = [...asUser, binary('troupe'), ...args, '--config', config];
  const program = new Program(first, more, { env: { TROUPE_DUMPABLE: '', OPENAI_API_KEY: secret.join(''), ...env } });
  t.after(() => program.end());
  await until('the server has looked', () => existsSync(file) || assert.fail(String(program)));
  return JSON.parse(readFileSync(file, 'utf8'));
}

const nothing = { own: false, environment: false, memory: false, descriptors: false, watcher: false };

for (const args of [
  ['serve', '--listen', '127.0.0.1:0', '--data', ''],
  ['chat', 'hello', '--data', ''],
  ['mcp', 'call', 'peeping', 'look'],
])
  test(`an MCP server cannot read the keys of troupe ${args[0]}`, { timeout }, async (t) => {
    assert.deepEqual(await found(t, args), nothing);
  });

test('who wants core files and debuggers opens the program to MCP servers, too', { timeout }, async (t) => {
  const all = await found(t, ['mcp', 'call', 'peeping', 'look'], { TROUPE_DUMPABLE: '1' });
  assert.deepEqual(all, { own: false, environment: true, memory: true, descriptors: true, watcher: true });
});
