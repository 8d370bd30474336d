// The real client of OpenAI against POST /v1/chat/completions and /v1/completions: any of its users can use Troupe, and
// the MCP tools are run on the way.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
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

async function start(t, mcpServers = { demo: demoServer() }) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url), defaultModel: 'text', mcpServers });
  if (mcpServers.demo) await connected(troupe, 'demo');
  const client = new OpenAI({ baseURL: `${troupe.url}/v1`, apiKey: 'any', maxRetries: 0 });
  return { model, troupe, client, create: (body) => client.chat.completions.create(body) };
}

/** Reads a stream to its end; returns the chunks and what they come to. */
async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta));
  return {
    chunks,
    text: deltas.map((delta) => delta.content ?? '').join(''),
    reason: chunks.findLast((chunk) => chunk.choices.length)?.choices[0].finish_reason,
    usage: chunks.at(-1)?.usage,
  };
}

test('plain answers are the same in one piece and in chunks', { timeout }, async (t) => {
  const { create, troupe } = await start(t);
  const whole = await create({ model: 'text', messages: hello });
  assert.equal(whole.object, 'chat.completion');
  assert.equal(whole.choices[0].finish_reason, 'stop');
  assert.ok(whole.choices[0].message.content.length > 0);
  assert.ok(whole.usage.total_tokens > 0);
  const streamed = await collect(
    await create({
      model: 'text',
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    }),
  );
  assert.equal(streamed.text, whole.choices[0].message.content);
  assert.equal(streamed.reason, 'stop');
  assert.deepEqual(streamed.usage, whole.usage);
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});

test('tools of MCP servers are run on the way', { timeout }, async (t) => {
  const { create, client, model } = await start(t);
  for (const name of ['call', 'chain', 'parallel', 'tool-error']) {
    await model.forget();
    const whole = await create({ model: name, messages: hello });
    const answer = whole.choices[0];
    assert.equal(answer.finish_reason, 'stop', name);
    assert.equal(answer.message.tool_calls, undefined, name);
    assert.ok(answer.message.content.length > 0, name);
    const rounds = await model.requests();
    assert.ok(rounds.length > 1, `${name}: the model was asked again with the results`);
    const streamed = await collect(await create({ model: name, messages: hello, stream: true }));
    assert.equal(streamed.text, answer.message.content, name);
  }
  const runner = client.chat.completions.stream({ model: 'call', messages: hello });
  assert.ok((await runner.finalContent()).length > 0);
});

test('calls of tools that the client brought come back to it', { timeout }, async (t) => {
  const { create, client } = await start(t, {});
  const asked = { model: 'call', messages: hello, tools: [weather] };
  const first = await create(asked);
  assert.equal(first.choices[0].finish_reason, 'tool_calls');
  const [call] = first.choices[0].message.tool_calls;
  assert.equal(call.function.name, 'weather');
  assert.equal(typeof JSON.parse(call.function.arguments).city, 'string');
  const result = { role: 'tool', tool_call_id: call.id, content: 'sunny, 21 degrees' };
  const second = await create({
    ...asked,
    messages: [...hello, first.choices[0].message, result],
  });
  assert.equal(second.choices[0].finish_reason, 'stop');
  assert.match(second.choices[0].message.content, /sunny, 21 degrees/);

  const runner = client.chat.completions.runTools({
    ...asked,
    stream: true,
    tools: [
      {
        ...weather,
        function: { ...weather.function, parse: JSON.parse, function: () => 'rain, 9 degrees' },
      },
    ],
  });
  assert.match(await runner.finalContent(), /rain, 9 degrees/);
});

test('options of the model reach it, and ours do not', { timeout }, async (t) => {
  const { create, model } = await start(t);
  await model.forget();
  const only = { temperature: 0.25, max_completion_tokens: 99, seed: 7, stop: ['x'] };
  await create({ model: 'text', messages: hello, ...only, mcpServers: [] });
  const [{ body }] = await model.requests();
  const sent = typeof body === 'string' ? JSON.parse(body) : body;
  for (const [key, value] of Object.entries(only)) assert.deepEqual(sent[key], value, key);
  assert.equal(sent.mcpServers, undefined);
  assert.equal(sent.tools, undefined);
});

test('sounds reach a model that hears, and are a note to others', { timeout }, async (t) => {
  const model = await startModel(t);
  const hears = models(model.url, ['text'], { audio: true });
  const troupe = await startTroupe(t, { models: { ...models(model.url, ['echo']), ...hears }, mcpServers: {} });
  const client = new OpenAI({ baseURL: `${troupe.url}/v1`, apiKey: 'any', maxRetries: 0 });
  const sound = { type: 'input_audio', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } };
  const said = async () => {
    const { body } = (await model.requests()).at(-1);
    return (typeof body === 'string' ? JSON.parse(body) : body).messages[0].content;
  };
  for (const name of ['text', 'echo']) {
    const content = [{ type: 'text', text: 'hear' }, sound];
    await client.chat.completions.create({ model: name, messages: [{ role: 'user', content }] });
    const told = await said();
    if (name === 'text') assert.deepEqual(told, content);
    else assert.match(told, /^hear\s+\[audio\/wav was attached; this model takes no audio\]$/);
    const input = [{ role: 'user', content: [{ type: 'input_text', text: 'hear' }, sound] }];
    await client.responses.create({ model: name, store: false, input });
    assert.deepEqual(await said(), told);
  }
});

test('failures come with the status that the client acts on', { timeout }, async (t) => {
  const { create } = await start(t);
  const failure = async (body) => {
    try {
      const answer = await create({ messages: hello, ...body });
      return body.stream ? await collect(answer) : answer;
    } catch (error) {
      return error;
    }
  };
  for (const stream of [false, true]) {
    const limited = await failure({ model: 'error-400', stream });
    assert.ok(limited instanceof OpenAI.BadRequestError, `${limited}`);
    assert.equal(limited.code, 'model_request_invalid');
    assert.equal(limited.type, 'invalid_request_error');
    const locked = await failure({ model: 'error-401', stream });
    assert.equal(locked.status, 502, `${locked}`);
    assert.equal(locked.code, 'model_refused');
    const unknown = await failure({ model: 'nobody', stream });
    assert.equal(unknown.status, 404);
    assert.equal(unknown.code, 'model_unknown');
    const bad = await failure({ model: 'text', n: 2, stream });
    assert.equal(bad.status, 400);
    assert.match(bad.message, /n must be 1/);
    const cut = await failure({ model: 'cut', stream });
    assert.ok(cut instanceof OpenAI.APIError, `${cut}`);
    assert.equal(cut.code, 'model_stream_cut');
  }
});

test('completions of a prompt are the same in one piece and in chunks', { timeout }, async (t) => {
  const { client, model, troupe } = await start(t);
  const complete = (body) => client.completions.create({ prompt: 'hello', ...body });
  for (const name of ['text', 'chain']) {
    await model.forget();
    const whole = await complete({ model: name, max_tokens: 99, stop: ['x'] });
    assert.equal(whole.object, 'text_completion');
    assert.equal(whole.model, name);
    assert.equal(whole.choices[0].finish_reason, 'stop');
    assert.ok(whole.choices[0].text.length > 0);
    assert.ok(whole.usage.total_tokens > 0);
    const [{ body }] = await model.requests();
    const sent = typeof body === 'string' ? JSON.parse(body) : body;
    assert.deepEqual(sent.messages, hello);
    assert.deepEqual([sent.max_tokens, sent.stop, sent.prompt], [99, ['x'], undefined]);
    const chunks = [];
    const stream = await complete({ model: name, prompt: ['hello'], stream: true, stream_options: { include_usage: true } });
    for await (const chunk of stream) chunks.push(chunk);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    assert.equal(choices.map((choice) => choice.text).join(''), whole.choices[0].text, name);
    assert.equal(choices.at(-1).finish_reason, 'stop');
    assert.deepEqual(chunks.at(-1).usage, whole.usage);
  }
  await assert.rejects(complete({ model: 'text', prompt: ['a', 'b'] }), (error) =>
    error instanceof OpenAI.BadRequestError && /array of one string/.test(error.message));
  await assert.rejects(complete({ model: 'text', suffix: 'b' }), /suffix is not supported/);
  await assert.rejects(complete({ model: 'nobody' }), (error) =>
    error.status === 404 && error.code === 'model_unknown');
  await assert.rejects(complete({ model: 'error-400', stream: true }), OpenAI.BadRequestError);
  const other = new OpenAI({ baseURL: troupe.url, apiKey: 'any', maxRetries: 0 }); // without /v1
  assert.equal((await other.completions.create({ model: 'text', prompt: 'hello' })).object, 'text_completion');
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});

test('a client that leaves stops its turn', { timeout }, async (t) => {
  const { client, model, troupe } = await start(t);
  const stream = await client.chat.completions.create({
    model: 'paced',
    messages: hello,
    stream: true,
  });
  for await (const chunk of stream) {
    assert.ok(chunk.choices);
    break; // which aborts the request
  }
  await until('the model is left', async () => (await model.stats()).open === 0);
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});

test('the models are listed', { timeout }, async (t) => {
  const { client } = await start(t, {});
  const listed = [];
  for await (const each of client.models.list()) listed.push(each.id);
  assert.ok(listed.includes('text') && listed.includes('chain'), listed.join());
  assert.equal((await client.models.retrieve('text')).id, 'text');
  await assert.rejects(client.models.retrieve('nobody'), (error) =>
    error.status === 404 && error.code === 'model_unknown' && error.message.includes("'nobody'"));
});

test('a base URL may have a /v1 too few or too many', { timeout }, async (t) => {
  const { troupe } = await start(t, {});
  for (const base of ['', '/', '/v1/', '/v1/v1', '/v1']) {
    const client = new OpenAI({ baseURL: troupe.url + base, apiKey: 'any', maxRetries: 0 });
    const answer = await client.chat.completions.create({ model: 'text', messages: hello });
    assert.equal(answer.choices[0].finish_reason, 'stop', base);
    assert.equal((await client.models.retrieve('text')).id, 'text', base);
  }
  const nothing = await fetch(`${troupe.url}/v1/v1/status`);
  assert.equal(nothing.status, 404);
});

test('names that programs have built in stand for models, as modelAliases says', { timeout }, async (t) => {
  const model = await startModel(t);
  const config = { models: models(model.url, ['text', 'echo']), mcpServers: {} };
  const troupe = await startTroupe(t, { ...config, modelAliases: { 'gpt-4o-mini': 'echo', '*': 'text' } });
  const client = new OpenAI({ baseURL: `${troupe.url}/v1`, apiKey: 'any', maxRetries: 0 });
  for (const [name, answered] of [['gpt-4o-mini', 'echo'], ['o9', 'text'], ['echo', 'echo']]) {
    await model.forget();
    const answer = await client.chat.completions.create({ model: name, messages: hello });
    assert.equal(answer.model, name); // as it was asked for
    const [{ body }] = await model.requests();
    assert.equal((typeof body === 'string' ? JSON.parse(body) : body).model, answered);
  }
  const listed = [];
  for await (const each of client.models.list()) listed.push(each.id);
  assert.deepEqual(listed, ['echo', 'gpt-4o-mini', 'text']);
});

/** Starts a server with POST /v1/embeddings; `seen` are the requests. */
async function embeddingServer(t) {
  const seen = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text);
    seen.push({ path: request.url, key: request.headers.authorization, body });
    if (body.input === 'never') return; // it is never answered
    const bad = body.input === 'bad';
    const answer = bad
      ? { error: { message: 'No such text.', type: 'invalid_request_error' } }
      : { object: 'list', model: body.model, data: [{ object: 'embedding', index: 0, embedding: [0.5, -1] }], usage: { prompt_tokens: 1, total_tokens: 1 } };
    response.writeHead(bad ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${server.address().port}/v1` };
}

test('embeddings are passed through to the provider with its own key', { timeout }, async (t) => {
  const { seen, url } = await embeddingServer(t);
  const provider = { provider: 'openai', base_url: url, model: 'embed-3', api_key: 'secret' };
  const slow = { ...provider, timeouts: { firstTokenMs: 100 } };
  const other = { provider: 'anthropic', base_url: 'http://127.0.0.1:9', model: 'x', api_key: 'k' };
  const troupe = await startTroupe(t, { models: { embed: provider, slow, other }, mcpServers: {} });
  const client = new OpenAI({ baseURL: `${troupe.url}/v1`, apiKey: 'mine', maxRetries: 0 });
  const made = await client.embeddings.create({ model: 'embed', input: 'hi', encoding_format: 'float' });
  assert.deepEqual(made.data[0].embedding, [0.5, -1]);
  assert.deepEqual(seen, [
    { path: '/v1/embeddings', key: 'Bearer secret', body: { model: 'embed-3', input: 'hi', encoding_format: 'float' } },
  ]);
  const ask = (body) => client.embeddings.create({ encoding_format: 'float', input: 'hi', ...body });
  await assert.rejects(ask({ model: 'embed', input: 'bad' }), (error) =>
    error instanceof OpenAI.BadRequestError && error.code === 'model_request_invalid' && !error.message.includes('secret'));
  const discreet = await startTroupe(t, { models: { embed: provider, away: { ...provider, base_url: 'http://127.0.0.1:9' } }, mcpServers: {}, errorDetails: false });
  const stranger = new OpenAI({ baseURL: `${discreet.url}/v1`, apiKey: 'mine', maxRetries: 0 });
  for (const model of ['embed', 'away'])
    await assert.rejects(stranger.embeddings.create({ model, input: 'bad', encoding_format: 'float' }), (error) => !/No such text|127\.0\.0\.1/.test(error.message));
  await assert.rejects(ask({ model: 'none' }), OpenAI.NotFoundError);
  await assert.rejects(ask({ model: 'other' }), /has no embeddings/);
  await assert.rejects(ask({ model: 'slow', input: 'never' }), (error) => error.status === 504 && error.code === 'model_timeout');
});
