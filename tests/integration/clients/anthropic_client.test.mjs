// The real client of Anthropic against POST /v1/messages: programs that speak only that can use any
// model here, and the MCP tools are run on the way.
import assert from 'node:assert/strict';
import test from 'node:test';
import Anthropic, { toFile } from '@anthropic-ai/sdk';
import { until } from '../support/patience.mjs';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const max_tokens = 500;
const hello = [{ role: 'user', content: 'hello' }];
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

async function start(t, mcpServers = { demo: demoServer() }, entry = { images: true, documents: true }) {
  const model = await startModel(t);
  const config = { models: models(model.url, undefined, entry), defaultModel: 'text', mcpServers };
  const troupe = await startTroupe(t, config);
  if (mcpServers.demo) await connected(troupe, 'demo');
  const client = new Anthropic({ baseURL: troupe.url, apiKey: 'any', maxRetries: 0 });
  const create = (body) => client.messages.create({ max_tokens, messages: hello, ...body });
  const streamed = (body) => client.messages.stream({ max_tokens, messages: hello, ...body }).finalMessage();
  return { model, troupe, client, create, streamed };
}

const textOf = ({ content }) => content.map((block) => block.text ?? '').join('');

/** A message without what differs from answer to answer. */
const plain = ({ id, parsed_output, ...message }) => {
  assert.match(id, /^msg_/);
  return JSON.parse(JSON.stringify(message));
};

/** The body of the model's last request. */
async function asked(model) {
  const { body } = (await model.requests()).at(-1);
  return typeof body === 'string' ? JSON.parse(body) : body;
}

test('answers are the same in one piece and streamed', { timeout }, async (t) => {
  const { create, streamed, troupe } = await start(t);
  for (const name of ['text', 'reasoning', 'length', 'filtered', 'empty']) {
    const whole = await create({ model: name });
    assert.equal(whole.type, 'message');
    assert.equal(whole.model, name);
    assert.deepEqual(plain(await streamed({ model: name })), plain(whole), name);
  }
  const { content, stop_reason, usage } = await create({ model: 'reasoning' });
  assert.deepEqual(content.map(({ type }) => type), ['thinking', 'text']);
  assert.equal(stop_reason, 'end_turn');
  assert.ok(usage.input_tokens > 0 && usage.output_tokens > 0);
  assert.equal((await create({ model: 'length' })).stop_reason, 'max_tokens');
  assert.equal((await create({ model: 'filtered' })).stop_reason, 'refusal');
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});

test('tools of MCP servers are run on the way', { timeout }, async (t) => {
  const { create, streamed, model } = await start(t);
  for (const name of ['call', 'chain', 'parallel', 'tool-error', 'reasoning-chain']) {
    await model.forget();
    const whole = await create({ model: name });
    assert.equal(whole.stop_reason, 'end_turn', name);
    assert.ok(whole.content.every(({ type }) => type !== 'tool_use'), name);
    assert.match(textOf(whole), /The tool .* (answered|said)|answered/s, name);
    assert.ok((await model.requests()).length > 1, `${name}: asked again with the results`);
    assert.equal(textOf(await streamed({ model: name })), textOf(whole), name);
  }
});

test('calls of tools that the client brought come back to it', { timeout }, async (t) => {
  const { create, streamed, client } = await start(t, {});
  for (const ask of [create, streamed]) {
    const first = await ask({ model: 'call', tools: [weather] });
    assert.equal(first.stop_reason, 'tool_use');
    const call = first.content.find(({ type }) => type === 'tool_use');
    assert.equal(call.name, 'weather');
    assert.equal(typeof call.input.city, 'string');
    const result = { type: 'tool_result', tool_use_id: call.id, content: 'sunny, 21 degrees' };
    const second = await ask({
      model: 'call',
      tools: [weather],
      messages: [...hello, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }],
    });
    assert.equal(second.stop_reason, 'end_turn');
    assert.match(textOf(second), /sunny, 21 degrees/);
  }
  const runner = client.beta.messages.toolRunner({
    model: 'call',
    max_tokens,
    messages: hello,
    tools: [{ ...weather, run: () => 'rain, 9 degrees' }],
  });
  assert.match(textOf(await runner), /rain, 9 degrees/);
});

test('what a request says reaches the model', { timeout }, async (t) => {
  const { create, model } = await start(t);
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const pdf = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');
  await create({
    model: 'text',
    system: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }],
    temperature: 0.25,
    stop_sequences: ['x'],
    tools: [weather, { type: 'web_search_20250305', name: 'web_search' }],
    tool_choice: { type: 'tool', name: 'weather' },
    mcpServers: [],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: pdf } },
          { type: 'text', text: 'what is this?' },
        ],
      },
    ],
  });
  const sent = await asked(model);
  assert.equal(sent.temperature, 0.25);
  assert.deepEqual(sent.stop, ['x']);
  assert.equal(sent.max_tokens ?? sent.max_completion_tokens, max_tokens);
  assert.deepEqual(sent.tool_choice, { type: 'function', function: { name: 'weather' } });
  assert.deepEqual(sent.tools.map((tool) => tool.function.name), ['weather']);
  assert.deepEqual(sent.messages[0], { role: 'system', content: 'be brief' });
  const parts = sent.messages[1].content;
  assert.equal(parts.find(({ type }) => type === 'image_url').image_url.url, `data:image/png;base64,${png}`);
  assert.equal(parts.find(({ type }) => type === 'file').file.file_data, `data:application/pdf;base64,${pdf}`);
  for (const key of ['mcpServers', 'max_output_tokens', 'system']) assert.equal(sent[key], undefined, key);
});

test('files are uploaded, listed and named by their ids', { timeout }, async (t) => {
  const { create, client, model } = await start(t);
  const bytes = Buffer.from('%PDF-1.4\n%%EOF\n');
  const file = await client.files.upload({ file: await toFile(bytes, 'a.pdf', { type: 'application/pdf' }) });
  assert.deepEqual([file.type, file.filename, file.mime_type, file.size_bytes], ['file', 'a.pdf', 'application/pdf', bytes.length]);
  const source = { type: 'file', file_id: file.id };
  await create({ model: 'text', messages: [{ role: 'user', content: [{ type: 'document', source }, { type: 'text', text: 'what?' }] }] });
  const part = (await asked(model)).messages[0].content.find(({ type }) => type === 'file');
  assert.equal(part.file.file_data, `data:application/pdf;base64,${bytes.toString('base64')}`);

  const other = await client.files.upload({ file: await toFile(bytes, 'b.pdf', { type: 'application/pdf' }) });
  const listed = [];
  for await (const each of client.files.list({ limit: 1 })) listed.push(each.id); // two pages
  assert.deepEqual(listed.sort(), [file.id, other.id].sort());
  const page = await client.get('/v1/files?limit=1'); // clients before 1.0 go on like this
  const next = await client.get(`/v1/files?limit=1&after_id=${page.last_id}`);
  assert.deepEqual([page, next].map(({ has_more }) => has_more), [true, false]);
  // Within one second the order is that of the ids.
  assert.deepEqual([page, next].flatMap(({ data }) => data.map(({ id }) => id)).sort(), [file.id, other.id].sort());
  for (const query of [{ ids: [file.id] }, { before_id: file.id }])
    await assert.rejects(client.get('/v1/files', { query }), Anthropic.BadRequestError);
  assert.equal((await client.files.retrieveMetadata(file.id)).size_bytes, bytes.length);
  assert.equal((await client.files.delete(other.id)).type, 'file_deleted');
  const gone = { type: 'file', file_id: other.id };
  await assert.rejects(
    create({ model: 'text', messages: [{ role: 'user', content: [{ type: 'image', source: gone }] }] }),
    (error) => error instanceof Anthropic.APIError && /file/.test(error.message),
  );
});

test('failures come with the class of error that the client acts on', { timeout }, async (t) => {
  const { create, streamed, client } = await start(t);
  for (const ask of [create, streamed]) {
    const failure = (body) => ask(body).then((answer) => assert.fail(JSON.stringify(answer)), (error) => error);
    const bad = await failure({ model: 'error-400' });
    assert.ok(bad instanceof Anthropic.BadRequestError, `${bad}`);
    assert.equal(bad.error.error.type, 'invalid_request_error');
    assert.ok(bad.requestID);
    assert.ok((await failure({ model: 'nobody' })) instanceof Anthropic.NotFoundError);
    assert.equal((await failure({ model: 'error-401' })).status, 502); // the operator's key, not the client's
    const container = await failure({ model: 'text', container: 'c' });
    assert.ok(container instanceof Anthropic.BadRequestError, `${container}`);
    assert.match(container.message, /container is not supported/);
    assert.ok((await failure({ model: 'cut' })) instanceof Anthropic.APIError);
  }
  await assert.rejects(client.post('/v1/messages/nothing', { body: {} }), (error) =>
    error instanceof Anthropic.NotFoundError && error.error.error.type === 'not_found_error');
});

test('tokens are estimated, and the models are listed', { timeout }, async (t) => {
  const { client } = await start(t, {});
  const count = await client.messages.countTokens({ model: 'text', messages: hello, tools: [weather] });
  assert.ok(count.input_tokens > 10 && count.input_tokens < 100, JSON.stringify(count));
  const listed = [];
  for await (const each of client.models.list()) listed.push(each);
  assert.ok(listed.some(({ id, type, display_name }) => id === 'text' && type === 'model' && display_name === 'text'));
  assert.equal((await client.models.retrieve('text')).id, 'text');
});

test('a client that leaves stops its turn', { timeout }, async (t) => {
  const { client, model, troupe } = await start(t);
  const stream = await client.messages.create({ model: 'paced', max_tokens, messages: hello, stream: true });
  for await (const each of stream) {
    assert.ok(each.type);
    break; // which aborts the request
  }
  await until('the model is left', async () => (await model.stats()).open === 0);
  await until('no session is left', async () => (await troupe.status()).sessions === 0);
});
