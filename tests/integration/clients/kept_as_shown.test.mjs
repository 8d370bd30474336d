// What is kept of a chat is what the AI SDK has built from its streams: of every recorded answer, of
// random turns, and after a restart, an import, a branch.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startModelServer } from '../support/model_server.mjs';
import { until, within } from '../support/patience.mjs';
import { randomFrom } from '../support/random.mjs';
import { startRandomModel } from '../support/random_model.mjs';
import { serverIn } from '../support/servers.mjs';
import { ShownChat, openParts } from '../support/shown_chat.mjs';
import { StoreServer } from '../support/store_server.mjs';

const timeout = within(280000);
const seed = Number(process.env.KEPT_SEED ?? 3);
const turns = Number(process.env.KEPT_TURNS ?? (process.env.TROUPE_SANITIZED ? 100 : 300));
const outputs = fileURLToPath(new URL('../support/outputs_server.mjs', import.meta.url));
const recorded = fileURLToPath(new URL('../../messages/fixtures/openai/', import.meta.url));
const draw = { draw: { description: 'draws', inputSchema: { type: 'object' } } };

/** What must have come up in enough turns. */
const everything = [
  'step-start', 'text done', 'reasoning done', 'file', 'data-quote', 'data-limit', 'data-abort',
  'dynamic-tool output-available', 'dynamic-tool output-error', 'dynamic-tool output-denied',
  'tool-draw output-available', 'tool-draw output-error', 'usage', 'model', 'error', 'lang',
];

const modelAt = (url) => ({ base_url: `${url}/v1`, model: 'm', api_key: 'k', maxAttempts: 1 });

async function start(t, url, config = {}) {
  const server = await new StoreServer(t, {
    models: { default: modelAt(url) },
    defaultModel: 'default',
    mcpServers: { outputs: { command: process.execPath, args: [outputs] } },
    toolApproval: { tools: ['outputs/guarded', 'outputs/guarded/圖'] },
    ...config,
  }).start();
  await until('it is ready', async () => (await server.get('/readyz')).status === 200, 20000);
  return server;
}

const hasTools = (server) =>
  until('its tools are there', async () => {
    const status = await server.json('/v1/status');
    return serverIn(status, 'outputs')?.health === 'success';
  }, 20000);

/** Checks the chats in all the ways that a chat can come back in. */
async function comesBack(server, chats) {
  for (const chat of chats) {
    const copy = `${chat.id} copy`;
    const file = await server.export(chat.id);
    await server.json(`/v1/conversations/import?id=${encodeURIComponent(copy)}`, { method: 'POST', status: 201, body: file });
    assert.deepEqual((await server.export(copy)).messages, file.messages);
    // A call that waits for an approval does not wait for it in a copy.
    if (!chat.messages.some((message) => openParts(message).length > 0)) await chat.isKept('imported', copy);
    const branch = await server.json(`/v1/conversations/${encodeURIComponent(chat.id)}/branch`, { method: 'POST', status: 201, body: {} });
    await chat.isKept('branched', branch.id);
  }
}

test('every recorded answer is kept as it was shown', { timeout }, async (t) => {
  const files = readdirSync(recorded).filter((name) => name.endsWith('.sse'));
  const answers = new Map(files.map((name) => {
    const expected = readFileSync(path.join(recorded, name.replace('.sse', '.expect')), 'utf8');
    const [, status = '200', type = 'text/event-stream'] = expected.match(/^HEAD (\d+) ([\w/+-]+)/m) ?? [];
    return [name, { status: Number(status), type, body: readFileSync(path.join(recorded, name)) }];
  }));
  const url = await startModelServer(t, ({ messages }, response) => {
    const said = JSON.stringify(messages.findLast(({ role }) => role === 'user').content);
    const answer = answers.get(said.slice(1, -1));
    if (messages.at(-1).role === 'tool' || !answer) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end('data: {"choices":[{"index":0,"delta":{"content":"done"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    }
    response.writeHead(answer.status, { 'content-type': answer.type });
    return response.end(answer.body);
  });
  const server = await start(t, url, { mcpServers: {} });
  const chats = [];
  for (const name of files) {
    const chat = new ShownChat(server.url, name);
    chat.messages.push({ id: 'u1', role: 'user', parts: [{ type: 'text', text: name }] });
    await chat.send({ tools: { get_time: draw.draw } });
    await chat.isKept();
    chats.push(chat);
  }
  assert.ok(chats.length >= 150);
  await comesBack(server, chats.slice(0, 40));
  await server.stop();
  await server.ready();
  for (const chat of chats) await Object.assign(chat, { url: server.url }).isKept('restarted');
  await server.stop();
});

/** A model that calls tools, by the names that it is told; `say` is its next answer. */
async function startCallingModel(t) {
  const model = { say: () => [] };
  model.url = await startModelServer(t, ({ messages, tools = [] }, response) => {
    const named = (original) => tools.find(({ function: { description = '' } }) => description.includes(original))?.function.name;
    const calls = messages.at(-1).role === 'user' ? model.say(named) : [];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta, reason = null) =>
      response.write(`data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`);
    if (calls.length === 0) send({ content: 'done' });
    for (const [index, [name, args]] of calls.entries()) {
      const id = `call_${messages.length}_${index}`;
      send({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      send({ tool_calls: [{ index, function: { arguments: args ?? '{"ki' } }] });
      if (args === undefined) return response.end(); // cut off within its arguments
    }
    send({}, calls.length > 0 ? 'tool_calls' : 'stop');
    return response.end('data: [DONE]\n\n');
  });
  return model;
}

test('labels of tools and broken arguments are kept as they were shown', { timeout }, async (t) => {
  const model = await startCallingModel(t);
  const server = await start(t, model.url);
  await hasTools(server);
  const chat = new ShownChat(server.url, 'labels');
  const ask = async (calls) => {
    model.say = (named) => calls.map(([original, args]) => [named(original) ?? original, args]);
    if (!chat.unsent) chat.messages.push({ id: `u${chat.messages.length}`, role: 'user', parts: [{ type: 'text', text: 'go' }] });
    const answer = await chat.send({ tools: draw });
    await chat.isKept();
    chat.unsent = false;
    return answer.parts.filter((part) => 'toolCallId' in part);
  };
  const broken = '{"kind": ';
  const parts = await ask([['給 圖', '{"kind":"text"}'], ['give', '{"kind":"said"}'], ['給 圖', broken], ['draw', broken], ['give', broken]]);
  assert.deepEqual(parts.map(({ title }) => title), ['Gives "it" (給 圖)', undefined, 'Gives "it" (給 圖)', undefined, undefined]);
  assert.deepEqual(parts.map(({ state }) => state), ['output-available', 'output-available', 'output-error', 'output-error', 'output-error']);
  assert.deepEqual(parts.slice(2).map(({ input }) => input), [broken, broken, broken]);
  const [waiting] = await ask([['guarded/圖', '{"kind":"text"}']]);
  assert.deepEqual([waiting.state, waiting.title], ['approval-requested', 'guarded/圖']);
  Object.assign(chat.messages.at(-1).parts.find(({ state }) => state === 'approval-requested'),
    { state: 'approval-responded', approval: { id: waiting.approval.id, approved: true } });
  chat.unsent = true;
  const [approved] = await ask([]);
  assert.deepEqual([approved.state, approved.title], ['output-available', 'guarded/圖']);
  const [cut] = await ask([['給 圖', undefined]]);
  assert.deepEqual([cut.state, cut.title, cut.input], ['output-error', 'Gives "it" (給 圖)', '{"ki']);
  await comesBack(server, [chat]);
  // A chat of a page that has the history only.
  const page = Object.assign(new ShownChat(server.url, 'from a page'), { messages: chat.messages.slice() });
  page.messages.push({ id: 'last', role: 'user', parts: [{ type: 'text', text: 'go on' }] });
  await page.send({ tools: draw });
  await page.isKept();
  await server.stop();
  await server.start();
  await Object.assign(chat, { url: server.url }).isKept('restarted');
  await server.stop();
});

/** Random parts and metadata that a page may put into a user's message. */
function userMessage(random, number) {
  const parts = [{ type: 'text', text: `go ${number}` }];
  const message = { id: `u${number}`, role: 'user', parts };
  if (random() < 0.2) parts.push({ type: 'data-quote', id: 'q', data: { from: [1, { x: null }] } });
  if (random() < 0.2) parts.unshift({ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=', filename: 'a.png' });
  if (random() < 0.2) parts.push({ type: 'text', text: 'and more', providerMetadata: { x: { y: 1 } } });
  if (random() < 0.2) message.metadata = { lang: 'zh', n: 1.5, list: [] };
  return message;
}

/** Does what a page does with the open calls of an answer; returns whether it goes on. */
function decide(random, answer) {
  const open = openParts(answer);
  for (const part of open) {
    const yes = random() < 0.6;
    if (part.state === 'approval-requested') {
      part.state = 'approval-responded';
      part.approval = { id: part.approval.id, approved: yes, ...(!yes && random() < 0.5 && { reason: 'no "thanks"' }) };
    } else if (random() < 0.2) {
      Object.assign(part, { state: 'output-error', errorText: 'it was closed' });
    } else {
      const output = [{ ok: true, n: 1 }, 'done', 42, null, [1, 'two'], { content: [{ type: 'text', text: 'x' }] }];
      Object.assign(part, { state: 'output-available', output: output[Math.floor(random() * output.length)] });
    }
  }
  return open.length > 0;
}

test('random turns are kept as they were shown', { timeout }, async (t) => {
  t.diagnostic(`KEPT_SEED=${seed} KEPT_TURNS=${turns}`);
  const random = randomFrom(seed);
  const model = await startRandomModel(t, random);
  const server = await start(t, model.url);
  await hasTools(server);
  const chats = [];
  for (let left = turns; left > 0; ) {
    const chat = new ShownChat(server.url, `chat ${chats.length}`);
    chats.push(chat);
    for (let more = 1 + Math.floor(random() * 5); more > 0 && left > 0; more -= 1) {
      chat.messages.push(userMessage(random, left));
      for (let goesOn = true; goesOn && left > 0; left -= 1) {
        model.endless = random() < 0.1 ? 1 : 0;
        const stops = model.endless > 0;
        let stopped;
        const hung = new Promise((resolve) => (model.hung = resolve));
        const answer = await chat.send({ tools: draw, maxToolRoundtrips: random() < 0.2 ? 1 : 4 }, ({ type }) => {
          if (stops && type !== 'start') stopped ??= hung.then(() => chat.stop());
        });
        model.hung(); // or it has failed before
        await stopped;
        await chat.isKept(`turn ${turns - left}`);
        goesOn = decide(random, answer);
        chat.unsent = goesOn;
      }
    }
  }
  const seen = new Set(chats.flatMap(({ messages }) => messages.flatMap(({ parts, metadata }) => [
    ...parts.map(({ type, state }) => `${type} ${state ?? ''}`.trim()), ...Object.keys(metadata ?? {}),
  ])));
  t.diagnostic([...seen].sort().join(', '));
  if (turns >= 300) assert.deepEqual(everything.filter((one) => !seen.has(one)), []);
  const whole = chats.filter(({ unsent }) => !unsent);
  await comesBack(server, whole.slice(0, 100));
  await server.stop();
  await server.ready();
  for (const chat of chats) Object.assign(chat, { url: server.url });
  for (const chat of whole) await chat.isKept('restarted');
  await server.stop();
});
