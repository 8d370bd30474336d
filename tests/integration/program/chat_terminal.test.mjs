// `troupe chat` on the screen of a terminal: what a person types, pastes and sees.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { startFakeModel } from '../support/fake_model.mjs';
import { until, within } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { onScreen } from '../support/screen.mjs';
import { configFile, connected, demoServer, folder, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = within(120000);
const asking = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../support/asking_server.mjs', import.meta.url))],
};
const code = 'def total(items):\n    sum = 0\n\n    for item in items:\n        sum += item\n    return sum\n';

/** Answers as the last message asks: "call TOOL {...}" calls it, all else is told back in Markdown. */
function answer({ messages }) {
  const { role, content } = messages.at(-1);
  if (role === 'tool') return { text: `The tool said: ${content}` };
  const text = typeof content === 'string' ? content : content.map((part) => part.text ?? part.type).join('|');
  const [, name, given] = text.match(/^call ([\w-]+) (.*)$/) ?? [];
  if (name) return { calls: [{ name, arguments: JSON.parse(given) }] };
  return { text: `# Heard\n\nYou said **${text.length} characters**, \`${text.split('\n')[0].slice(0, 40)}\`.` };
}

/** What all ways to chat share: a model, a slow one, a folder. */
async function place(t, more = {}) {
  const fake = await startFakeModel(t, answer);
  const slow = await startModel(t);
  const config = {
    models: { ...models(fake.url, ['fake']), ...models(slow.url, ['paced-20-100000', 'reasoning', 'length']) },
    defaultModel: 'fake', ...more,
  };
  const home = folder(t);
  const env = { XDG_DATA_HOME: path.join(home, 'data'), XDG_STATE_HOME: path.join(home, 'state'), NO_COLOR: '' };
  const said = () => fake.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user').at(-1).content);
  return { fake, slow, config, env, said };
}

async function startChat(t, where, args = [], options = {}) {
  const target = where.url ? ['--server', where.url] : ['--config', configFile(t, where.config)];
  const screen = onScreen(t, binary('troupe'), ['chat', ...target, ...args], { env: where.env, ...options });
  await screen.shows(/Ctrl-D ends\.\n>/);
  return screen;
}

/** The same chat with an engine of its own, and with a server. */
async function eachWay(t, more, body) {
  await t.test('with an engine of its own', { timeout }, async (t) => body(t, await place(t, more)));
  await t.test('with a server', { timeout }, async (t) => {
    const where = await place(t, more);
    const server = await startTroupe(t, { ...where.config, data: folder(t) });
    for (const name of Object.keys(more.mcpServers ?? {})) await connected(server, name);
    await body(t, { ...where, url: server.url });
  });
}

test('a person pastes code, edits, goes back, interrupts, and goes on the next day', { timeout }, async (t) => {
  await eachWay(t, {}, async (t, where) => {
    const screen = await startChat(t, where);
    screen.types('What does this do?');
    screen.presses('M-Enter');
    screen.pastes(code);
    await screen.shows(/> What does this do\?\ndef total[^]*\n {4}return sum/);
    assert.deepEqual(where.said(), [], 'a paste sends nothing');
    screen.presses('BSpace', 'Enter');
    const sent = `What does this do?\n${code.trimEnd()}`;
    await screen.shows(RegExp(`Heard\\n\\nYou said ${sent.length} characters, What does this do\\?\\.\\n>`));
    assert.deepEqual(where.said(), [sent]);
    assert.match(screen.painted(), /\x1b\[1mHeard/, 'a heading is bold');
    assert.doesNotMatch(screen.text(), /\*\*\d+ char/, 'marks of Markdown are not shown');

    screen.types('helo wörld 日本');
    screen.presses('Home', 'Right', 'Right', 'Right');
    screen.types('l');
    screen.presses('End', 'BSpace', 'Enter');
    await screen.shows(/hello wörld 日\./);
    assert.equal(where.said().at(-1), 'hello wörld 日');

    screen.presses('Up');
    await screen.shows(/> hello wörld 日$/);
    screen.presses('Up');
    await screen.shows(/> What does this do\?\ndef total[^]*return sum$/);
    screen.presses('Down');
    screen.types('!');
    screen.presses('Enter');
    await until('the edited line was sent', () => where.said().at(-1) === 'hello wörld 日!');
    await screen.shows(/日!\.\n>$/);

    screen.types('/model paced-20-100000');
    screen.presses('Enter');
    await screen.shows(/go to paced-20-100000/);
    screen.types('a long one');
    screen.presses('Enter');
    await until('it answers', async () => (await where.slow.stats()).open === 1);
    await screen.shows(/> a long one\n\.\.\.$/); // until the first paragraph is whole
    assert.match(screen.painted(), /\x1b\[2m\.\.\./, 'they are dimmed');
    screen.presses('C-c');
    await screen.shows(/\[aborted\]\n>$/);
    assert.doesNotMatch(screen.text(), /^\.\.\./m);
    await until('the model is left', async () => (await where.slow.stats()).open === 0);

    screen.presses('C-d');
    const [, id] = await screen.shows(/To go on: troupe chat --session (\S+)\n\[exit 0\]/);

    const later = onScreen(t, binary('troupe'), ['chat', '--continue', ...(where.url ? ['--server', where.url]
      : ['--config', configFile(t, where.config)])], { env: where.env });
    await later.shows(RegExp(`Going on with "[^"]+" \\(${id}\\)\\n> a long one`));
    await later.shows(/aborted\.\n[^]*\n>$/);
    later.types('and now?');
    later.presses('Enter');
    await later.shows(/and now\?\.\n>$/);
    const { messages } = where.fake.requests.at(-1);
    assert.ok(messages.some(({ content }) => content === 'hello wörld 日'), 'the model has the chat');
    later.presses('Up', 'Up');
    await later.shows(/> a long one$/);
    later.presses('C-c');
    await later.shows(/> a long one\n>$/);
    later.presses('C-c');
    await later.shows(/Ctrl-C once more[^]*\n>$/);
    later.presses('C-c');
    await later.shows(/\[exit 0\]/);
  });
});

test('a person allows a call, and denies one', { timeout }, async (t) => {
  await eachWay(t, { toolApproval: 'always', mcpServers: { demo: demoServer() } }, async (t, where) => {
    const screen = await startChat(t, where);
    screen.types('call get-sum {"a":2,"b":3}');
    screen.presses('Enter');
    await screen.shows(/get-sum is to run with \{"a":2,"b":3\}\nAllow it\? \[y\/N\] \(within 5 min\)/);
    screen.types('maybe');
    screen.presses('Enter');
    await screen.shows(/Answer yes or no: \[y\/N\]$/);
    screen.types(' Yes ');
    screen.presses('Enter');
    await screen.shows(/\[calling get-sum \{"a":2,"b":3\}\]\n\[get-sum: The sum[^\n]*5[^\n]*\]\nThe tool said: [^\n]*5[^]*>$/);
    screen.types('call get-sum {"a":4,"b":3}');
    screen.presses('Enter');
    await screen.shows(/"a":4,"b":3\}\nAllow it\?/);
    screen.presses('Enter');
    await screen.shows(/\[get-sum [^\n]*not allow[^\n]*\]\nThe tool said: [^\n]*not allow[^]*>$/);
    assert.doesNotMatch(screen.text(), /calling get-sum \{"a":4/, 'it is not called');
    screen.types('call get-sum {"a":5,"b":3}');
    screen.presses('Enter');
    await screen.shows(/"a":5,"b":3\}\nAllow it\?/);
    screen.presses('C-c');
    await screen.shows(/\[aborted\]\n>$/);
  });
});

test('what was typed before a call asked is no answer', { timeout }, async (t) => {
  const where = await place(t, { toolApproval: 'always', mcpServers: { demo: demoServer() } });
  let go;
  const wait = new Promise((resolve) => (go = resolve));
  const held = await startFakeModel(t, answer, async (response, { text, calls }) => {
    if (calls) await wait;
    const message = { role: 'assistant', content: text ?? null, tool_calls: calls?.map((call) => ({
      id: 'c1', type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } })) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }] }));
  });
  where.config.models = models(held.url, ['fake'], { streaming: false });
  const screen = await startChat(t, where);
  screen.types('call get-sum {"a":2,"b":3}');
  screen.presses('Enter');
  await until('the model is asked', () => held.requests.length === 1);
  screen.types('y');
  screen.presses('Enter');
  for (let i = 0; i < 3; ++i) screen.text(); // what was typed has left tmux by then
  go();
  await screen.shows(/Allow it\?[^\n]*$/);
  screen.types('n');
  screen.presses('Enter');
  await screen.shows(/\[get-sum [^\n]*not allow/);
});

test('a call that nobody answers in time does not run', { timeout }, async (t) => {
  const where = await place(t, { toolApproval: { tools: ['demo/*'], timeoutMs: 500 }, mcpServers: { demo: demoServer() } });
  const screen = await startChat(t, where);
  screen.types('call get-sum {"a":2,"b":3}');
  screen.presses('Enter');
  await screen.shows(/\(within 1 s\)[^]*Nobody answered in time: it does not run\.[^]*\[get-sum /);
  assert.doesNotMatch(screen.text(), /calling get-sum/);
});

test('a person answers the question of a server', { timeout }, async (t) => {
  await eachWay(t, { mcpServers: { asking } }, async (t, where) => {
    const screen = await startChat(t, where);
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    screen.types(`call form ${JSON.stringify({ schema })}`);
    screen.presses('Enter');
    await screen.shows(/'asking' asks[^]*Which box\?\nAccept\? \[y\/N\] \(within \d+ (min|s)\)/);
    screen.types('YES');
    screen.presses('Enter');
    await screen.shows(/name \(string\):/);
    screen.types('Ada');
    screen.presses('Enter');
    await screen.shows(/The tool said: \{"action":"accept","content":\{"name":"Ada"\}\}\n>$/);
  });
});

test('commands do what /help says, and near words are named', { timeout }, async (t) => {
  const where = await place(t, { mcpServers: { demo: demoServer() } });
  const screen = await startChat(t, where, [], { lines: 60 });
  const says = async (line, shown) => {
    screen.presses('C-l');
    screen.types(line);
    screen.presses('Enter');
    return screen.shows(shown);
  };
  await says('/help', /\/new[^]*\/continue[^]*\/stop[^]*\/export[^]*\/model[^]*\/system[^]*\/file[^]*\/tools[^]*\/usage[^]*\/quit/);
  const widest = Math.max(...screen.text().split('\n').map((line) => line.length));
  assert.ok(widest <= 80, screen.text());
  await says('/modle', /There is no command \/modle; did you mean \/model\?/);
  await says('/tools', /demo get-sum {2}/);
  await says('/usage', /Nothing was used yet/);
  await says('/system Be brief.', /goes with the next message/);
  const note = path.join(folder(t), 'note.txt');
  writeFileSync(note, 'remember the milk\n');
  await says(`/file ${note}`, /note\.txt, text\/plain, 18 bytes/);
  await says('/file /nowhere', /\/nowhere: No such file/);
  await says('what is in it?', /Heard[^]*>$/);
  const [request] = where.fake.requests;
  assert.equal(request.messages[0].content, 'Be brief.');
  assert.match(JSON.stringify(request.messages[1].content), /remember the milk[^]*what is in it/);
  await says('/system', /This chat has: Be brief\./);
  await says('/system Be long.', /in place of what this chat had/);
  await says('and now?', /Heard[^]*>$/);
  const systems = (messages) => messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  assert.deepEqual(systems(where.fake.requests.at(-1).messages), ['Be long.']);
  await says('/system -', /no system message/);
  await says('and then?', /Heard[^]*>$/);
  assert.deepEqual(systems(where.fake.requests.at(-1).messages), []);
  await says('/usr/bin is a path', /\/usr\/bin is a path\.\n>$/);
  await says(' /quit', /You said \d+ characters, \s?\/quit\s?\.\n>$/);
  const target = path.join(folder(t), 'chat.md');
  await says(`/export ${target}`, /Written to/);
  assert.match(readFileSync(target, 'utf8'), /## You\n\n[^]*what is in it\?[^]*## Assistant\n\n# Heard/);
  assert.equal(statSync(target).mode & 0o777, 0o600);
  await says(`/export ${target}`, /is there already/);
  const quoted = path.join(folder(t), 'a b.JSON');
  await says(`/export '${quoted}'`, /Written to/);
  assert.equal(JSON.parse(readFileSync(quoted, 'utf8')).format, 'troupe.conversation');
  await says('/model nothing', /There is no model nothing[^]*fake[^]*reasoning/);
  await says('/model reasoning', /go to reasoning/);
  await says('think', /> think\n[^]+\n>$/);
  await says('/model length', /go to length/);
  await says('write', /\[The answer was cut: [^]*\]\n>$/);
  await says('/usage', /All \d+ since the start: \d+ tokens read, \d+ written/);
  await says('/new', /A new chat/);
  await says('/model fake', /go to fake/);
  await says('alone', /characters, alone\.\n>$/);
  assert.equal(where.fake.requests.at(-1).messages.length, 1, 'the new chat knows nothing of the old one');
  await says('/continue', /Going on with/);
  await says('/quit', /\[exit 0\]/);
});

test('a message of any length, and lines with a backslash, are sent whole', { timeout }, async (t) => {
  const where = await place(t);
  const screen = await startChat(t, where);
  const long = 'x'.repeat(20000);
  screen.pastes(long);
  screen.presses('Enter');
  await until('it was sent', () => where.said().at(-1) === long);
  await screen.shows(/20000 characters/);
  screen.types('one \\');
  screen.presses('Enter');
  screen.types('two');
  screen.presses('Enter');
  await until('it was sent', () => where.said().at(-1) === 'one \ntwo');
  screen.resizes({ columns: 40, lines: 20 });
  await screen.shows(/two[^]*>$/);
});

test('neither a model nor a tool steers the terminal', { timeout }, async (t) => {
  const evil = 'a\u001b]0;mine\u0007\u001b[2J\u001b[1;1Hb\u009b31m&#27;[31mc';
  const fake = await startFakeModel(t, () => ({ text: evil }));
  const where = { config: { models: models(fake.url, ['fake']) }, env: { XDG_DATA_HOME: folder(t), NO_COLOR: '' } };
  const screen = await startChat(t, where);
  screen.types('go');
  screen.presses('Enter');
  await screen.shows(/> go\na\]0;mine\[2J\[1;1Hb31m\[31mc\n>$/);
});

test('text is as the model wrote it with --plain, with NO_COLOR and in a pipe', { timeout }, async (t) => {
  const where = await place(t);
  const raw = /# Heard\n\nYou said \*\*4 characters\*\*/;
  for (const [args, env] of [[['--plain'], {}], [[], { NO_COLOR: '1' }]]) {
    const screen = await startChat(t, { ...where, env: { ...where.env, ...env } }, args);
    screen.types('test');
    screen.presses('Enter');
    await screen.shows(raw);
    assert.doesNotMatch(screen.painted(), /\x1b\[/);
  }
  const piped = await run(binary('troupe'), ['chat', 'test', '--config', configFile(t, where.config)], { env: where.env });
  assert.match(piped.stdout, raw);
});

test('what is typed is kept for its owner alone, and not without a data folder', { timeout }, async (t) => {
  const where = await place(t);
  const file = path.join(where.env.XDG_STATE_HOME, 'troupe', 'chat_history');
  const quiet = await startChat(t, where, ['--data', '']);
  quiet.types('unkept');
  quiet.presses('Enter');
  await quiet.shows(/unkept\.\n>$/);
  quiet.presses('C-d');
  await quiet.shows(/\[exit 0\]/);
  const screen = await startChat(t, where);
  screen.types('kept');
  screen.presses('Enter');
  await screen.shows(/kept\.\n>$/);
  assert.equal(readFileSync(file, 'utf8'), '"kept"\n');
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a prompt and what is piped in are one message', { timeout }, async (t) => {
  const where = await place(t);
  const args = ['chat', '--config', configFile(t, where.config)];
  const chat = (more, input) => run(binary('troupe'), [...args, ...more], { env: where.env, input });
  assert.equal((await chat(['summarise', 'this'], 'line one\nline two\n')).code, 0);
  assert.equal(where.said().at(-1), 'summarise this\n\nline one\nline two');
  assert.equal((await chat([], 'def f():\n  return 1\n')).code, 0);
  assert.equal(where.said().at(-1), 'def f():\n  return 1');
  assert.equal((await chat(['-'], 'only this')).code, 0);
  assert.equal(where.said().at(-1), 'only this');
  const nothing = await chat([]);
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /there is nothing to ask/);
});

test('chats and files can be named on the command line', { timeout }, async (t) => {
  const where = await place(t);
  where.config.models.fake.images = true;
  const args = ['chat', '--config', configFile(t, where.config)];
  const chat = (...more) => run(binary('troupe'), [...args, ...more], { env: where.env });
  assert.match((await chat('--continue', 'x')).stderr, /there is no chat to go on with/);
  const picture = path.join(folder(t), 'dot.png');
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  writeFileSync(picture, Buffer.from(png, 'base64'));
  const first = await chat('--session', 'trip', '--system', 'Be kind.', '--file', picture, 'what is this?');
  assert.equal(first.code, 0, first.stderr);
  const { messages } = where.fake.requests.at(-1);
  assert.equal(messages[0].content, 'Be kind.');
  assert.match(JSON.stringify(messages[1].content), /dot\.png|image_url/);
  assert.equal((await chat('--continue', 'and?')).code, 0);
  assert.equal(where.fake.requests.at(-1).messages.length, 4, 'system, question, answer, question');
  assert.equal((await chat('--session', 'trip', '--system', 'Be curt.', 'so?')).code, 0);
  const told = where.fake.requests.at(-1).messages.filter(({ role }) => role === 'system');
  assert.deepEqual(told.map(({ content }) => content), ['Be curt.'], 'it replaces the one before');
  for (const [more, why] of [
    [['--file', '/nowhere', 'x'], /--file \/nowhere: No such file/],
    [['--session', 'a', '--continue', 'x'], /excludes/],
  ]) {
    const { code, stderr } = await chat(...more);
    assert.equal(code, 2, stderr);
    assert.match(stderr, why);
  }
});

test('a chat of a folder that a server uses is not taken for a new one', { timeout }, async (t) => {
  const where = await place(t);
  const data = folder(t);
  const server = await startTroupe(t, { ...where.config, data });
  const file = configFile(t, { ...where.config, data });
  const chat = (...args) => run(binary('troupe'), ['chat', ...args], { env: where.env });
  assert.equal((await chat('--server', server.url, '--session', 'trip', 'one')).code, 0);
  for (const more of [['--continue'], ['--session', 'trip']]) {
    const { code, stdout, stderr } = await chat('--config', file, ...more, 'two');
    assert.equal(code, 1, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /uses the data folder[^]*--server URL[^]*cannot be gone on with here/);
  }
  const alone = await chat('--config', file, 'three');
  assert.equal(alone.code, 0, 'a new chat is answered, and not kept');
  assert.match(alone.stderr, /This chat is not kept/);
  assert.match((await chat('--config', file, '--data', '', '--continue', 'x')).stderr, /no chat is kept here/);
});

test('without a terminal a call that needs an approval is denied at once, and that is said', { timeout }, async (t) => {
  const where = await place(t, { toolApproval: 'always', mcpServers: { demo: demoServer() } });
  const args = ['chat', '--config', configFile(t, where.config), 'call get-sum {"a":2,"b":3}'];
  const { code, stdout, stderr } = await run(binary('troupe'), args, { env: where.env });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^troupe: get-sum needs an approval, and there is no terminal to ask at: denied$/m);
  assert.match(stdout, /not allow/);
  assert.doesNotMatch(stderr, /calling/, 'it is not called');
});
