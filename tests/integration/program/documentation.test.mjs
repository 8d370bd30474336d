// What README.md and docs/*.md tell people to type: each command is run, or stands below with the reason.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { within } from '../support/patience.mjs';
import { Program, binary, run } from '../support/program.mjs';
import { announcement, demoServer, folder, freePort, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = within(240000);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const documents = ['README.md', ...readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
const typed = /^ {4}((?:[A-Z_]+=\S+ )*(?:troupe|troupe-bench|curl|echo(?= '\{)|scripts\/\S+|cmake|bench\/\S+|npm|npx|export(?= [A-Z_]+=)|node|ctest|build\/\S+|docker|systemctl)\s.*)$/;

/** Commands that cannot be run here: how they begin, and why. */
const notRun = [
  ['scripts/quickstart.sh', 'builds; quickstart.test.mjs runs it on what is built'],
  ['scripts/test.sh', 'runs this test'],
  ['ANTHROPIC_API_KEY=...', 'needs the key of a provider'],
  ['export ANTHROPIC_API_KEY=...', 'needs the key of a provider'],
  ['troupe serve                                      #', 'needs the key of a provider, which the line before names'],
  ['troupe chat                                      #', 'needs a terminal; chat_terminal.test.mjs has one'],
  ['troupe chat --continue  ', 'needs a terminal'],
  ['troupe chat --server http://127.0.0.1:8080  ', 'needs a terminal'],
  ['troupe chat --model anthropic/', 'needs the key of a provider'],
  ['troupe chat --model ollama/', 'needs Ollama'],
  ['cmake --build build/release --target bench', 'builds for minutes'],
  ['bench/', 'measures for minutes, alone on the machine'],
  ['troupe-bench http://127.0.0.1:8080 --sweep 10:5000', 'loads the machine for minutes'],
  ['troupe-bench http://127.0.0.1:8080 --model paced', 'loads the machine for minutes'],
  ['troupe-bench http://127.0.0.1:8080 --concurrency 200', 'loads the machine for minutes'],
  ['troupe-bench https://models.example.com', 'asks a host that is not there'],
  ['troupe-bench http://127.0.0.1:3000/', 'needs a server of the AI SDK; bench.test.mjs has one'],
  ['troupe-bench --target mcp', 'needs servers that the page leaves open; bench.test.mjs has some'],
  ['troupe cluster ', 'needs nodes on a database; cluster_commands.test.mjs has some'],
  ['troupe store copy', 'needs a PostgreSQL; store_copy.test.mjs has one'],
  ['troupe-bench --target engine', 'a hundred thousand turns; bench.test.mjs runs fewer'],
];

/** What differs from the letter: addresses, names that stand for others, how long a load lasts. */
const stands = ({ url, model }) => [
  ['http://127.0.0.1:8080', url],
  ['127.0.0.1:8000', model],
  ['--duration 30s', '--duration 1s'], ['--warm-up 5s', '--warm-up 0s'], ['--rate 200', '--rate 20'],
  ['--poisson 100 --session-turns 4 --think 2s', '--poisson 10 --session-turns 2 --think 0s --duration 1s'],
  ['--rate 100 --cancel 0.1:0.1s-1s', '--rate 10 --duration 1s --cancel 0.1:0.1s-1s'],
  ["--slo 'first_text:p99<50ms'", "--slo 'first_text:p99<20s'"],
  ['import FILE', 'import other.json'], ['import all.jsonl', 'import seeded.jsonl'],
  ['overrides c-17 --model fast', 'overrides c-17 --model text'], // no configuration is named
  ['--server URL', `--server ${url}`],
  [/^(troupe conversations delete 'bench-\*')/, '$1 --yes'], // without a terminal nobody can be asked
];

/** The commands of a page, with the output that stands below them. */
function commandsOf(name) {
  const lines = readFileSync(path.join(root, name), 'utf8').split('\n');
  const found = [];
  for (let i = 0; i < lines.length; i++) {
    const begin = lines[i].match(typed);
    if (begin === null || /^\S+\.json:/.test(lines[i].trim())) continue;
    let command = begin[1];
    const line = i + 1;
    while (command.endsWith('\\')) command = `${command.slice(0, -1)}${lines[++i].trim()}`;
    const output = [];
    if (lines[i + 1] === '')
      for (let k = i + 2; lines[k]?.startsWith('    ') && !typed.test(lines[k]); k++) output.push(lines[k].slice(4));
    found.push({ name, line, command, output: output.filter((each) => each !== '...' && !each.startsWith('# ')) });
  }
  return found;
}

/** The programs that a page shows: what stands below a line such as "`chat.mjs`:", by their names. */
function programsOf(name) {
  const text = readFileSync(path.join(root, name), 'utf8');
  return [...text.matchAll(/^`(\w+\.mjs)`.*:\n\n((?: {4}.*\n|\n)+)/gm)].map(([, file, lines]) => [file, lines.replace(/^ {4}/gm, '')]);
}

/** Whether each line of the page is a line that was printed, in this order; `...` is anything. */
function assertShown(expected, printed, where) {
  const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const left = printed.split('\n');
  for (const line of expected) {
    const pattern = new RegExp(`^${line.split(/ ?\.\.\. ?/).map(escape).join('.*').replace(/(^id: |"seq":|"roundtrips":)\d+/g, '$1\\d+')}$`);
    const at = left.findIndex((each) => pattern.test(each));
    assert.ok(at >= 0, `${where}: nothing printed is like ${line}\n${printed.slice(0, 3000)}`);
    left.splice(0, at + 1);
  }
}

/** A folder as the pages want it: a configuration, a picture, chats, a file of another program. */
async function desk(t) {
  const cwd = folder(t);
  const model = await startModel(t);
  const config = {
    models: models(model.url, ['demo', 'text', 'paced'], {}), defaultModel: 'demo', mcpServers: { demo: demoServer() },
  };
  config.models.fast = config.models.text;
  writeFileSync(path.join(cwd, 'troupe.json'), JSON.stringify(config, null, 2));
  writeFileSync(path.join(cwd, 'photo.png'), Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1'));
  writeFileSync(path.join(cwd, 'report.pdf'), '%PDF-1.4 and more');
  const other = JSON.stringify({ mcpServers: { cursor: { command: binary('troupe-demo-mcp') } } });
  mkdirSync(path.join(cwd, '.cursor'));
  for (const each of ['.cursor/mcp.json', 'other.json']) writeFileSync(path.join(cwd, each), other);
  const server = await startTroupe(t, { ...config, data: path.join(cwd, 'served') });
  const kept = path.join(cwd, 'kept');
  await seed(t, kept);
  return { cwd, url: server.url, kept };
}

/** Keeps the chats that docs/conversations.md speaks of. */
async function seed(t, data) {
  const file = path.join(folder(t), 'seed.jsonl');
  const chat = (id) => JSON.stringify({
    format: 'troupe.conversation', version: 1, info: { id, title: 'The weather in Oslo' },
    messages: [1, 2].map((n) => ({ message: { role: n === 1 ? 'user' : 'assistant', text: 'weather in Oslo', id: `m-${n}` } })),
  });
  writeFileSync(file, ['c-17', 'c-18', 'bench-1'].map(chat).join('\n'));
  const made = await run(binary('troupe'), ['conversations', 'import', file, '--data', data]);
  assert.equal(made.code, 0, made.stderr);
  writeFileSync(path.join(path.dirname(data), 'seeded.jsonl'), chat('imported'));
}

/** Starts what goes on until it is told to end. */
async function hold(t, command, options) {
  const listens = /--listen/.test(command) ? '' : ` --listen 127.0.0.1:0 --data ${folder(t)}`;
  const program = new Program('bash', ['-c', `exec ${command.replace(/\s*&?\s*(#.*)?$/, '')}${listens}`], options);
  t.after(() => program.end());
  await program.prints(announcement);
}

test('every command of the pages is run, or it is said why not', { timeout }, async (t) => {
  const used = new Set();
  const count = { run: 0, left: 0 };
  const hasBench = existsSync(binary('troupe-bench'));
  const port = await freePort();
  for (const name of documents) {
    const commands = commandsOf(name);
    if (commands.length === 0) continue;
    await t.test(name, async (t) => {
      const place = await desk(t);
      const env = {
        PATH: [path.dirname(binary('troupe')), path.dirname(process.execPath), process.env.PATH].join(':'), HOME: place.cwd, XDG_DATA_HOME: path.join(place.cwd, 'own'),
        TERM: 'dumb',
      };
      const replaced = stands({ url: place.url, model: `127.0.0.1:${port}` });
      for (const [file, text] of programsOf(name))
        writeFileSync(path.join(place.cwd, file), text.replace('127.0.0.1:8080', place.url.replace('http://', '')));
      for (const { line, command, output } of commands) {
        const where = `${name}:${line}: ${command}`;
        const left = notRun.find(([begin]) => command.startsWith(begin));
        if (left !== undefined || (!hasBench && command.startsWith('troupe-bench'))) {
          used.add(left?.[0]);
          count.left += 1;
          continue;
        }
        const own = path.join(place.cwd, 'own/troupe');
        cpSync(place.kept, own, { recursive: true, force: true });
        const real = replaced.reduce((text, [from, to]) => text.replace(from, to), command);
        const options = { cwd: place.cwd, env };
        count.run += 1;
        if (/^troupe (serve|model)\b/.test(real)) {
          await hold(t, real, options);
          continue;
        }
        const ended = await run('bash', ['-c', real], { ...options, milliseconds: within(60000) });
        const good = /^troupe-bench/.test(real) ? [0, 4] : [0]; // 4: the machine is too busy to be believed
        assert.ok(good.includes(ended.code), `${where}\n${ended.code} ${ended.stdout.slice(0, 2000)}\n${ended.stderr.slice(0, 2000)}`);
        if (command.startsWith('curl')) assert.match(ended.stdout, /\S/, where);
        assertShown(output, ended.stdout, where);
      }
    });
  }
  const stale = notRun.filter(([begin]) => !used.has(begin));
  assert.deepEqual(hasBench ? stale : [], [], 'no page says this any more');
  assert.ok(count.run > 30, `${count.run} commands were run, ${count.left} were not`);
});
