// `troupe mcp`: changing settings, tables, exit codes, and that secrets are never shown.
import assert from 'node:assert/strict';
import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { overHttp } from '../support/mcp_surfaces.mjs';
import { until, within } from '../support/patience.mjs';
import { listeningPorts } from '../support/processes.mjs';
import { Program, binary, run } from '../support/program.mjs';
import {
  configFile, connected, demoServer, everythingOverStdio, folder, models, startModel, startTroupe,
} from '../support/servers.mjs';

const timeout = within(120000);
const mcp = (...args) => run(binary('troupe'), ['mcp', ...args], { milliseconds: 60000 });
const secret = 'sesame-5f1c';

test('add, disable, enable and remove change the file and nothing else in it', { timeout }, async (t) => {
  const file = path.join(folder(t), 'troupe.json');
  const rest = '{ "listen" : "127.0.0.1:0",\n  "limits": {"drainSeconds":   3} }';
  writeFileSync(file, rest, { mode: 0o640 });
  const change = async (...args) => {
    const { code, stdout, stderr } = await mcp(...args, '--config', file);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '');
    return JSON.parse(readFileSync(file, 'utf8'));
  };
  const added = await (async () => {
    const { code, stderr } = await mcp('add', 'files', '--env', `TOKEN=${secret}`, '--config', file, '--', 'server', '-x', 'a b');
    assert.equal(code, 0, stderr);
    return JSON.parse(readFileSync(file, 'utf8'));
  })();
  assert.deepEqual(added.mcpServers, {
    files: { command: 'server', args: ['-x', 'a b'], env: { TOKEN: secret } },
  });
  assert.match(readFileSync(file, 'utf8'), /"drainSeconds": {3}3/, 'other members stay as they were');
  assert.equal(statSync(file).mode & 0o777, 0o640);
  const two = await change('add', 'web', '--url', 'http://127.0.0.1:9/mcp', '--header', `X-Key: ${secret}`);
  assert.deepEqual(Object.keys(two.mcpServers), ['files', 'web']);
  assert.deepEqual(two.mcpServers.web.headers, { 'X-Key': secret });
  assert.equal((await change('disable', 'web')).mcpServers.web.enabled, false);
  assert.equal((await change('enable', 'web')).mcpServers.web.enabled, true);
  const left = await change('remove', 'web');
  assert.deepEqual(Object.keys(left.mcpServers), ['files']);
  assert.deepEqual(left.limits, { drainSeconds: 3 });
});

test('a configuration behind a link is changed where it is', { timeout }, async (t) => {
  const place = folder(t);
  const file = path.join(place, 'real.json');
  const link = path.join(place, 'link.json');
  writeFileSync(file, '{"mcpServers":{"a":{"command":"x"}}}');
  symlinkSync('real.json', link);
  const { code, stderr } = await mcp('disable', 'a', '--config', link);
  assert.equal(code, 0, stderr);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).mcpServers.a.enabled, false);
});

test('a change that would break the configuration is refused and changes nothing', { timeout }, async (t) => {
  const file = path.join(folder(t), 'troupe.json');
  const text = '{"mcpServers":{"a":{"command":"x"}}}';
  writeFileSync(file, text);
  const wrong = [
    ['add', 'b', '--type', 'pigeon', '--url', 'http://h/'],
    ['add', 'b'],
    ['remove', 'nobody'],
    ['enable', 'nobody'],
  ];
  for (const args of wrong) {
    const { code, stderr } = await mcp(...args, '--config', file);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /^troupe: ./, args.join(' '));
    assert.equal(readFileSync(file, 'utf8'), text, args.join(' '));
  }
  const nowhere = await mcp('add', 'b', '--url', 'http://h/');
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.stderr, /--config.*--server/);
});

test('what a configuration that is not valid has can be switched off and removed', { timeout }, async (t) => {
  const file = path.join(folder(t), 'troupe.json');
  const entry = { command: 'x', sampling: 'perhaps' };
  writeFileSync(file, JSON.stringify({ mcpServers: { a: entry, b: { command: 'y' } } }));
  const servers = () => JSON.parse(readFileSync(file, 'utf8')).mcpServers;
  for (const verb of [['enable', 'b'], ['add', 'c', '--url', 'http://h/']]) {
    const { code, stderr } = await mcp(...verb, '--config', file);
    assert.equal(code, 2, verb.join(' '));
    assert.match(stderr, /sampling must be/);
  }
  for (const verb of ['disable', 'remove']) {
    const { code, stderr } = await mcp(verb, 'b', '--config', file);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /still not valid.*sampling must be/);
    assert.deepEqual(servers().b, verb === 'disable' ? { command: 'y', enabled: false } : undefined);
    assert.deepEqual(servers().a, entry);
  }
  const removed = await mcp('remove', 'a', '--config', file);
  assert.deepEqual([removed.code, removed.stderr], [0, '']);

  const odd = '{"mcpServers":{"a":"npx server"}}';
  writeFileSync(file, odd);
  const refused = await mcp('disable', 'a', '--config', file);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /'a'.*no object/);
  assert.equal(readFileSync(file, 'utf8'), odd);
});

test('options that cannot be meant are refused', { timeout }, async (t) => {
  const file = configFile(t, { mcpServers: { demo: demoServer() } });
  const text = readFileSync(file, 'utf8');
  const web = ['add', 'x', '--url', 'http://127.0.0.1:9/mcp'];
  const wrong = [
    [[...web, '--header', `${secret}`], /--header: must be 'Name: value'/],
    [[...web, '--header', `:${secret}`], /--header: must be 'Name: value'/],
    [[...web, '--env', 'A=1'], /--(env|url) excludes --(env|url)/],
    [[...web, '--', 'server'], /excludes/],
    [['add', 'x', '--env', `${secret}`, '--', 'server'], /--env: each is a name, =, and a value/],
    [['add', 'x', '--header', 'A: 1', '--', 'server'], /excludes/],
    [['add', 'x', 'npx', '-y', 'package'], /not expected: -y[^]*Write -- in front/],
    [['prompt', 'demo', 'review', 'path'], /ARGUMENTS: give one JSON object in quotes.*or NAME=VALUE each, as city=Oslo/],
    [['prompt', 'demo', 'review', '{"city":'], /ARGUMENTS: not valid JSON: .* at byte 8/],
    [['call', 'demo', 'get-sum', '{"a":1}', 'b=2'], /ARGUMENTS: give one JSON object/],
    [['request', 'demo', 'tools/list', '[1]'], /the params are no JSON object/],
    [['complete', 'demo', 'path', '--prompt', 'review', '--with', 'kind'], /--with: each is a name, =, and a value/],
  ];
  for (const [args, why] of wrong) {
    const at = args.indexOf('--') < 0 ? args.length : args.indexOf('--');
    const { code, stderr } = await mcp(...args.slice(0, at), '--config', file, ...args.slice(at));
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, why, args.join(' '));
    assert.equal(stderr.includes(secret), false, args.join(' '));
    assert.equal(readFileSync(file, 'utf8'), text);
  }
  for (const verb of ['enable', 'disable', 'remove']) {
    const { code, stderr } = await mcp(verb, 'x');
    assert.equal(code, 2);
    assert.match(stderr, /--config.*--server/, verb);
  }
});

test('a running server takes changes, and shows no secret anywhere', { timeout }, async (t) => {
  const model = await startModel(t);
  const demo = { ...demoServer(), env: { TOKEN: secret } };
  const troupe = await startTroupe(t, {
    models: models(model.url, ['text']), defaultModel: 'text', mcpServers: { demo },
  });
  await connected(troupe, 'demo');
  const http = overHttp(troupe.url);
  const at = ['--server', troupe.url];
  let output = '';
  const tell = async (expected, ...args) => {
    const { code, stdout, stderr } = await mcp(...args);
    output += stdout + stderr;
    assert.equal(code, expected, `${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const health = async (name) => (await http.servers()).find((each) => each.name === name)?.health;

  await tell(0, 'add', 'more', ...at, '--env', `TOKEN=${secret}`, '--', binary('troupe-demo-mcp'));
  await until('the new server is connected', async () => (await health('more')) === 'success');
  await tell(0, 'add', 'gone', ...at, '--url', `http://127.0.0.1:9/mcp`, '--header', `X-Key: ${secret}`);
  await until('a dead server is reported', async () => (await health('gone')) === 'error');
  const table = await until('between two tries', async () => {
    const shown = await tell(1, 'list', ...at);
    return /^gone +http +error/m.test(shown) && shown;
  });
  assert.match(table, /^NAME +TYPE +HEALTH/);
  assert.match(table, /^more +stdio +success/m);
  assert.equal(JSON.parse(await tell(1, 'list', ...at, '--json')).servers.length, 3);
  await tell(0, 'retry', 'gone', ...at);
  await tell(0, 'disable', 'gone', ...at);
  await until('it is disabled', async () => (await health('gone')) === 'idle');
  await tell(0, 'list', ...at);
  await tell(0, 'enable', 'gone', ...at);
  await tell(0, 'log', 'gone', ...at);
  await tell(0, 'remove', 'gone', ...at);
  assert.equal(await health('gone'), undefined);
  await tell(1, 'remove', 'gone', ...at);
  await tell(0, 'tools', 'more', ...at);
  await tell(0, 'list', ...at, '--json');
  output += JSON.stringify(await http.servers()) + JSON.stringify(await troupe.status());
  output += troupe.program.stdout + troupe.program.stderr;
  assert.equal(output.includes(secret), false, 'a secret was shown');
});

test('watch prints changes until it is stopped', { timeout }, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['text']), defaultModel: 'text', mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  const http = overHttp(troupe.url);
  const watch = new Program(binary('troupe'), ['mcp', 'watch', '--server', troupe.url]);
  t.after(() => watch.signal('SIGKILL'));
  await until('it sees a change', async () => {
    await http.json('PATCH', '/v1/mcp/servers/demo', { enabled: false });
    await http.json('PATCH', '/v1/mcp/servers/demo', { enabled: true });
    return watch.stdout.includes('"event":"server"');
  });
  for (const line of watch.stdout.split('\n').slice(0, -1)) JSON.parse(line); // the last one may still come
  watch.signal('SIGINT');
  assert.deepEqual(await watch.exit, { code: 0, signal: null });
});

test('verbs without an effect of their own want a running server', { timeout }, async (t) => {
  const file = configFile(t, { mcpServers: { demo: demoServer() } });
  const verbs = [
    ['attach', 'chat', 'demo', 'x://y'], ['attachments', 'chat'], ['detach', 'chat', 'res-1'],
    ['log-level', 'demo', 'debug'], ['retry', 'demo'],
  ];
  for (const verb of verbs) {
    const { code, stdout, stderr } = await mcp(...verb, '--config', file);
    assert.equal(code, 2, verb.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^troupe: .*name a running server with --server\n$/);
  }
});

test('tables and messages show what is in them', { timeout }, async (t) => {
  const script = fileURLToPath(new URL('../support/asking_server.mjs', import.meta.url));
  const file = configFile(t, {
    mcpServers: {
      asking: { command: process.execPath, args: [script] },
      broken: { command: 'sh', args: ['-c', 'echo no such license >&2; exit 3'] },
    },
  });
  const table = await mcp('list', '--config', file);
  assert.equal(table.code, 1);
  assert.match(table.stdout, /^broken .*its stderr ends with: no such license$/m);
  const { stdout } = await mcp('prompt', 'asking', 'parts', '--config', file);
  assert.equal(stdout, 'user: the text\nuser: b: x://b\n');
});

test('the port of a command without --server lets in nobody else', { timeout }, async (t) => {
  const file = path.join(folder(t), 'troupe.json');
  const log = path.join(folder(t), 'demo.log');
  writeFileSync(file, JSON.stringify({ mcpServers: { demo: demoServer(log) } }));
  const call = new Program(binary('troupe'), ['mcp', 'call', 'demo', 'hang', '--config', file], { env: { TROUPE_DUMPABLE: '1' } });
  t.after(() => call.signal('SIGKILL'));
  await until('the call runs', async () => {
    try {
      return readFileSync(log, 'utf8').includes('hang');
    } catch {
      return false;
    }
  });
  const ports = listeningPorts(call.pid);
  assert.ok(ports.length > 0, 'it listens');
  const entry = { method: 'PUT', body: '{"command":"true"}' };
  for (const port of ports) {
    const ask = async (where, how) => (await fetch(`http://127.0.0.1:${port}${where}`, how)).status;
    assert.ok([401, 404].includes(await ask('/v1/mcp/servers/x', entry)));
    assert.ok([401, 404].includes(await ask('/requests')), 'the built-in model tells of no request');
    assert.ok([401, 404].includes(await ask('/stats')));
  }
});

test('resources and prompts of a server that was just started are listed', { timeout }, async (t) => {
  const config = configFile(t, { mcpServers: { everything: everythingOverStdio() } });
  for (const verb of ['resources', 'prompts']) {
    const { code, stdout, stderr } = await mcp(verb, '--config', config);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /everything/, verb);
  }
  const { stdout } = await mcp('list', '--json', '--config', config);
  const [server] = JSON.parse(stdout).servers;
  assert.ok(server.resources > 0 && server.prompts > 0, stdout);
});
