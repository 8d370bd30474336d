// What the programs do on the command line: output, exit codes, Ctrl-C.
import assert from 'node:assert/strict';
import { existsSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { startFakeModel } from '../support/fake_model.mjs';
import { settles, until } from '../support/patience.mjs';
import { Program, binary, run, sanitizerReport } from '../support/program.mjs';
import { onScreen } from '../support/screen.mjs';
import {
  configFile, connected, demoServer, everythingOverHttp, everythingOverStdio, folder, freePort, models,
  startModel, startTroupe,
} from '../support/servers.mjs';
import { assertWellFormed } from '../support/turns.mjs';

const timeout = 120000;
const troupe = (args, options) => run(binary('troupe'), args, options);
const jsonLines = (text) => text.trim().split('\n').map((line) => JSON.parse(line));

async function offline(t, mcpServers = { demo: demoServer() }) {
  const model = await startModel(t);
  const names = ['text', 'call', 'paced-20-100000', 'error-500', 'hang-call'];
  const config = { models: models(model.url, names), defaultModel: 'text', mcpServers };
  return { model, config, file: configFile(t, config) };
}

test('--help and --version say what there is', { timeout }, async () => {
  for (const args of [[], ['serve'], ['chat'], ['mcp'], ['mcp', 'call'], ['model']]) {
    const { code, stdout, stderr } = await troupe([...args, '--help']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /--help/);
    assert.equal(stderr, '');
  }
  const all = await troupe(['--help']);
  for (const name of ['serve', 'chat', 'mcp', 'model']) assert.match(all.stdout, RegExp(name));
  const model = await troupe(['model', '--help']);
  for (const name of ['text', 'chain', 'parallel', 'paced', 'cut']) {
    assert.match(model.stdout, RegExp(name), 'the scripts are listed');
  }
  const version = await troupe(['--version']);
  assert.equal(version.code, 0);
  assert.match(version.stdout, /\d+\.\d+\.\d+/);
  assert.equal((await run(binary('troupe-demo-mcp'), ['--help'])).code, 0);
});

test('what nobody knows is refused on stderr', { timeout }, async () => {
  for (const args of [['dance'], ['serve', '--dance'], ['mcp', 'dance'], ['mcp', 'call']]) {
    const { code, signal, stdout, stderr } = await troupe(args);
    assert.equal(signal, null);
    assert.notEqual(code, 0, args.join(' '));
    assert.ok(stderr.length > 0, args.join(' '));
    assert.equal(stdout, '', args.join(' '));
  }
});

test('a command that nobody knows is named, with those that there are', { timeout }, async () => {
  for (const [args, words] of [
    [['dance'], /^troupe: there is no command 'dance'; there are serve, chat, mcp,/],
    [['mcp', 'dance'], /there is no command 'dance'; there are add, |there is no command 'dance'; there are list,/],
    [['conversations', 'dance'], /there is no command 'dance'; there are list,/],
    [['keys', 'dance', '--data', 'x'], /there is no command 'dance'; there are create,/],
    [[], /^troupe: a command is missing; there are serve, chat, [^]*troupe --help says more/],
    [['mcp'], /^troupe: a command is missing; there are list, [^]*troupe mcp --help says more/],
    [['keys'], /a command is missing; there are create, list, revoke/],
    [['\x1b[2Jdance'], /there is no command '[^\x1b]*dance'/],
  ]) {
    const { code, stderr } = await troupe(args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, words);
  }
});

test('a base URL without its path is asked about', { timeout }, async (t) => {
  const server = await startTroupe(t, {});
  const env = { OPENAI_BASE_URL: `${server.url}/nothing`, OPENAI_API_KEY: 'x' };
  const { code, stderr } = await troupe(['chat', '--data', '', 'hi'], { env });
  assert.equal(code, 1);
  assert.match(stderr, /There is nothing at .*HTTP 404; is base_url right\? As a rule it is like https:\/\/api\.openai\.com\/v1/);
});

test('tables fit the terminal, and are whole in a pipe', { timeout }, async (t) => {
  const server = await startTroupe(t, { data: folder(t), mcpServers: { demo: demoServer() } });
  await connected(server, 'demo');
  const title = 'a long title '.repeat(6).trim();
  const begun = await fetch(`${server.url}/api/chat`, { method: 'POST', body: JSON.stringify({ id: 'chat_0123456789', message: title }) });
  await begun.text();
  const args = (...words) => [...words, '--server', server.url];
  const wide = (screen) => Math.max(...screen.text().split('\n').map((line) => line.length));
  const list = onScreen(t, binary('troupe'), args('conversations', 'list'), { columns: 70 });
  await list.shows(/^chat_0123456789 {2}a long title a long[^\n]* {2}\d+ .*\d\d:\d\d\n\[exit 0\]/m);
  assert.ok(wide(list) <= 70, list.text());
  const tools = onScreen(t, binary('troupe'), args('mcp', 'tools'), { columns: 50 });
  await tools.shows(/^demo +sleep {2,}Answers after a while; can be[^\n]*\n[^]*\[exit 0\]/m);
  assert.ok(wide(tools) <= 50, tools.text());
  assert.match((await troupe(args('mcp', 'tools'))).stdout, /Answers after a while; can be cancelled\.$/m);
});

test('an empty list says on stderr that it is empty', { timeout }, async (t) => {
  const server = await startTroupe(t, {});
  for (const [verb, words] of [['list', 'MCP servers'], ['tools', 'tools'], ['resources', 'resources'], ['prompts', 'prompts']]) {
    const { code, stdout, stderr } = await troupe(['mcp', verb, '--server', server.url]);
    assert.deepEqual([code, stdout, stderr], [0, '', `There are no ${words}.\n`]);
  }
  const data = folder(t);
  for (const [args, words] of [
    [['conversations', 'list'], 'No conversation is kept.'], [['conversations', 'search', 'x'], 'Nothing was found.'],
    [['conversations', 'usage'], 'Nothing was used.'], [['keys', 'list'], 'There are no keys.'],
  ]) {
    const { code, stderr } = await troupe([...args, '--data', data]);
    assert.deepEqual([code, stderr], [0, `${words}\n`]);
  }
});

test('a number out of bounds is refused with the bounds', { timeout }, async () => {
  for (const [command, option, value, most] of [
    ['serve', '--shards', '-1', '1024'], ['serve', '--shards', '1025', '1024'],
    ['serve', '--drain-seconds', '-5', '86400'], ['model', '--shards', '-1', '1024'],
  ]) {
    const { code, stderr } = await troupe([command, option, value]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, RegExp(`${option}.*0.*${most}`));
  }
});

test('an option that is given and empty is no option left out', { timeout }, async () => {
  for (const args of [
    ['serve', '--config'], ['serve', '--listen'], ['chat', '--model'], ['chat', '--model-url'], ['chat', '--server'],
    ['mcp', 'list', '--server'], ['keys', 'list', '--data'], ['keys', 'list', '--config'],
    ['conversations', 'list', '--server'], ['conversations', 'list', '--data'], ['conversations', 'list', '--config'],
  ]) {
    const { code, stderr } = await troupe([...args, '']);
    assert.equal(code, 2, stderr);
    assert.match(stderr, RegExp(`${args.at(-1)}.*must not be empty`));
  }
});

test('a key of the environment that no header takes is named', { timeout }, async () => {
  for (const args of [['chat', 'hi'], ['chat', 'hi', '--model-url', 'http://127.0.0.1:1/v1']]) {
    const { code, stderr } = await troupe(args, { env: { OPENAI_API_KEY: 'sk-a\r', OPENAI_BASE_URL: '' } });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /OPENAI_API_KEY must not hold control characters/);
    assert.ok(!stderr.includes('sk-a'), 'a key is not told');
  }
});

test('with --model-url a name is what the server knows, slashes and all', { timeout }, async (t) => {
  const model = await startFakeModel(t, () => ({ text: 'hello' }));
  const env = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: 'sk-a' };
  for (const name of ['openai/gpt-oss-20b', 'anthropic/claude-x', 'small']) {
    const { code, stderr } = await troupe(['chat', 'hi', '--model-url', `${model.url}/v1`, '--model', name], { env });
    assert.equal(code, 0, stderr);
    assert.equal(model.requests.at(-1).model, name);
  }
  const unnamed = await troupe(['chat', 'hi', '--model-url', `${model.url}/v1`], { env });
  assert.equal(unnamed.code, 0, unnamed.stderr);
  assert.match(unnamed.stderr, /--model is not given: the server is asked for its model 'default'/);
  assert.equal(model.requests.at(-1).model, 'default');
});

test('a folder is no configuration', { timeout }, async (t) => {
  const place = folder(t);
  for (const args of [['serve'], ['chat', 'hi'], ['mcp', 'list'], ['mcp', 'remove', 'x']]) {
    const { code, stderr } = await troupe([...args, '--config', place]);
    assert.equal(code, 2, stderr);
    assert.ok(stderr.includes(`${place}: cannot be read`), stderr);
  }
});

test('--model without a configured model chooses a script, or is refused', { timeout }, async () => {
  const without = { env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' } };
  const failed = await troupe(['chat', 'hello', '--model', 'error-500'], without);
  assert.equal(failed.code, 1, 'that script always fails');
  const answered = await troupe(['chat', 'hello', '--model', 'text'], without);
  assert.equal(answered.code, 0, answered.stderr);
  const wrong = await troupe(['chat', 'hello', '--model', 'nobody'], without);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--model nobody/);
});

test('keys are not looked for in a folder that is not there', { timeout }, async (t) => {
  const place = path.join(folder(t), 'typo');
  for (const verb of [['list'], ['revoke', 'key-1']]) {
    const { code, stderr } = await troupe(['keys', ...verb, '--data', place]);
    assert.equal(code, 2, stderr);
    assert.ok(stderr.includes(`There is no data folder ${place}.`), stderr);
    assert.ok(!existsSync(place), 'it is not made');
  }
});

test('a server without a home says that it keeps nothing', { timeout }, async (t) => {
  const env = { HOME: '', XDG_DATA_HOME: '', OPENAI_API_KEY: '' };
  const server = new Program(binary('troupe'), ['serve', '--listen', '127.0.0.1:0'], { env });
  t.after(() => server.end());
  const [line] = await server.prints(/\{[^\n]*"event":"store"[^\n]*/, { on: 'stderr' });
  assert.match(line, /"level":"warning".*neither XDG_DATA_HOME nor HOME/);
});

test('descriptors that were closed are not taken for something else', { timeout }, async (t) => {
  const args = ['serve', '--listen', '127.0.0.1:0', '--data', folder(t)];
  const shell = ['-c', 'exec "$0" "$@" <&- 2>&-', binary('troupe'), ...args];
  const server = new Program('/bin/sh', shell, { env: { TROUPE_DUMPABLE: '1' } });
  t.after(() => server.end());
  await server.prints(/listening/);
  for (const fd of [0, 2]) assert.equal(readlinkSync(`/proc/${server.pid}/fd/${fd}`), '/dev/null');
  const { code, stderr } = await run('/bin/sh', ['-c', '"$0" --version >&-', binary('troupe')]);
  assert.equal(code, 1);
  assert.match(stderr, /standard output/);
});

test('output that is lost is a failure', { timeout }, async (t) => {
  const full = (...args) =>
    run('/bin/sh', ['-c', '"$0" "$@" > /dev/full', binary('troupe'), ...args]);
  for (const args of [['keys', 'create', '--owner', 'ann', '--data', folder(t)], ['--version']]) {
    const { code, stderr } = await full(...args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /standard output/);
  }
});

test('a reader that has enough ends a command without a word, and its turn', { timeout }, async (t) => {
  const { model, file } = await offline(t);
  const head = (...args) => run('/bin/bash', ['-c', 'set -o pipefail; "$0" "$@" | head -c 1', binary('troupe'), ...args]);
  for (const more of [[], ['--events']]) {
    const { code, stdout, stderr } = await head('chat', 'hi', '--config', file, '--data', '', '--model', 'paced-20-100000', ...more);
    assert.equal(code, 141, stderr);
    assert.equal(stdout.length, 1);
    assert.equal(stderr, '');
  }
  const turns = (await model.requests()).length;
  assert.equal(turns, 2);
  const server = await startTroupe(t, { data: folder(t) });
  for (const args of [['conversations', 'list'], ['mcp', 'tools'], ['conversations', 'usage', '--json']]) {
    const { code, stderr } = await run('/bin/bash', ['-c', '"$0" "$@" | true', binary('troupe'), ...args, '--server', server.url]);
    assert.equal(code, 0, args.join(' '));
    assert.doesNotMatch(stderr, /standard output|[Pp]ipe/);
  }
});

test('what the environment names is taken where the command line names nothing', { timeout }, async (t) => {
  const { file } = await offline(t);
  const say = (args, env) => run(binary('troupe'), args, { env });
  const named = await say(['chat', 'hi', '--data', ''], { TROUPE_CONFIG: file });
  assert.equal(named.code, 0, named.stderr);
  assert.doesNotMatch(named.stderr, /scripted model/, 'the file names a model');
  assert.match((await say(['mcp', 'list'], { TROUPE_CONFIG: file })).stdout, /demo.*Connected/);
  const server = await startTroupe(t, { data: folder(t), mcpServers: { far: demoServer() } });
  await connected(server, 'far');
  const both = { TROUPE_CONFIG: file, TROUPE_SERVER: server.url };
  assert.match((await say(['mcp', 'list'], both)).stdout, /^far /m);
  assert.match((await say(['mcp', 'list', '--config', file], both)).stdout, /^demo /m, 'the command line wins');
  assert.equal((await say(['chat', 'hi', '--session', 'env'], both)).code, 0);
  assert.match((await say(['conversations', 'list'], both)).stdout, /^env /m);
  const here = await say(['conversations', 'list', '--data', folder(t)], both);
  assert.equal(here.code, 0, here.stderr);
  assert.doesNotMatch(here.stdout, /^env /m);
  const empty = await say(['chat', 'hi', '--data', '', '--model', 'echo'], { TROUPE_CONFIG: '', TROUPE_SERVER: '' });
  assert.equal(empty.code, 0, empty.stderr);
  const missing = await say(['keys', 'list'], { TROUPE_CONFIG: '/nowhere.json' });
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /\/nowhere\.json/);
});

test('chat prints the answer, and with --events the events', { timeout }, async (t) => {
  const { file } = await offline(t);
  const plain = await troupe(['chat', 'hello', '--config', file]);
  assert.equal(plain.code, 0, plain.stderr);
  assert.ok(plain.stdout.trim().length > 0);

  const events = await troupe(['chat', 'hello', '--events', '--config', file, '--model', 'call']);
  assert.equal(events.code, 0, events.stderr);
  const lines = jsonLines(events.stdout);
  assertWellFormed(lines);
  const types = lines.map((line) => line.type);
  assert.ok(types.includes('MCP_TOOL_SUCCESS'), types.join(' '));
  for (const line of lines) assert.ok(line.sessionId && line.turnId, JSON.stringify(line));
  assert.equal(sanitizerReport(events), undefined);
});

test('a chat whose terminal is closed stops its answer and ends', { timeout }, async (t) => {
  const { file } = await offline(t);
  const args = ['chat', '--events', '--model', 'paced-20-100000', '--config', file];
  const chat = new Program(binary('troupe'), args, { input: 'pipe' });
  t.after(() => chat.end());
  chat.child.stdin.end('one\ntwo\n');
  await chat.prints(/"type":\s*"TEXT"/);
  chat.signal('SIGHUP');
  const ended = await settles('chat ends', chat.exit, 5000);
  assert.deepEqual(ended, { code: 130, signal: null }, String(chat));
  const types = jsonLines(chat.stdout).map((line) => line.type);
  assert.equal(types.filter((type) => type === 'SESSION_START').length, 1);
  assert.deepEqual(types.slice(-2), ['ABORT', 'SESSION_END']);
});

test('a model URL that is none is refused by its name', { timeout }, async () => {
  const env = { OPENAI_API_KEY: '', OPENAI_BASE_URL: 'localhost:8000/v1' };
  const from = { env: { ...env, OPENAI_BASE_URL: '' } };
  const given = await troupe(['chat', 'hi', '--model-url', 'localhost:8000/v1'], from);
  for (const [{ code, stderr }, name] of [[await troupe(['chat', 'hi'], { env }), 'OPENAI_BASE_URL'],
    [given, '--model-url']]) {
    assert.equal(code, 2, stderr);
    assert.ok(stderr.includes(`${name} must be an http:// or https:// URL`), stderr);
  }
});

test('what a model says does not steer a terminal, and comes whole through a pipe', { timeout }, async () => {
  const env = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', TROUPE: binary('troupe') };
  const said = 'a\u001b]0;mine\u0007b\u009b31mc';
  const args = ['chat', said, '--model', 'echo'];
  assert.equal((await troupe(args, { env })).stdout, `${said}\n`);
  const command = '"$TROUPE" chat "$SAID" --model echo 2>/dev/null';
  const shown = await run('/usr/bin/script', ['-qec', command, '/dev/null'], { env: { ...env, SAID: said } });
  const dots = '\x1b[2m...\x1b[0m\r\x1b[K'; // the program's own, until the answer is shown
  assert.equal(shown.stdout.trim().replace(dots, ''), 'a]0;mineb31mc');
});

test('what was looked for is bold on a terminal, and plain in a pipe', { timeout }, async (t) => {
  const env = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', TROUPE: binary('troupe'), XDG_DATA_HOME: folder(t) };
  assert.equal((await troupe(['chat', 'a needle here', '--model', 'echo'], { env })).code, 0);
  const plain = await troupe(['conversations', 'search', 'needle'], { env });
  assert.match(plain.stdout, /user +a needle here\n/, plain.stderr);
  const command = '"$TROUPE" conversations search needle';
  const { stdout } = await run('/usr/bin/script', ['-qec', command, '/dev/null'], { env });
  assert.ok(stdout.includes('a \u001b[1mneedle\u001b[0m here'), stdout);
});

test('chat through a server gives the same events', { timeout }, async (t) => {
  const { config } = await offline(t);
  const server = await startTroupe(t, config);
  await connected(server, 'demo');
  const args = ['chat', 'hello', '--events', '--server', server.url, '--model', 'call'];
  const { code, stdout, stderr } = await troupe(args);
  assert.equal(code, 0, stderr);
  const lines = jsonLines(stdout);
  assertWellFormed(lines);
  assert.equal(lines.filter((line) => line.type === 'MCP_TOOL_SUCCESS').length, 1);
});

test('a failed turn and an unreachable server are exit codes and text', { timeout }, async (t) => {
  const { file } = await offline(t);
  const failed = await troupe(['chat', 'hello', '--config', file, '--model', 'error-500']);
  assert.notEqual(failed.code, 0);
  assert.ok(failed.stderr.length > 0);
  const address = `127.0.0.1:${await freePort()}`;
  const nobody = await troupe(['chat', 'hello', '--server', `http://${address}`]);
  assert.notEqual(nobody.code, 0);
  assert.ok(nobody.stderr.includes(address), nobody.stderr);
});

test('another server than Troupe is called one, and a base URL of clients is understood', { timeout }, async (t) => {
  const page = createServer((_, answer) => answer.writeHead(501, { 'content-type': 'text/html' }).end(`<html>\n${'<p>x</p>'.repeat(999)}`));
  await new Promise((done) => page.listen(0, '127.0.0.1', done));
  t.after(() => page.close());
  for (const args of [['chat', 'hi'], ['mcp', 'list'], ['conversations', 'list']]) {
    const { code, stderr } = await troupe([...args, '--server', `http://127.0.0.1:${page.address().port}`]);
    assert.equal(code, 1);
    assert.match(stderr, /^troupe: what answers there is no `troupe serve`: status 501, <html>.{1,120}\.\.\.\n$/);
  }
  const server = await startTroupe(t, {});
  const { code, stderr } = await troupe(['chat', 'hi', '--server', `${server.url}/v1/`]);
  assert.equal(code, 0, stderr);
});

test('without configuration the scripted model answers and says so', { timeout }, async () => {
  const env = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };
  const { code, stdout, stderr } = await troupe(['chat', 'hello'], { env });
  assert.equal(code, 0, stderr);
  assert.ok(stdout.trim().length > 0);
  assert.match(stderr, /scripted/i);
});

for (const [where, name, phase] of [
  ['the embedded engine', 'paced-20-100000', 'TEXT'],
  ['the embedded engine', 'hang-call', 'MCP_TOOL_START'],
  ['a server', 'paced-20-100000', 'TEXT'],
  ['a server', 'hang-call', 'MCP_TOOL_START'],
]) {
  test(`Ctrl-C at ${phase} through ${where} aborts the turn`, { timeout }, async (t) => {
    const { model, config, file } = await offline(t);
    let target = ['--config', file];
    if (where === 'a server') {
      const server = await startTroupe(t, config);
      await connected(server, 'demo');
      target = ['--server', server.url];
    }
    const args = ['chat', 'hello', '--events', '--model', name, ...target];
    const chat = new Program(binary('troupe'), args);
    t.after(() => chat.end());
    await chat.prints(RegExp(`"type":\\s*"${phase}"`));
    chat.signal('SIGINT');
    const ended = await settles('chat ends', chat.exit, 5000);
    const lines = jsonLines(chat.stdout);
    assertWellFormed(lines);
    assert.deepEqual(lines.slice(-2).map((line) => line.type), ['ABORT', 'SESSION_END']);
    assert.equal(ended.code, 130, String(chat));
    await until('nothing is open upstream', async () => (await model.stats()).open === 0, 1000);
  });
}

test('mcp lists servers and tools and calls one', { timeout }, async (t) => {
  const { file } = await offline(t, {
    local: everythingOverStdio(),
    remote: await everythingOverHttp(t),
    demo: demoServer(),
  });
  const config = ['--config', file];
  const list = await troupe(['mcp', 'list', '--json', ...config]);
  assert.equal(list.code, 0, list.stderr);
  for (const name of ['local', 'remote', 'demo']) assert.match(list.stdout, RegExp(`"${name}"`));
  JSON.parse(list.stdout);

  const tools = await troupe(['mcp', 'tools', '--json', ...config]);
  assert.equal(tools.code, 0, tools.stderr);
  jsonLines(tools.stdout);
  assert.match(tools.stdout, /"get-sum"/);
  const text = await troupe(['mcp', 'tools', ...config]);
  assert.match(text.stdout, /get-sum/);

  for (const server of ['local', 'remote', 'demo']) {
    const call = await troupe(['mcp', 'call', server, 'get-sum', '{"a":40,"b":2}', ...config]);
    assert.equal(call.code, 0, `${server}: ${call.stderr}`);
    assert.match(call.stdout, /42/, server);
  }
});

test('arguments of a tool are JSON, or names and values', { timeout }, async (t) => {
  const { file } = await offline(t);
  const call = (...args) => troupe(['mcp', 'call', 'demo', ...args, '--config', file]);
  for (const args of [['{"a":40,"b":2}'], ['a=40', 'b=2']]) {
    const { code, stdout, stderr } = await call('get-sum', ...args);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /42/);
  }
  assert.match((await call('echo', 'message=a=b {}')).stdout, /a=b \{\}/, 'what is no JSON is a text');
  assert.match((await call('echo', 'message="40"')).stdout, /: 40/, 'a quoted number is a text');
});

test('mcp call says what went wrong', { timeout }, async (t) => {
  const { file } = await offline(t, {
    demo: demoServer(),
    broken: { command: '/nonexistent/mcp-server' },
  });
  const cases = [
    [['demo', 'fail', '{"message":"on purpose"}'], /on purpose/],
    [['demo', 'nothing', '{}'], /nothing/],
    [['nobody', 'echo', '{}'], /nobody/],
    [['demo', 'echo', '{broken'], /JSON/i],
    [['broken', 'echo', '{}'], /nonexistent/],
  ];
  for (const [args, says] of cases) {
    const call = ['mcp', 'call', ...args, '--config', file];
    const { code, signal, stdout, stderr } = await troupe(call);
    assert.equal(signal, null);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stdout + stderr, says, args.join(' '));
  }
});

// A sanitizer reserves terabytes of addresses.
const bounded = { timeout, skip: Boolean(process.env.TROUPE_SANITIZED) };

test('a start that gets no threads or memory says so and ends', bounded, async (t) => {
  for (const kibibytes of [60000, 80000, 100000]) {
    const limited = `ulimit -v ${kibibytes}; exec "$0" "$@"`;
    const args = ['serve', '--listen', '127.0.0.1:0', '--data', '', '--shards', '2'];
    const { code, stderr } = await run('sh', ['-c', limited, binary('troupe'), ...args]);
    t.diagnostic(`${kibibytes} KiB: ${stderr.trim()}`);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^troupe: (no more threads|there is not enough memory).* --shards$/m);
  }
});
