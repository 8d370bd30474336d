// The official clients of five providers, and the AI SDK's providers for them, read the scripted
// model as they read the real servers; and whichever of them stands behind Troupe, the AI SDK's
// client sees the same chunks.
import assert from 'node:assert/strict';
import test from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import * as sdk from 'ai';
import { ask } from '../support/ai_client.mjs';
import { officialClients } from '../support/official_clients.mjs';
import { Program, binary } from '../support/program.mjs';
import { configFile, connected, demoServer, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const text =
  /^Every chat is an actor of its own: .* one event after the other, until .* stops it\.$/;

/** Calls `check` with each client, streamed and whole. */
async function withEach(t, check) {
  const model = await startModel(t);
  for (const [name, client] of Object.entries(officialClients(model.url)))
    for (const stream of [true, false]) {
      const ask = async (script) => client.read(await client.answer(script, stream));
      await check({ where: `${name}, ${stream ? 'streamed' : 'whole'}`, name, stream, client, ask });
    }
}

test('text, its end and its tokens', { timeout }, async (t) => {
  await withEach(t, async ({ where, client, ask }) => {
    const answer = await ask('text');
    assert.match(answer.text, text, where);
    assert.equal(answer.finish, client.finishes.stop, where);
    assert.deepEqual(answer.calls, [], where);
    assert.deepEqual(answer.usage, { input: 10, output: 50 }, where);
    const cut = await ask('length');
    assert.equal(cut.finish, client.finishes.length, where);
  });
});

test('reasoning comes apart from the text', { timeout }, async (t) => {
  await withEach(t, async ({ where, ask }) => {
    const answer = await ask('reasoning');
    assert.match(answer.reasoning, /^The user wants an answer\./, where);
    assert.match(answer.text, text, where);
  });
});

test('one call, and two in one answer', { timeout }, async (t) => {
  await withEach(t, async ({ where, client, ask }) => {
    const one = await ask('call');
    assert.deepEqual(one.calls, [{ name: 'echo', input: { message: 'hello' } }], where);
    assert.equal(one.finish, client.finishes.calls, where);
    const two = await ask('parallel');
    assert.deepEqual(
      two.calls,
      [
        { name: 'echo', input: { message: 'hello' } },
        { name: 'get-sum', input: { a: 2, b: 3 } },
      ],
      where,
    );
  });
});

test('an error before the answer has its status', { timeout }, async (t) => {
  const status = (error) => error.status ?? error.statusCode ?? error.status_code;
  await withEach(t, async ({ where, name, ask }) => {
    for (const [script, expected] of [
      ['error-400', 400],
      ['error-429', 429],
      ['error-500', 500],
      ['error-503', /anthropic/.test(name) ? 529 : 503],
      ['no-such-script', 404],
    ]) {
      const error = await ask(script).then(
        (answer) => assert.fail(`${where}: ${script} answered ${JSON.stringify(answer)}`),
        (thrown) => thrown,
      );
      assert.equal(status(error), expected, `${where}: ${script}: ${error}`);
      assert.ok(error.message.length > 0, where);
    }
  });
});

test('an error in the middle of a stream is told', { timeout }, async (t) => {
  await withEach(t, async ({ where, name, stream, ask }) => {
    // This one drops the line with the error, and says "other".
    if (name === 'ollama-ai-provider-v2' && stream) return;
    for (const script of ['error-in-stream', 'busy-in-stream'])
      await assert.rejects(ask(script), `${where}: ${script}`);
  });
});

test('an answer that is cut is no whole one', { timeout }, async (t) => {
  await withEach(t, async ({ where, client, ask }) => {
    const seen = await ask('cut').catch(() => undefined);
    assert.notEqual(seen?.finish, client.finishes.stop, where);
  });
});

test('the AI SDK runs tools through several rounds, and sends sealed thoughts back', { timeout }, async (t) => {
  const model = await startModel(t);
  for (const [name, client] of Object.entries(officialClients(model.url))) {
    if (!client.converse) continue;
    for (const [script, steps] of [
      ['call', 2],
      ['chain', 3],
      ['parallel', 2],
      ['reasoning-chain', 3],
    ]) {
      const talk = await client.converse(script);
      assert.equal(talk.steps, steps, `${name}: ${script}`);
      assert.match(talk.text, /The tool .* answered: ran with /s, `${name}: ${script}`);
    }
  }
});

test('a pause of Anthropic goes on with the answer behind the history', { timeout }, async (t) => {
  const model = await startModel(t);
  const client = new Anthropic({ baseURL: model.url, apiKey: 'any', maxRetries: 0 });
  const ask = (...messages) =>
    client.messages.create({ model: 'pause', max_tokens: 100, messages });
  const question = { role: 'user', content: 'hello' };
  const first = await ask(question);
  assert.equal(first.stop_reason, 'pause_turn');
  const rest = await ask(question, { role: 'assistant', content: first.content });
  assert.equal(rest.stop_reason, 'end_turn');
  assert.match(first.content[0].text + rest.content[0].text, text);
});

test('the lists of models are read', { timeout }, async (t) => {
  const model = await startModel(t);
  const get = async (path, headers) => (await fetch(model.url + path, { headers })).json();
  const names = (list, key) => list.map((each) => each[key]);
  assert.ok(names((await get('/v1/models')).data, 'id').includes('text'));
  const anthropic = await get('/v1/models', { 'anthropic-version': '2023-06-01' });
  assert.ok(names(anthropic.data, 'display_name').includes('text'));
  assert.ok(names((await get('/v1beta/models')).models, 'name').includes('models/text'));
  assert.ok(names((await get('/api/tags')).models, 'model').includes('text'));
});

/** How each provider reaches the scripted model: the path behind its address. */
const bases = {
  openai: '/v1',
  anthropic: '',
  'openai-responses': '/v1',
  gemini: '/v1beta',
  ollama: '',
};
const shown = ['text', 'reasoning', 'call', 'chain', 'parallel', 'reasoning-chain', 'length'];

/**
 * The chunks without what may differ from run to run: deltas that follow each other are one, ids
 * are numbered in the order in which they come.
 */
function plain(chunks) {
  const ids = new Map();
  const number = (id) => ids.get(id) ?? ids.set(id, ids.size).get(id);
  const seen = [];
  for (const { id, toolCallId, messageId, messageMetadata, ...chunk } of chunks) {
    const key = toolCallId ?? id;
    const made = { ...chunk, ...(key === undefined ? {} : { id: number(key) }) };
    delete made.providerMetadata;
    const last = seen.at(-1);
    const part = ['delta', 'inputTextDelta'].find((name) => name in made);
    if (part && last?.type === made.type && last.id === made.id) last[part] += made[part];
    else seen.push(made);
  }
  return seen;
}

/** The names that Troupe itself lists for a configuration with a provider that there is not. */
async function knownProviders(t) {
  const file = configFile(t, { models: { x: { provider: 'none', base_url: 'http://x.example' } } });
  const program = new Program(binary('troupe'), ['serve', '--config', file]);
  const [, names] = await program.prints(/must be one of: ([\w, -]+)/, { on: 'stderr' });
  await program.exit;
  return names.trim().split(', ');
}

async function chunksBehind(t, model, provider) {
  const entries = Object.fromEntries(
    shown.map((name) => [
      name,
      { provider, base_url: model.url + bases[provider], model: name, api_key: 'any' },
    ]),
  );
  const troupe = await startTroupe(t, {
    models: entries,
    defaultModel: 'text',
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  const seen = {};
  for (const name of shown) {
    const { chunks, errors } = await ask(sdk, troupe.url, { model: name });
    assert.deepEqual(errors, [], `${provider}: ${name}`);
    seen[name] = plain(chunks);
  }
  return seen;
}

test("the AI SDK's client sees the same, whichever provider is behind Troupe", { timeout }, async (t) => {
  const model = await startModel(t);
  const expected = await chunksBehind(t, model, 'openai');
  assert.ok(expected.text.some((chunk) => text.test(chunk.delta ?? '')));
  const others = (await knownProviders(t)).filter((name) => name !== 'openai');
  assert.ok(others.includes('ollama'));
  for (const provider of others)
    await t.test(provider, async () => {
      const seen = await chunksBehind(t, model, provider);
      for (const name of shown) assert.deepEqual(seen[name], expected[name], name);
    });
});
