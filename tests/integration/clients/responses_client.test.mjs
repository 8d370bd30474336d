// The real client of OpenAI against POST /v1/responses: streamed and whole, with its own tools and
// the server's, stateless and on conversations that are kept.
import assert from 'node:assert/strict';
import test from 'node:test';
import OpenAI from 'openai';
import { until } from '../support/patience.mjs';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const weather = {
  type: 'function',
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
};

async function start(t, mcpServers = { demo: demoServer() }, config = {}) {
  const model = await startModel(t);
  const entries = models(model.url, undefined, { images: true, documents: true });
  const troupe = await startTroupe(t, { models: entries, defaultModel: 'text', mcpServers, ...config });
  if (mcpServers.demo) await connected(troupe, 'demo');
  const client = new OpenAI({ baseURL: `${troupe.url}/v1`, apiKey: 'any', maxRetries: 0 });
  const create = (body) => client.responses.create({ input: 'hello', ...body });
  const streamed = (body) => client.responses.stream({ input: 'hello', ...body }).finalResponse();
  return { model, troupe, client, create, streamed };
}

/** The body of the model's last request. */
async function asked(model) {
  const { body } = (await model.requests()).at(-1);
  return typeof body === 'string' ? JSON.parse(body) : body;
}

const types = ({ output }) => output.map(({ type }) => type);
const said = (message) => [message.role, message.content];

/** Output without what differs from answer to answer. */
const plain = ({ output, status, usage, incomplete_details }) => ({
  output: output.map(({ id, call_id, parsed_arguments, ...item }) => ({
    ...item,
    content: item.content?.map(({ parsed, ...part }) => part),
  })),
  status,
  usage,
  incomplete_details,
});

test('answers are the same in one piece and streamed', { timeout }, async (t) => {
  const { create, streamed, troupe } = await start(t);
  for (const name of ['text', 'reasoning', 'length', 'filtered', 'empty', 'chain', 'parallel', 'tool-error']) {
    const whole = await create({ model: name, store: false });
    assert.equal(whole.object, 'response');
    assert.equal(whole.model, name);
    assert.deepEqual(plain(await streamed({ model: name, store: false })), plain(whole), name);
  }
  const answer = await create({ model: 'reasoning', store: false });
  assert.deepEqual(types(answer), ['reasoning', 'message']);
  assert.match(answer.output_text, /^Every chat is an actor/);
  assert.ok(answer.usage.input_tokens > 0 && answer.usage.output_tokens > 0);
  const cut = await create({ model: 'length', store: false });
  assert.equal(cut.status, 'incomplete');
  assert.equal(cut.incomplete_details.reason, 'max_output_tokens');
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});

test('calls of MCP servers are items, and go back as they came', { timeout }, async (t) => {
  const { create, model } = await start(t);
  const first = await create({ model: 'chain', store: false });
  assert.deepEqual(types(first), ['mcp_call', 'mcp_call', 'message']);
  const [echo] = first.output;
  assert.equal(echo.server_label, 'demo');
  assert.match(echo.name, /echo/);
  assert.equal(echo.status, 'completed');
  assert.match(echo.output, /hello/);
  assert.equal((await create({ model: 'tool-error', store: false })).output[0].status, 'failed');
  await create({ model: 'text', store: false, input: [{ role: 'user', content: 'hello' }, ...first.output, { role: 'user', content: 'and?' }] });
  const { messages } = await asked(model);
  assert.deepEqual(messages.map(({ role }) => role), ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'user']);
  assert.match(messages[2].content, /hello/);
});

test('calls of tools that the client brought come back to it', { timeout }, async (t) => {
  const { create, streamed } = await start(t, {});
  for (const ask of [create, streamed]) {
    const first = await ask({ model: 'call', tools: [weather], store: false });
    const call = first.output.find(({ type }) => type === 'function_call');
    assert.equal(call.name, 'weather');
    assert.equal(typeof JSON.parse(call.arguments).city, 'string');
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'sunny, 21 degrees' };
    const second = await ask({
      model: 'call',
      tools: [weather],
      store: false,
      input: [{ role: 'user', content: 'hello' }, ...first.output, result],
    });
    assert.match(second.output_text, /sunny, 21 degrees/);
  }
  const custom = { type: 'custom', name: 'note', description: 'Writes a note' };
  const answer = await create({ model: 'call', tools: [custom, { type: 'web_search' }], store: false });
  assert.equal(answer.output[0].type, 'custom_tool_call');
  assert.equal(typeof answer.output[0].input, 'string');
});

test('a response that is stored is a conversation, and the next one goes on in it', { timeout }, async (t) => {
  const { create, client, model, troupe } = await start(t);
  const first = await create({ model: 'text', input: 'one', instructions: 'be brief' });
  assert.equal(first.store, true);
  const second = await create({ model: 'text', input: 'two', instructions: 'be kind', previous_response_id: first.id });
  assert.equal(second.previous_response_id, first.id);
  assert.deepEqual((await asked(model)).messages.map(said), [
    ['system', 'be kind'],
    ['user', 'one'],
    ['assistant', first.output_text],
    ['user', 'two'],
  ]);
  const list = async () => (await (await fetch(`${troupe.url}/v1/conversations`)).json()).conversations;
  assert.equal((await list()).length, 1);

  // Another answer to the first one leaves the second alone.
  const other = await create({ model: 'text', input: 'three', previous_response_id: first.id });
  assert.deepEqual((await asked(model)).messages.map(said), [
    ['user', 'one'],
    ['assistant', first.output_text],
    ['user', 'three'],
  ]);
  assert.equal((await list()).length, 2);

  for (const made of [first, second, other]) {
    const kept = await client.responses.retrieve(made.id);
    assert.equal(kept.id, made.id);
    assert.equal(kept.status, 'completed');
    assert.equal(kept.model, 'text');
    assert.equal(kept.output_text, made.output_text);
    assert.deepEqual(kept.usage, made.usage);
  }
  const beside = await create({ model: 'text', store: false, previous_response_id: second.id, input: 'four' });
  assert.equal((await asked(model)).messages.length, 5);
  await assert.rejects(client.responses.retrieve(beside.id), OpenAI.NotFoundError);
  assert.equal((await list()).length, 2);
});

test('a response whose input had to be mended is found again', { timeout }, async (t) => {
  const { create, client, model } = await start(t);
  const user = (content) => ({ role: 'user', content });
  const calls = ['c1', 'c2', 'c3'].map((call_id) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' }));
  const inputs = {
    'an answer that says nothing': [user('a'), { role: 'assistant', content: '' }, user('b')],
    'calls without results': [user('a'), ...calls, user('b'), { role: 'assistant', content: 'B' }, user('c')],
  };
  for (const [name, input] of Object.entries(inputs)) {
    const first = await create({ model: 'text', input });
    assert.equal((await client.responses.retrieve(first.id)).output_text, first.output_text, name);
    await create({ model: 'text', input: 'more', previous_response_id: first.id });
    assert.deepEqual((await asked(model)).messages.slice(-3).map(said), [
      ['user', input.at(-1).content],
      ['assistant', first.output_text],
      ['user', 'more'],
    ], name);
  }
});

test('results of tools go on behind a response that is stored', { timeout }, async (t) => {
  const { create, client, model } = await start(t);
  const ask = (body) => create({ model: 'call', tools: [weather], mcpServers: [], ...body });
  const first = await ask({});
  const call = first.output.find(({ type }) => type === 'function_call');
  const output = [{ type: 'function_call_output', call_id: call.call_id, output: 'sunny' }];
  const second = await ask({ previous_response_id: first.id, input: output });
  assert.match(second.output_text, /sunny/);
  assert.deepEqual((await asked(model)).messages.map(({ role }) => role), ['user', 'assistant', 'tool']);
  assert.deepEqual(types(await client.responses.retrieve(first.id)), ['function_call']);
  assert.equal((await client.responses.retrieve(second.id)).output_text, second.output_text);
  const third = await ask({ model: 'chain', mcpServers: ['demo'], tools: [], previous_response_id: second.id, input: 'more' });
  assert.deepEqual(types(await client.responses.retrieve(third.id)), ['mcp_call', 'mcp_call', 'message']);
});

test('without a data folder nothing is stored, and that is said', { timeout }, async (t) => {
  const { create, client } = await start(t, {}, { data: '' });
  const first = await create({ model: 'text' });
  assert.equal(first.store, false);
  for (const wrong of [() => create({ previous_response_id: first.id }), () => client.responses.retrieve(first.id)])
    await assert.rejects(wrong, (error) =>
      error instanceof OpenAI.NotFoundError && /send the whole input/.test(error.message));
});

test('what a request says reaches the model', { timeout }, async (t) => {
  const { create, model } = await start(t);
  const pdf = `data:application/pdf;base64,${Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')}`;
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
  await create({
    model: 'text',
    store: false,
    temperature: 0.25,
    max_output_tokens: 99,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'n', schema, strict: true } },
    prompt_cache_key: 'k',
    include: ['reasoning.encrypted_content'],
    mcpServers: [],
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'what is this?' },
          { type: 'input_file', filename: 'a.pdf', file_data: pdf },
        ],
      },
    ],
  });
  const sent = await asked(model);
  assert.equal(sent.temperature, 0.25);
  assert.equal(sent.max_tokens ?? sent.max_completion_tokens, 99);
  assert.equal(sent.reasoning_effort, 'low');
  assert.deepEqual(sent.response_format.json_schema, { name: 'n', schema, strict: true });
  assert.deepEqual(sent.messages[0].content[1].file, { filename: 'a.pdf', file_data: pdf });
  for (const key of ['prompt_cache_key', 'include', 'input', 'store', 'reasoning', 'text'])
    assert.equal(sent[key], undefined, key);
});

test('failures come with the status that the client acts on', { timeout }, async (t) => {
  const { create, client } = await start(t);
  for (const stream of [false, true]) {
    const failure = async (body) => {
      try {
        const answer = await create({ store: false, ...body, stream });
        if (!stream) return answer;
        let last;
        for await (const event of answer) last = event;
        return last.response;
      } catch (error) {
        return error;
      }
    };
    const limited = await failure({ model: 'error-400' });
    assert.ok(limited instanceof OpenAI.BadRequestError, `${limited}`);
    assert.equal(limited.code, 'model_request_invalid');
    assert.equal((await failure({ model: 'nobody' })).status, 404);
    const bad = await failure({ model: 'text', background: true });
    assert.match(bad.message, /background is not supported/);
    const cut = await failure({ model: 'cut' });
    assert.ok(cut instanceof OpenAI.APIError, `${cut}`);
    assert.equal(cut.code, 'model_stream_cut');
  }
  await assert.rejects(client.responses.retrieve('resp_1'), OpenAI.NotFoundError);
});

test('a client that leaves stops its turn', { timeout }, async (t) => {
  const { create, model } = await start(t);
  for await (const event of await create({ model: 'paced', stream: true })) {
    if (event.type === 'response.output_text.delta') break; // which aborts the request
  }
  await until('the model is left', async () => (await model.stats()).open === 0);
});
