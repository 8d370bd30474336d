// The real client of Ollama against POST /api/chat and its neighbours: programs that speak only this
// API can use Troupe, and the MCP tools are run on the way. Pages of the AI SDK share /api/chat.
import assert from 'node:assert/strict';
import test from 'node:test';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { Ollama } from 'ollama';
import { createOllama } from 'ollama-ai-provider-v2';
import OpenAI from 'openai';
import { until } from '../support/patience.mjs';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const hello = [{ role: 'user', content: 'hello' }];
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function start(t, config = {}) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url),
    defaultModel: 'text',
    mcpServers: { demo: demoServer() },
    ...config,
  });
  if (!config.mcpServers) await connected(troupe, 'demo');
  const asked = async () => (await model.requests()).map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body));
  return { model, troupe, asked, client: new Ollama({ host: troupe.url }) };
}

/** Reads a stream to its end; returns the lines and what they come to. */
async function collect(stream) {
  const lines = [];
  for await (const line of stream) lines.push(line);
  const join = (read) => lines.map((line) => read(line) ?? '').join('');
  return {
    lines,
    text: join((line) => line.message?.content ?? line.response),
    thinking: join((line) => line.message?.thinking ?? line.thinking),
    calls: lines.flatMap((line) => line.message?.tool_calls ?? []),
    last: lines.at(-1),
  };
}

test('a chat is the same in one piece and in lines, with tools of servers on the way', { timeout }, async (t) => {
  const { client, model, troupe } = await start(t);
  for (const name of ['text', 'chain', 'parallel', 'tool-error']) {
    await model.forget();
    const whole = await client.chat({ model: name, messages: hello });
    assert.equal(whole.model, name);
    assert.equal(whole.done, true);
    assert.equal(whole.done_reason, 'stop');
    assert.equal(whole.message.role, 'assistant');
    assert.ok(whole.message.content.length > 0);
    assert.equal(whole.message.tool_calls, undefined);
    assert.ok(whole.eval_count > 0 && whole.prompt_eval_count > 0 && whole.total_duration > 0);
    assert.ok(Math.abs(Date.now() - Date.parse(whole.created_at)) < 60000, whole.created_at);
    assert.equal((await model.requests()).length > 1, name !== 'text');
    const streamed = await collect(await client.chat({ model: name, messages: hello, stream: true }));
    assert.equal(streamed.text, whole.message.content, name);
    assert.equal(streamed.last.done_reason, 'stop');
    assert.equal(streamed.last.eval_count, whole.eval_count);
  }
  const raw = await fetch(`${troupe.url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'text', messages: hello }), // it streams unless it is told not to
  });
  assert.equal(raw.headers.get('content-type'), 'application/x-ndjson');
  assert.ok((await raw.text()).trimEnd().split('\n').every((line) => JSON.parse(line).model === 'text'));
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});

test('a prompt is answered with its system prompt, in one piece and in lines', { timeout }, async (t) => {
  const { client, asked, model } = await start(t, { mcpServers: {} });
  const whole = await client.generate({ model: 'text', prompt: 'hello', system: 'be brief' });
  assert.deepEqual((await asked())[0].messages, [{ role: 'system', content: 'be brief' }, ...hello]);
  assert.ok(whole.response.length > 0);
  assert.equal(whole.done_reason, 'stop');
  const streamed = await collect(await client.generate({ model: 'text', prompt: 'hello', stream: true }));
  assert.equal(streamed.text, whole.response);
  await model.forget();
  assert.equal((await client.generate({ model: 'text', prompt: '' })).done_reason, 'load');
  assert.equal((await client.chat({ model: 'text', messages: [] })).done_reason, 'load');
  assert.equal((await asked()).length, 0, 'nothing was asked');
  await assert.rejects(client.generate({ model: 'nobody', prompt: '' }), /no model 'nobody'/);
  await assert.rejects(client.generate({ model: 'text', prompt: 'a', suffix: 'b' }), /suffix is not supported/);
});

test('calls of tools that the client brought come back to it', { timeout }, async (t) => {
  const { client } = await start(t, { mcpServers: {} });
  const body = { model: 'call', messages: hello, tools: [weather] };
  const first = await client.chat(body);
  assert.equal(first.done_reason, 'stop');
  const [call] = first.message.tool_calls;
  assert.equal(call.function.name, 'weather');
  assert.equal(typeof call.function.arguments.city, 'string');
  const streamed = await collect(await client.chat({ ...body, stream: true }));
  assert.deepEqual(streamed.calls[0].function, call.function);
  const result = { role: 'tool', tool_name: 'weather', content: 'sunny, 21 degrees' };
  for (const asked of [first.message, { ...first.message, tool_calls: [{ function: call.function }] }]) {
    const second = await client.chat({ ...body, messages: [...hello, asked, result] }); // with its id, and without
    assert.match(second.message.content, /sunny, 21 degrees/);
  }
});

test('options, formats, images and thinking reach the model in its own words', { timeout }, async (t) => {
  const { client, asked, model, troupe } = await start(t, { mcpServers: {} });
  const format = { type: 'object', properties: { a: { type: 'string' } } };
  const options = { temperature: 0.25, num_predict: 99, seed: 7, stop: ['x'], num_ctx: 4096, num_gpu: 1 };
  await client.chat({ model: 'text', messages: hello, options, format, think: 'low', keep_alive: '5m' });
  const [sent] = await asked();
  assert.deepEqual([sent.temperature, sent.seed, sent.stop], [0.25, 7, ['x']]);
  assert.equal(sent.max_completion_tokens ?? sent.max_tokens, 99);
  assert.deepEqual(sent.response_format.json_schema.schema, format);
  assert.equal(sent.reasoning_effort, 'low');
  for (const key of ['num_ctx', 'num_gpu', 'options', 'format', 'think', 'keep_alive'])
    assert.equal(sent[key], undefined, key);

  const thought = await client.chat({ model: 'reasoning', messages: hello });
  assert.ok(thought.message.thinking.length > 0);
  const streamed = await collect(await client.chat({ model: 'reasoning', messages: hello, stream: true }));
  assert.equal(streamed.thinking, thought.message.thinking);
  const hidden = await client.chat({ model: 'reasoning', messages: hello, think: false });
  assert.equal(hidden.message.thinking, undefined);
  assert.equal(hidden.message.content, thought.message.content);

  await model.forget();
  const seeing = await startTroupe(t, { models: models(model.url, ['echo'], { images: true }), mcpServers: {} });
  await new Ollama({ host: seeing.url }).chat({ model: 'echo', messages: [{ ...hello[0], images: [pixel] }] });
  assert.deepEqual((await asked())[0].messages[0].content, [
    { type: 'text', text: 'hello' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
  ]);
  await assert.rejects(client.chat({ model: 'text', messages: [{ ...hello[0], images: ['AAAA'] }] }), /images\[0\] must be/);
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});

test('models are listed and shown as programs look for them', { timeout }, async (t) => {
  const model = await startModel(t);
  const config = { ...models(model.url, ['text']), 'llama3:8b': models(model.url, ['echo'], { images: true, reasoning: { effort: 'low' } }).echo };
  const troupe = await startTroupe(t, { models: config, modelAliases: { small: 'text' }, mcpServers: {} });
  const client = new Ollama({ host: troupe.url });
  const { models: listed } = await client.list();
  assert.deepEqual(listed.map(({ name }) => name), ['llama3:8b', 'small:latest', 'text:latest']);
  for (const { name } of listed) {
    const shown = await client.show({ model: name });
    assert.ok(shown.capabilities.includes('completion') && shown.capabilities.includes('tools'), name);
    assert.equal(shown.capabilities.includes('vision'), name === 'llama3:8b');
    assert.equal(shown.capabilities.includes('thinking'), name === 'llama3:8b');
    assert.equal(shown.model_info['general.architecture'], 'troupe');
    const answer = await client.chat({ model: name, messages: hello });
    assert.equal(answer.model, name); // as it was asked for
  }
  await assert.rejects(client.show({ model: 'nobody' }), (error) => error.status_code === 404);
  const [major, minor] = (await (await fetch(`${troupe.url}/api/version`)).json()).version.split('.').map(Number);
  assert.ok(major > 0 || minor >= 6, 'programs look for a version with tools and thoughts');
  // Programs that took a name from the list ask the other APIs for it.
  const openai = new OpenAI({ baseURL: `${troupe.url}/v1`, apiKey: 'any', maxRetries: 0 });
  const answer = await openai.chat.completions.create({ model: 'text:latest', messages: hello });
  assert.equal(answer.choices[0].finish_reason, 'stop');
  assert.equal(answer.model, 'text:latest');
  assert.equal((await openai.completions.create({ model: 'small:latest', prompt: 'hello' })).model, 'small:latest');
});

test('failures are told as the client reads them', { timeout }, async (t) => {
  const { client, troupe } = await start(t, { mcpServers: {} });
  const failure = async (model) => {
    for (const stream of [false, true]) {
      const asked = client.chat({ model, messages: hello, stream });
      const error = await asked.then((answer) => (stream ? collect(answer) : answer)).then(() => undefined, (why) => why);
      assert.ok(error instanceof Error, `${model}: ${error}`);
      assert.ok(error.message && !error.message.includes('[object'), error.message);
      if (stream) return error;
    }
  };
  assert.equal((await failure('nobody')).status_code, 404);
  assert.equal((await failure('error-400')).status_code, 400);
  assert.equal((await failure('error-401')).status_code, 502);
  assert.equal((await failure('error-429')).status_code, 429);
  assert.equal((await failure('cut')).status_code, undefined); // in mid-stream, as a line
  await assert.rejects(client.embed({ model: 'text', input: 'x' }), (error) =>
    error.status_code === 404 && error.message === 'There is nothing at /api/embed.');
  const page = await fetch(`${troupe.url}/api/chat`, { method: 'POST', body: JSON.stringify({ id: 'c', message: 'hello' }) });
  assert.equal(page.headers.get('content-type'), 'text/event-stream');
  await page.text();
});

test('a client that leaves stops its turn', { timeout }, async (t) => {
  const { client, model, troupe } = await start(t, { mcpServers: {} });
  const stream = await client.chat({ model: 'paced', messages: hello, stream: true });
  for await (const line of stream) {
    assert.equal(line.done, false);
    break;
  }
  client.abort();
  await until('the model is left', async () => (await model.stats()).open === 0);
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});

test("the AI SDK's provider of Ollama calls its tools, and the server's are called for it", { timeout }, async (t) => {
  const [alone, served] = [await start(t, { mcpServers: {} }), await start(t)];
  const model = ({ troupe }) => createOllama({ baseURL: `${troupe.url}/api` })('call');
  const tools = {
    weather: tool({
      description: weather.function.description,
      inputSchema: jsonSchema(weather.function.parameters),
      execute: () => 'rain, 9 degrees',
    }),
  };
  const asked = { prompt: 'hello', maxRetries: 0 };
  const own = await generateText({ ...asked, model: model(alone), tools, stopWhen: stepCountIs(3) });
  assert.equal(own.steps.length, 2);
  assert.match(own.text, /rain, 9 degrees/);
  const theirs = await streamText({ ...asked, model: model(served) }).text;
  const results = (await served.asked()).at(-1).messages.filter(({ role }) => role === 'tool');
  assert.equal(results.length, 1);
  assert.ok(theirs.includes(results[0].content), theirs);
});
