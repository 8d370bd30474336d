// troupe-bench against every kind of target, its exit codes and its reports.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../support/patience.mjs';
import { Program, binary, run, sanitizerReport } from '../support/program.mjs';
import {
  connected, demoServer, everythingOverHttp, folder, freePort, models, startModel, startTroupe,
} from '../support/servers.mjs';

process.env.TROUPE_DUMPABLE = '1'; // else only root finds the process that listens on a port

const timeout = 120000;
const skip = !existsSync(binary('troupe-bench')) && 'troupe-bench was not built';
const everything = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const bench = (args, options) =>
  run(binary('troupe-bench'), args, { milliseconds: 60000, ...options });

/** Runs it with JSON on stdout; resolves with the report, which must call for the exit code. */
async function report(args) {
  const ended = await bench([...args, '--json', '-']);
  assert.equal(sanitizerReport(ended), undefined);
  const found = JSON.parse(ended.stdout || assert.fail(ended.stderr));
  const expected = !found.valid ? 4 : found.objectives_met ? 0 : 3;
  assert.equal(ended.code, expected, ended.stderr);
  return found;
}

/** Runs 20 turns, four at a time; resolves with the run, in which all must have ended well. */
async function twentyTurns(args) {
  const { runs } = await report([...args, '--turns', '20', '--concurrency', '4']);
  assert.equal(runs.length, 1);
  const [only] = runs;
  assert.deepEqual(only.failures, {});
  assert.ok(only.ended >= 20, JSON.stringify(only, null, 1));
  assert.equal(only.times.turn.count, only.ended);
  return only;
}

async function served(t, names, mcpServers = {}) {
  const model = await startModel(t);
  const config = { models: models(model.url, names), defaultModel: names[0], mcpServers };
  return { model, troupe: await startTroupe(t, config) };
}

test('every chat target ends its turns with their text', { timeout, skip }, async (t) => {
  const { model, troupe } = await served(t, ['text']);
  const targets = [
    [troupe.url],
    [troupe.url, '--target', 'native'],
    [troupe.url, '--target', 'ai-sdk'],
    [troupe.url, '--target', 'openai', '--model', 'text'],
    [model.url, '--target', 'openai', '--model', 'text'],
    ['--target', 'engine'],
  ];
  for (const args of targets) {
    await t.test(args.join(' ').replace(/http:\S+/, 'URL'), async () => {
      const only = await twentyTurns(args);
      assert.equal(only.times.first_event.count, only.ended);
      assert.equal(only.times.first_text.count, only.ended);
      assert.ok(only.tokens >= only.ended && only.bytes > 0, JSON.stringify(only));
    });
  }
});

test('a load leaves no chats behind, unless it is to keep them', { timeout, skip }, async (t) => {
  const { troupe } = await served(t, ['text']);
  const chats = async () => (await (await fetch(`${troupe.url}/v1/conversations`)).json()).conversations;
  for (const target of ['troupe', 'native']) {
    await twentyTurns([troupe.url, '--target', target, '--session-turns', '2']);
    assert.deepEqual(await chats(), []);
  }
  await twentyTurns([troupe.url, '--keep-chats']);
  assert.ok((await chats()).length >= 20);
  assert.ok((await chats()).every(({ id }) => id.startsWith('bench-')));
});

test('more turns at once than the shell allows descriptors', { timeout, skip }, async (t) => {
  const model = await startModel(t);
  const load = ['--target', 'openai', '--model', 'text', '--concurrency', '100', '--turns', '200'];
  const ended = await run(
    'sh',
    ['-c', 'ulimit -Sn 64 && exec "$0" "$@"', binary('troupe-bench'), model.url, ...load,
      '--json', '-'],
    { milliseconds: 60000 },
  );
  const [only] = JSON.parse(ended.stdout || assert.fail(ended.stderr)).runs;
  assert.deepEqual(only.failures, {});
  assert.ok(only.ended >= 200, JSON.stringify(only, null, 1));
});

test('an MCP target calls its tool over stdio and over HTTP', { timeout, skip }, async (t) => {
  const call = ['--target', 'mcp', '--tool', 'echo', '--arguments', '{"message":"hi"}'];
  const overStdio = `'${process.execPath}' '${everything}' stdio`;
  const { url } = await everythingOverHttp(t);
  for (const server of [['--mcp-command', overStdio], ['--mcp-url', url]]) {
    const only = await twentyTurns([...call, ...server]);
    assert.equal(only.times.tool.count, only.ended);
  }
});

test('an MCP tool that is not there is named with those that are', { timeout, skip }, async () => {
  const command = ['--mcp-command', binary('troupe-demo-mcp')];
  const { code, stderr } = await bench(['--target', 'mcp', '--tool', 'dance', ...command]);
  assert.equal(code, 1);
  assert.match(stderr, /dance/);
  assert.match(stderr, /echo/);
});

test('the native stream shows the parts of a tool round', { timeout, skip }, async (t) => {
  const { troupe } = await served(t, ['call'], { demo: demoServer() });
  await connected(troupe, 'demo');
  const only = await twentyTurns([troupe.url, '--target', 'native']);
  for (const name of ['arguments_to_tool', 'tool', 'tool_to_model']) {
    assert.equal(only.times[name]?.count, only.ended, name);
  }
});

test('the process that listens is watched by itself', { timeout, skip }, async (t) => {
  const { troupe } = await served(t, ['text']);
  const only = await twentyTurns([troupe.url]);
  assert.equal(only.watched.pid, troupe.program.pid);
  assert.ok(only.watched.rss_most_bytes > 1024 * 1024);
  const other = await twentyTurns([troupe.url, '--pid', String(process.pid)]);
  assert.equal(other.watched.pid, process.pid);
});

test('failed turns are counted by what failed and are in no time', { timeout, skip }, async (t) => {
  const { troupe } = await served(t, ['cut']);
  const { runs } = await report([troupe.url, '--turns', '5', '--concurrency', '1']);
  const [only] = runs;
  assert.equal(only.ended, 0);
  assert.ok(only.failed >= 5, JSON.stringify(only));
  assert.equal(Object.values(only.failures).reduce((a, b) => a + b), only.failed);
  assert.deepEqual(Object.keys(only.times).filter((one) => one !== 'lag'), ['schedule_delay']);
});

test('cancelled turns are no failures', { timeout, skip }, async (t) => {
  const { troupe } = await served(t, ['paced-100-100000']);
  const cancel = ['--cancel', '1:500ms-700ms', '--turns', '8', '--concurrency', '4'];
  const { runs } = await report([troupe.url, ...cancel]);
  const [only] = runs;
  assert.deepEqual(only.failures, {});
  assert.ok(only.cancelled >= 8, JSON.stringify(only));
  assert.equal(only.ended, 0);
});

test('a missed objective is exit code 3, a met one 0', { timeout, skip }, async (t) => {
  const { troupe } = await served(t, ['text']);
  const turns = [troupe.url, '--turns', '10', '--concurrency', '1'];
  const missed = await report([...turns, '--slo', 'turn:p50<1ns']);
  assert.equal(missed.objectives_met, false);
  assert.ok(missed.objectives[0].found > 1);
  const met = await report([...turns, '--slo', 'turn:max<1m', '--slo', 'good>=1']);
  assert.equal(met.objectives_met, true);
  assert.deepEqual(met.objectives.map((each) => each.met), [true, true]);
});

test('a load that the generator cannot make is flagged', { timeout, skip }, async (t) => {
  const model = await startModel(t);
  const absurd = ['--rate', '3000000', '--duration', '1s', '--drain', '1s', '--turn-timeout', '2s'];
  const found = await report([model.url, '--target', 'openai', '--model', 'empty', ...absurd]);
  assert.equal(found.valid, false);
  assert.ok(found.doubts.length > 0);
  assert.ok(found.ceiling_turns_per_second > 0);
});

test('what cannot be run is exit code 1 or 2 with a reason', { timeout, skip }, async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const rows = [
    [[], 2, /say where the target is/],
    [[nowhere, '--dance'], 2, /--dance/],
    [[nowhere, '--rate', 'fast'], 2, /--rate: "fast" is not a number/],
    [[nowhere, '--slo', 'first_text<1'], 2, /--slo/],
    [[nowhere, '--json', '-', '--csv', '-'], 2, /one can be - \(stdout\)/],
    [[nowhere, '--html', '/no/such/folder/x.html'], 2, /\/no\/such\/folder\/x.html/],
    [[nowhere], 1, /127\.0\.0\.1/],
  ];
  for (const [args, code, reason] of rows) {
    const ended = await bench(args);
    assert.equal(ended.code, code, args.join(' ') + ended.stderr);
    assert.match(ended.stderr, reason);
    assert.equal(ended.stdout, '');
  }
});

test('--help, --version and --ceiling need no target', { timeout, skip }, async () => {
  const help = await bench(['--help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--sweep/);
  assert.match(help.stdout, /Exit codes/);
  assert.match((await bench(['--version'])).stdout, /^troupe-bench \d+\.\d+\.\d+/);
  const ceiling = await bench(['--ceiling']);
  assert.equal(ceiling.code, 0);
  assert.match(ceiling.stdout, /^\d+ turns\/s with 1 lane, without any transport\n$/);
});

test('repeats are all reported, and every report is written', { timeout, skip }, async (t) => {
  const model = await startModel(t);
  const out = folder(t);
  const kinds = ['json', 'csv', 'html'];
  const files = kinds.flatMap((kind) => [`--${kind}`, path.join(out, `r.${kind}`)]);
  const { code, stdout, stderr } = await bench([
    model.url, '--target', 'openai', '--model', 'text', '--poisson', '50', '--duration', '1s',
    '--warm-up', '200ms', '--repeats', '3', '--hgrm', path.join(out, 'hgrm'), ...files,
  ]);
  assert.ok([0, 4].includes(code), stderr);
  for (const word of ['verdict', 'first_text', 'p99.9', 'run 3', 'throughput']) {
    assert.ok(stdout.includes(word), stdout);
  }
  assert.equal(stderr, '', 'no progress where there is no terminal');
  const json = JSON.parse(readFileSync(path.join(out, 'r.json'), 'utf8'));
  assert.equal(json.runs.length, 3);
  assert.equal(code, json.valid ? 0 : 4);
  const lines = readFileSync(path.join(out, 'r.csv'), 'utf8').trim().split('\n');
  assert.equal(lines[0], 'run,load,kind,figure,at,value');
  for (const line of lines) assert.equal(line.split(',').length, 6, line);
  assert.ok(readdirSync(path.join(out, 'hgrm')).includes('3-first_text.hgrm'));
  await looksRight(t, path.join(out, 'r.html'));
});

test('Ctrl-C ends a run early, with a report', { timeout, skip }, async (t) => {
  const model = await startModel(t);
  const long = ['--rate', '50', '--duration', '10m', '--json', '-'];
  const program = new Program(binary('troupe-bench'), [
    model.url, '--target', 'openai', '--model', 'text', ...long,
  ]);
  await until('turns end', async () => (await model.stats()).completed > 20, 20000);
  program.signal('SIGINT');
  const { code } = await program.exit;
  const found = JSON.parse(program.stdout);
  assert.equal(code, found.valid ? 0 : 4);
  assert.ok(found.runs[0].ended > 0);
  assert.ok(found.runs[0].seconds < 60);
});

/** Opens a page in a browser, where there is one, and sees that its plots are drawn. */
async function looksRight(t, file) {
  const known = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  const browser = known.map((name) => `/usr/bin/${name}`).find(existsSync);
  if (!browser) return t.diagnostic('no browser: the plots were not drawn');
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder(t)}`];
  const args = [...flags, '--dump-dom', `file://${file}`];
  const { stdout } = await run(browser, args, { milliseconds: 60000 });
  assert.match(stdout, /data-drawn="3"/);
  assert.equal(stdout.match(/<canvas/g).length, 3);
}
