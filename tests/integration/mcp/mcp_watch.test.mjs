// `troupe mcp watch`: of which server, and when there is nothing to watch any more.
import assert from 'node:assert/strict';
import test from 'node:test';
import { overHttp } from '../support/mcp_surfaces.mjs';
import { until, within } from '../support/patience.mjs';
import { Program, binary, run } from '../support/program.mjs';
import {
  connected, demoServer, freePort, models, startModel, startTroupe,
} from '../support/servers.mjs';

const timeout = within(60000);

async function serve(t, config = {}) {
  const model = await startModel(t);
  return startTroupe(t, {
    models: models(model.url, ['text']), defaultModel: 'text',
    mcpServers: { one: demoServer(), two: demoServer() }, ...config,
  });
}

const switchOff = async (troupe, name) => {
  const http = overHttp(troupe.url);
  await http.json('PATCH', `/v1/mcp/servers/${name}`, { enabled: false });
  await http.json('PATCH', `/v1/mcp/servers/${name}`, { enabled: true });
};

test('watch ends with an error where there is nothing to watch', { timeout }, async (t) => {
  const nobody = await run(binary('troupe'), ['mcp', 'watch', '--server', `http://127.0.0.1:${await freePort()}`]);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /^troupe: .*refused/i);
  const troupe = await serve(t);
  const unknown = await run(binary('troupe'), ['mcp', 'watch', 'nobody', '--server', troupe.url]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /^troupe: .*nobody/);
  const elsewhere = await run(binary('troupe'), ['mcp', 'watch', '--server', `${troupe.url}/elsewhere`]);
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.stderr, /^troupe: ./);
});

test('watch ends with an error when the server ends', { timeout }, async (t) => {
  const troupe = await serve(t);
  const watch = new Program(binary('troupe'), ['mcp', 'watch', '--server', troupe.url]);
  t.after(() => watch.signal('SIGKILL'));
  await until('it sees a change', async () => {
    await switchOff(troupe, 'one');
    return watch.stdout.includes('"event":"server"');
  });
  await troupe.program.end();
  assert.deepEqual(await watch.exit, { code: 1, signal: null });
  assert.match(watch.stderr, /^troupe: ./);
});

test('watch with a name prints the events of that server alone', { timeout }, async (t) => {
  const troupe = await serve(t);
  await connected(troupe, 'one');
  await connected(troupe, 'two');
  const watch = new Program(binary('troupe'), ['mcp', 'watch', 'two', '--server', troupe.url]);
  t.after(() => watch.signal('SIGKILL'));
  await until('it sees a change', async () => {
    await switchOff(troupe, 'one');
    await switchOff(troupe, 'two');
    return watch.stdout.includes('"event":"server"');
  });
  watch.signal('SIGINT');
  assert.deepEqual(await watch.exit, { code: 0, signal: null });
  const events = watch.stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual([...new Set(events.map(({ data }) => data.name ?? data.server))], ['two']);
});
