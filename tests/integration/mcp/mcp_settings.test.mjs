// What is done to MCP servers at run time, after the server was killed and started again.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { KeptIn } from '../support/kept_in.mjs';
import { overHttp } from '../support/mcp_surfaces.mjs';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const secret = 'a-secret-of-an-entry';

/** Starts troupe on what is kept, with these servers configured. */
async function start(t, model, kept, mcpServers) {
  const troupe = await startTroupe(t, {
    models: models(model.url, ['text']),
    defaultModel: 'text',
    ...kept.config,
    mcpServers,
  });
  const { json, servers } = overHttp(troupe.url);
  return { troupe, json, servers };
}

/** The power goes off. */
async function kill({ troupe }) {
  troupe.judged = true;
  troupe.program.signal('SIGKILL');
  await troupe.program.exit;
}

/** How the servers are switched, by name and in order. */
const switches = async ({ servers }) =>
  (await servers()).map(({ name, enabled }) => (enabled ? name : `${name} off`));

test('changes of MCP servers survive the end of the process', { timeout }, async (t) => {
  const model = await startModel(t);
  const kept = new KeptIn(t);
  const configured = { kept: demoServer(), switched: demoServer(), removed: demoServer() };
  const first = await start(t, model, kept, configured);
  const entry = { ...demoServer(), env: { KEY: secret } };
  for (const name of ['zeta', 'alpha']) await first.json('PUT', `/v1/mcp/servers/${name}`, entry);
  await first.json('PATCH', '/v1/mcp/servers/switched', { enabled: false });
  await first.json('DELETE', '/v1/mcp/servers/removed');
  await kill(first);

  const expected = ['kept', 'switched off', 'zeta', 'alpha'];
  const second = await start(t, model, kept, configured);
  await connected(second.troupe, 'alpha');
  assert.deepEqual(await switches(second), expected);
  await second.json('PATCH', '/v1/mcp/servers/switched', { enabled: true });
  await second.json('DELETE', '/v1/mcp/servers/zeta');
  await kill(second);

  const third = await start(t, model, kept, { ...configured, kept: { ...demoServer(), enabled: false } });
  await connected(third.troupe, 'alpha');
  assert.deepEqual(await switches(third), ['kept off', 'switched', 'alpha']);
  const told = [first, second, third].map(({ troupe }) => troupe.program.stdout + troupe.program.stderr);
  const asked = JSON.stringify([await third.servers(), await third.troupe.status()]);
  assert.ok(![...told, asked].some((text) => text.includes(secret)), 'secrets stay where they are');
  const files = kept.data ? readdirSync(kept.data).filter((name) => name.startsWith('troupe.db')) : [];
  for (const file of files) {
    assert.equal(statSync(path.join(kept.data, file)).mode & 0o777, 0o600, file);
  }
});

test('a configuration that has changed since wins', { timeout }, async (t) => {
  const model = await startModel(t);
  const kept = new KeptIn(t);
  const first = await start(t, model, kept, { one: demoServer(), two: demoServer() });
  await first.json('PATCH', '/v1/mcp/servers/one', { enabled: false });
  await first.json('DELETE', '/v1/mcp/servers/two');
  await kill(first);
  const changed = { ...demoServer(), maxParallel: 3 };
  const second = await start(t, model, kept, { one: changed, two: changed });
  await connected(second.troupe, 'two');
  assert.deepEqual(await switches(second), ['one', 'two']);
  assert.equal(second.troupe.program.stderr.match(/"event":"mcp_settings"/g)?.length, 2);
});
