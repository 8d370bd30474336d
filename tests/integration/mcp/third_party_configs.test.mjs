// Configurations as other programs and people write them: taken as they are, imported, explained.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { until, within } from '../support/patience.mjs';
import { Program, binary, run } from '../support/program.mjs';
import { announcement, connected, demoServer, endCleanly, folder, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = within(120000);
const samples = fileURLToPath(new URL('../../apps/troupe/fixtures/import/', import.meta.url));
const sample = (name) => path.join(samples, name);
const found = { PATH: `${path.dirname(binary('troupe'))}:${process.env.PATH}` }; // troupe-demo-mcp is there
const mcp = (args, env = {}) =>
  run(binary('troupe'), ['mcp', ...args], { milliseconds: 60000, env: { ...found, ...env } });

/** Writes a file and returns its path. */
function written(t, text, name = 'troupe.json') {
  const file = path.join(folder(t), name);
  writeFileSync(file, text);
  return file;
}

/** Lists the servers of a file; returns them by name, and what was said on stderr. */
async function listed(file, env) {
  const { stdout, stderr } = await mcp(['list', '--json', '--config', file], env);
  const servers = stdout === '' ? [] : JSON.parse(stdout).servers;
  return { stderr, servers: Object.fromEntries(servers.map((each) => [each.name, each])) };
}

/** Switches off all servers but `demo`: nobody is at the addresses of the samples. */
function onlyDemo(t, text) {
  const config = JSON.parse(text);
  for (const [name, entry] of Object.entries(config.mcpServers)) entry.enabled = name === 'demo';
  return written(t, JSON.stringify(config));
}

const imports = [
  ['claude_desktop.json', { demo: 'stdio', notes: 'stdio' }, 0, /notes: the arguments in command stand in args/],
  ['claude_code.json', { demo: 'stdio', tickets: 'http', shop: 'sse' }, 0, /shop: Claude Code uses it in \/home\/ann\/shop only/],
  ['claude_project.json', { demo: 'stdio', tickets: 'http', feed: 'sse' }, 0, /tickets: headersHelper is left out/],
  ['cursor.json', { demo: 'stdio', search: 'http', local: 'stdio' }, 0, /SEARCH_KEY/],
  ['vscode.json', { demo: 'stdio', tracker: 'http', mine: 'stdio' }, 0, /tracker: VS Code asks for 'tracker-key': set TRACKER_KEY/],
  ['windsurf.json', { demo: 'stdio', design: 'http' }, 0, /design: serverUrl is url here/],
  ['gemini.json', { demo: 'stdio', stream: 'http' }, 0, /stream: httpUrl is url here/],
  ['librechat.yaml', { demo: 'stdio', search: 'http', mail: 'sse' }, 0, /mail: .*set MAIL_TOKEN/],
  ['zed.json', { demo: 'stdio', older: 'stdio', remote: 'http' }, 1, /mcp-server-github: it has neither a command nor a url \(left out\)/],
  ['continue.yaml', { demo: 'stdio', 'Docs search': 'http' }, 0, /demo: Continue keeps 'secrets.DEMO_KEY'/],
  ['continue_old.json', { 'server-1': 'stdio' }, 0, /1 of 1 servers/],
  ['opencode.jsonc', { demo: 'stdio', web: 'http' }, 1, /inherited: it has neither/],
  ['cline.json', { demo: 'stdio', roo: 'http' }, 0, /demo: timeout 60 is taken for seconds/],
];

for (const [name, servers, code, said] of imports) {
  test(`${name} is imported, and its server of this machine connects`, { timeout }, async (t) => {
    const made = await mcp(['import', sample(name)]);
    assert.equal(made.code, code, made.stderr);
    assert.match(made.stderr, said);
    const config = onlyDemo(t, made.stdout);
    const env = { DEMO_KEY: 'k', SEARCH_KEY: 'k', TICKETS_TOKEN: 't', TRACKER_KEY: 't', MAIL_TOKEN: 't', DOCS_TOKEN: 't', WEB_TOKEN: 't' };
    const list = await listed(config, env);
    assert.deepEqual(Object.fromEntries(Object.values(list.servers).map((each) => [each.name, each.type])), servers);
    if (servers.demo) {
      assert.equal(list.servers.demo.health, 'success', JSON.stringify(list.servers.demo));
      assert.ok(list.servers.demo.tools > 0);
    }
  });
}

test('plain files of Claude, Cursor, Windsurf, Cline and Roo are taken as they are', { timeout }, async (t) => {
  for (const name of ['claude_desktop.json', 'claude_project.json', 'cursor.json', 'windsurf.json', 'cline.json']) {
    const text = readFileSync(sample(name), 'utf8').replace(/"https:[^"]*"/g, '"http://127.0.0.1:9/mcp"');
    const { servers, stderr } = await listed(written(t, text));
    assert.equal(servers.demo?.health, 'success', `${name}: ${stderr}`);
  }
  const { stderr } = await listed(sample('claude_desktop.json'));
  assert.match(stderr, /claude_desktop\.json:2:3: globalShortcut is a key of other programs; it means nothing here and is passed over/);
});

test('files of another form are refused with what reads them', { timeout }, async () => {
  for (const [name, said] of [
    ['vscode.json', /vscode\.json:7:3: servers is not a known key: .*troupe mcp import/],
    ['librechat.yaml', /not valid JSON.*troupe mcp import/],
    ['zed.json', /zed\.json:\d+:\d+: context_servers is not a known key: .*troupe mcp import/],
    ['claude_code.json', /claude_code\.json:\d+:\d+: projects is not a known key: .*troupe mcp import/],
    ['continue.yaml', /not valid JSON.*troupe mcp import/],
    ['continue_old.json', /experimental is not a known key: .*troupe mcp import/],
    ['gemini.json', /mcp is not a known key: .*troupe mcp import/],
    ['opencode.jsonc', /opencode\.jsonc:4:3: mcp is not a known key: .*troupe mcp import/],
  ]) {
    const { code, stderr } = await mcp(['list', '--config', sample(name)]);
    assert.equal(code, 2, name);
    assert.match(stderr, said);
  }
});

test('imported servers join those of a configuration, its comments stay', { timeout }, async (t) => {
  const file = written(t, '{\n  // mine\n  "mcpServers": {\n    "demo": {"command": "mine"}, // kept\n  },\n}\n');
  chmodSync(file, 0o640);
  const once = await mcp(['import', sample('windsurf.json'), '--config', file]);
  assert.equal(once.code, 1);
  assert.match(once.stderr, /demo: there is a server of this name already; --replace replaces it \(left out\)/);
  assert.match(once.stderr, /1 of 2 servers taken over/);
  const text = readFileSync(file, 'utf8');
  assert.match(text, /\/\/ mine[^]*"command": "mine"}, \/\/ kept|"command": "mine"},[^]*\/\/ kept/);
  assert.match(text, /design\.example\.com/);
  assert.equal(statSync(file).mode & 0o777, 0o640);
  const again = await mcp(['import', sample('windsurf.json'), '--config', file, '--replace']);
  assert.equal(again.code, 0, again.stderr);
  assert.match(readFileSync(file, 'utf8'), /troupe-demo-mcp/);
  const removed = await mcp(['remove', 'demo', '--config', file]);
  assert.equal(removed.code, 0, removed.stderr);
  assert.match(readFileSync(file, 'utf8'), /\/\/ mine/);
});

test('a running server takes imported servers', { timeout }, async (t) => {
  const file = written(t, JSON.stringify({ mcpServers: { demo: { ...demoServer(), timeout: 60 } } }), 'cursor.json');
  const troupe = await startTroupe(t, {});
  const made = await mcp(['import', file, '--server', troupe.url]);
  assert.equal(made.code, 0, made.stderr);
  await connected(troupe, 'demo');
  const again = await mcp(['import', file, '--server', troupe.url]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /already/);
});

test('what cannot be imported is refused with its place, and nothing is written', { timeout }, async (t) => {
  for (const [text, said] of [
    ['{\n "mcpServers" 1}', /: it is not valid JSON: line 2, column 15: ':' is expected/],
    ['{}', /it has no MCP servers; they are looked for in mcpServers, servers/],
    ['a:\n  - b\n c: 1\n', /neither JSON nor YAML: line \d+, column \d+: /],
    ['[mcp_servers.a]\ncommand = "x"\n', /TOML/],
  ]) {
    const { code, stdout, stderr } = await mcp(['import', written(t, text)]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, said);
  }
  const nowhere = await mcp(['import', '/nonexistent/mcp.json']);
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.stderr, /mcp\.json: there is no such file/);
  const wrong = written(t, '{"mcpServers":{"a":{"type":"pigeon","command":"x"},"b":{"command":"y"}}}');
  const half = await mcp(['import', wrong]);
  assert.equal(half.code, 1);
  assert.match(half.stderr, /a: mcpServers\.a\.type must be .*\(left out\)/);
  assert.deepEqual(Object.keys(JSON.parse(half.stdout).mcpServers), ['b']);
  const none = path.join(folder(t), 'new.json');
  const nothing = await mcp(['import', written(t, '{"mcpServers":{"a":{"name":"x"}}}'), '--config', none]);
  assert.equal(nothing.code, 1);
  assert.ok(!existsSync(none), 'a file for nothing');
  const list = written(t, '{"mcpServers":[{"name":"a","command":"x"}]}');
  const before = readFileSync(list, 'utf8');
  const kept = await mcp(['import', sample('windsurf.json'), '--config', list]);
  assert.equal(kept.code, 1);
  assert.match(kept.stderr, /mcpServers is no object/);
  assert.equal(readFileSync(list, 'utf8'), before);
});

test('a server whose variable is not set fails alone, and says so', { timeout }, async (t) => {
  const entry = { ...demoServer(), env: { KEY: '${TROUPE_TEST_UNSET}' } };
  const file = written(t, JSON.stringify({
    models: { main: { base_url: 'http://127.0.0.1:9/v1', api_key: '${TROUPE_TEST_UNSET}' } },
    mcpServers: { broken: entry, demo: demoServer() },
  }));
  const { servers, stderr } = await listed(file);
  assert.equal(servers.demo.health, 'success');
  assert.equal(servers.broken.health, 'error');
  assert.match(servers.broken.error.message, /mcpServers\.broken\.env\.KEY uses \$\{TROUPE_TEST_UNSET\}, which is not set/);
  assert.match(stderr, /troupe\.json:1:\d+: mcpServers\.broken\.env\.KEY uses .*; the server is not started/);
  assert.match(stderr, /models\.main\.api_key uses .*; the model is left out/);
  const set = await listed(file, { TROUPE_TEST_UNSET: 'x' });
  assert.equal(set.servers.broken.health, 'success');
  const troupe = await startTroupe(t, { mcpServers: { broken: entry, demo: demoServer() } });
  await connected(troupe, 'demo');
  await until('the note is in the log', () => /"event":"configuration".*not started/.test(troupe.program.stderr));
});

test('a list says which servers are missing in it', { timeout }, async (t) => {
  const file = written(t, JSON.stringify({ mcpServers: { gone: { command: 'no-such-program' }, demo: demoServer() } }));
  for (const verb of ['tools', 'resources', 'prompts']) {
    const { code, stderr } = await mcp([verb, '--config', file]);
    assert.equal(code, 1, verb);
    assert.match(stderr, /^troupe: MCP server 'gone': cannot start 'no-such-program': No such file/m);
  }
  const one = await mcp(['tools', 'demo', '--config', file]);
  assert.deepEqual([one.code, one.stderr], [0, '']);
});

/** What `npx -y PACKAGE` is at a first start: seconds of work, seconds of waiting, then the server. */
const fetched = `
import { spawn } from 'node:child_process';
const work = process.cpuUsage();
while (process.cpuUsage(work).user < 1.5e6) JSON.parse(JSON.stringify(process.env));
setTimeout(() => {
  spawn('troupe-demo-mcp', { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
}, Math.max(0, 12000 - process.uptime() * 1000));
`;

test('seven slow first starts at once are waited for, and shown', { timeout }, async (t) => {
  const place = folder(t);
  const npx = path.join(place, 'npx');
  const program = written(t, fetched, 'fetched.mjs');
  writeFileSync(npx, `#!/bin/sh\nexec '${process.execPath}' '${program}'\n`);
  chmodSync(npx, 0o755);
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command: 'npx', args: ['-y', `@some/${name}`] }]));
  const file = written(t, JSON.stringify({ mcpServers }));
  const env = { PATH: `${place}:${found.PATH}` };
  const { code, stdout, stderr } = await mcp(['list', '--config', file], env);
  assert.equal(code, 0, stderr);
  assert.equal(stdout.match(/^[a-g] +stdio +success/gm)?.length, 7, stdout);
  assert.match(stderr, /troupe: \d+ s; connecting to a, b, c, d, e, f, g\n/);

  // `troupe serve` listens meanwhile, and has them all after one start each.
  const args = ['serve', '--config', file, '--listen', '127.0.0.1:0', '--data', ''];
  const server = new Program(binary('troupe'), args, { env });
  t.after(() => endCleanly(server));
  const [, url] = await server.prints(announcement);
  const health = async () => (await (await fetch(`${url}/v1/status`)).json()).mcpServers.map((each) => each.health);
  assert.deepEqual(await health(), names.map(() => 'connecting'));
  await until('all are connected', async () => (await health()).every((each) => each === 'success'), within(60000));
  assert.doesNotMatch(server.stderr, /"health":"error"/);
});

test('tools are chosen per server and per chat, and no more go than the model takes', { timeout }, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: {
      ...models(model.url, ['text']),
      few: { ...models(model.url, ['text']).text, maxTools: 2 },
    },
    defaultModel: 'text',
    mcpServers: {
      one: { ...demoServer(), includeTools: ['echo', '*-sum', 's*'], excludeTools: ['sleep'] },
      two: demoServer(),
    },
  });
  await connected(troupe, 'one');
  await connected(troupe, 'two');
  const sent = async (body) => {
    await model.forget();
    const answer = await fetch(`${troupe.url}/api/chat`, {
      method: 'POST', body: JSON.stringify({ id: `c${Math.random()}`, message: 'x', ...body }),
    });
    await answer.text();
    const request = (await model.requests()).at(-1).body;
    return (request.tools ?? []).map((each) => each.function.name).sort();
  };
  const one = await sent({ mcpServers: ['one'] });
  assert.deepEqual(one, ['echo', 'get-sum']);
  assert.deepEqual(await sent({ mcpServers: ['one/echo', 'two/hang'] }), ['echo', 'hang']);
  assert.deepEqual(await sent({ mcpServers: [] }), []);
  const few = await sent({ model: 'few' });
  assert.deepEqual(few, ['echo', 'get-sum'], 'those of the first server');
  await until('the log says so', () => troupe.program.stderr.includes('tools_left_out'));
  const call = await fetch(`${troupe.url}/v1/mcp/tools/call`, {
    method: 'POST', body: JSON.stringify({ server: 'one', tool: 'sleep', arguments: {} }),
  });
  assert.match(await call.text(), /excludeTools/);
  const unknown = await fetch(`${troupe.url}/api/chat`, {
    method: 'POST', body: JSON.stringify({ id: 'u', message: 'x', mcpServers: ['three/echo'] }),
  });
  assert.match(await unknown.text(), /no MCP server called 'three\/echo'/);
});

test('tools that a server entry approves do not ask', { timeout }, async (t) => {
  const model = await startModel(t);
  const turn = async (entry) => {
    const troupe = await startTroupe(t, {
      toolApproval: 'always',
      models: models(model.url, ['call']),
      mcpServers: { demo: { ...demoServer(), ...entry } },
    });
    await connected(troupe, 'demo');
    const answer = await fetch(`${troupe.url}/api/chat`, {
      method: 'POST', body: JSON.stringify({ id: 'a', message: 'x', model: 'call' }),
    });
    return answer.text();
  };
  assert.match(await turn({}), /tool-approval-request/);
  assert.doesNotMatch(await turn({ alwaysAllow: ['echo', 'get-*'] }), /tool-approval-request/);
});
