// What a model's server says to machines reaches the machine at the other end, and what it refuses is left out:
// when to try again, which stop sequence it was, parameters that it does not take, reasoning that it wants back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startModelServer } from '../support/model_server.mjs';
import { startPlainMcp } from '../support/plain_mcp.mjs';
import { connected, startTroupe } from '../support/servers.mjs';
import { newSession, takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const parameters = { type: 'object', properties: {} };
const messages = [{ role: 'user', content: 'go' }];

const chunk = (delta, finish_reason = null, more = {}) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason, ...more }] })}\n\n`;
const stream = (...chunks) => ({ type: 'text/event-stream', body: `${chunks.join('')}data: [DONE]\n\n` });
const says = (text) => stream(chunk({ content: text }), chunk({}, 'stop'));
const calls = (name, thought) =>
  stream(
    chunk(thought ? { reasoning_content: thought } : {}),
    chunk({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: '{}' } }] }),
    chunk({}, 'tool_calls'),
  );
const refuses = (message, more = {}) => ({ status: 400, body: JSON.stringify({ error: { message, type: 'invalid_request_error', ...more } }) });
const events = (...list) => ({
  type: 'text/event-stream',
  body: list.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(''),
});

/** Starts Troupe with one model for each answer(body, number); has `seen`, the bodies of each, and `post`. */
async function start(t, answers, { entries = {}, ...config } = {}) {
  const seen = {};
  const url = await startModelServer(t, (body, response, request) => {
    const name = request.url.split('/')[1];
    (seen[name] ??= []).push(body);
    const { status = 200, type = 'application/json', fields = {}, body: text } = answers[name](body, seen[name].length);
    response.writeHead(status, { 'content-type': type, ...fields }).end(text);
  });
  const models = Object.keys(answers).map((name) => [
    name,
    { base_url: `${url}/${name}`, model: name, api_key: 'k', maxAttempts: 1, ...entries[name] },
  ]);
  const troupe = await startTroupe(t, { models: Object.fromEntries(models), ...config });
  const post = (path, body) => fetch(troupe.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return { troupe, seen, post };
}

test('a client is told when to try again, over every API', { timeout }, async (t) => {
  const limited = (fields, status = 429) => () => ({ ...refuses('slow down', { code: 'rate_limit_exceeded' }), status, fields });
  const { troupe, post } = await start(t, {
    seconds: limited({ 'retry-after': '7' }),
    fraction: limited({ 'retry-after-ms': '1200' }),
    date: limited({ 'retry-after': new Date(Date.now() + 3600000).toUTCString() }, 503),
    never: limited({}),
  });
  const ways = {
    '/v1/chat/completions': { messages },
    '/v1/messages': { messages, max_tokens: 9 },
    '/v1/responses': { input: 'go' },
    '/api/chat': { messages },
    '/v1/embeddings': { input: 'go' },
  };
  for (const [path, body] of Object.entries(ways))
    for (const streamed of path === '/v1/embeddings' ? [false] : [false, true]) {
      const after = async (model) => (await post(path, { model, stream: streamed, ...body })).headers.get('retry-after');
      assert.equal(await after('seconds'), '7', path);
      assert.equal(await after('fraction'), '2', path);
      const seconds = Number(await after('date'));
      assert.ok(seconds > 3500 && seconds <= 3600, `${path}: ${seconds}`);
      assert.equal(await after('never'), null, path);
    }
  const turn = await takeTurn(troupe.url, { message: 'go', model: 'seconds' });
  const { retryAfterMs } = turn.events.at(-1);
  assert.ok(retryAfterMs > 6000 && retryAfterMs <= 7000, retryAfterMs);
});

test('a client is told which of its stop sequences it was', { timeout }, async (t) => {
  const ends = (more) => () => stream(chunk({ content: 'one two' }), chunk({}, 'stop', more));
  const { post } = await start(
    t,
    {
      anthropic: () =>
        events(
          { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 3, output_tokens: 1 } } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'one two' } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' }, usage: { output_tokens: 2 } },
          { type: 'message_stop' },
        ),
      vllm: ends({ stop_reason: 'END' }),
      sglang: ends({ matched_stop: 'END' }),
      token: ends({ stop_reason: 151645 }),
      own: ends({ stop_reason: 'eos' }),
      silent: ends({}),
    },
    { entries: { anthropic: { provider: 'anthropic' } } },
  );
  for (const [model, expected] of Object.entries({ anthropic: 'END', vllm: 'END', sglang: 'END', token: null, own: null, silent: null }))
    for (const streamed of [false, true]) {
      const answer = await post('/v1/messages', { model, messages, max_tokens: 9, stop_sequences: ['STOP', 'END'], stream: streamed });
      const text = await answer.text();
      const end = streamed ? JSON.parse(/^data: (.*"message_delta".*)$/m.exec(text)[1]).delta : JSON.parse(text);
      assert.deepEqual([end.stop_reason, end.stop_sequence], [expected ? 'stop_sequence' : 'end_turn', expected], model);
    }
});

test('a parameter that a model refuses is left out from then on', { timeout }, async (t) => {
  const without = (...names) => (body) => {
    const name = names.find((each) => body[each] !== undefined);
    return name ? refuses(`Unsupported parameter: '${name}' is not supported with this model.`, { param: name, code: 'unsupported_parameter' }) : says('ok');
  };
  const { troupe, seen, post } = await start(
    t,
    {
      one: without('top_p'),
      three: without('temperature', 'top_p', 'parallel_tool_calls'),
      usage: without('stream_options'),
      always: () => refuses("Unsupported parameter: 'seed' is not supported with this model.", { param: 'seed' }),
      range: () => refuses("'temperature' must be at most 2", { param: 'temperature', code: 'invalid_value' }),
      claude: (body) =>
        body.stop_sequences === undefined
          ? events({ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn', usage: {} })
          : { status: 400, body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'stop_sequences: Extra inputs are not permitted' } }) },
    },
    { entries: { claude: { provider: 'anthropic' } } },
  );
  const tools = [{ type: 'function', function: { name: 'x', parameters } }];
  const asked = { temperature: 0, top_p: 0.8, parallel_tool_calls: false };
  const ask = async (model) => (await post('/v1/chat/completions', { model, messages, tools, ...(model === 'claude' ? { stop: ['x'] } : asked) })).status;
  for (const [model, requests] of Object.entries({ one: 3, three: 5, usage: 3, claude: 3 })) {
    assert.deepEqual([await ask(model), await ask(model)], [200, 200], model);
    assert.equal(seen[model].length, requests, model);
  }
  assert.deepEqual([seen.one.at(-1).temperature, seen.one.at(-1).top_p], [0, undefined]);
  assert.deepEqual([await ask('range'), seen.range.length], [400, 1]);
  assert.deepEqual([await ask('always'), seen.always.length], [400, 2]);
  assert.match(troupe.program.stderr, /parameter_left_out.*top_p/);
});

test('reasoning of earlier turns goes back to models that want it, and to no others', { timeout }, async (t) => {
  const strict = (body) => {
    const at = body.messages.findIndex(({ role, tool_calls: made, reasoning_content: thought }) => role === 'assistant' && made && !thought?.trim());
    if (at >= 0) return refuses(`messages[${at}] calls a tool, but its reasoning_content is missing`);
    return body.messages.at(-1).role === 'tool' ? says('done') : calls('look', 'I have to look.');
  };
  const old = (body) =>
    body.messages.slice(0, body.messages.findLastIndex(({ role }) => role === 'user')).some((each) => each.reasoning_content)
      ? refuses('reasoning_content is not allowed in input messages')
      : strict({ ...body, messages: body.messages.slice(body.messages.findLastIndex(({ role }) => role === 'user')) });
  const claude = (body) => {
    const said = body.messages.filter(({ role }) => role === 'assistant');
    const bad = said.some(({ content }) => content.some(({ type }) => type === 'tool_use') && content[0].type !== 'thinking');
    if (bad) return { status: 400, body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'The content[].thinking in the thinking mode must be passed back to the API.' } }) };
    const done = JSON.stringify(body.messages.at(-1)).includes('tool_result');
    const content = done ? [{ type: 'text', text: 'done' }] : [{ type: 'thinking', thinking: 'I have to look.' }, { type: 'tool_use', id: `t${body.messages.length}`, name: 'look', input: {} }];
    return { body: JSON.stringify({ type: 'message', id: 'm', role: 'assistant', content, stop_reason: done ? 'end_turn' : 'tool_use', usage: {} }) };
  };
  const { troupe, seen } = await start(
    t,
    { 'kimi-k2.6': strict, unknown: strict, old, 'deepseek-v4': claude, learns: claude },
    {
      entries: { 'deepseek-v4': { provider: 'anthropic', streaming: false }, learns: { provider: 'anthropic', streaming: false } },
      mcpServers: { eyes: await startPlainMcp(t, 'eyes', [{ name: 'look', inputSchema: parameters }], () => ({ content: [{ type: 'text', text: 'seen' }] })) },
    },
  );
  await connected(troupe, 'eyes');
  for (const [model, refusals] of Object.entries({ 'kimi-k2.6': 0, unknown: 1, old: 0, 'deepseek-v4': 0, learns: 1 })) {
    const session = newSession();
    for (const message of ['one', 'two', 'three', 'four']) {
      const turn = await takeTurn(troupe.url, { message, model }, { session });
      assert.equal(turn.text(), 'done', `${model}, ${message}: ${turn.events.at(-1).errorText}`);
    }
    assert.equal(seen[model].length, 8 + refusals, model);
  }
  const chat = newSession();
  for (const model of ['old', 'kimi-k2.6', 'unknown']) // each has calls in its history that another model made
    assert.equal((await takeTurn(troupe.url, { message: 'go', model }, { session: chat })).text(), 'done', model);
});

test('an answer in which nothing was generated is tried again, and then an error', { timeout }, async (t) => {
  const line = (message, done_reason) => ({ type: 'application/x-ndjson', body: `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: message }, done: true, done_reason })}\n` });
  const twice = (first, then) => (_, number) => (number === 1 ? first : then);
  const none = { body: JSON.stringify({ id: 'x', object: 'chat.completion', choices: [] }) };
  const text = { body: JSON.stringify({ id: 'x', object: 'text_completion', choices: [{ index: 0, text: 'hi', finish_reason: 'stop' }] }) };
  const { troupe, seen } = await start(
    t,
    {
      load: twice(line('', 'load'), line('hello', 'stop')),
      loads: () => line('', 'load'),
      empty: twice(stream('data: {"choices":[]}\n\n'), says('hello')),
      choices: twice(none, says('hello')),
      text: () => text,
    },
    { entries: Object.fromEntries(['load', 'loads', 'empty', 'choices', 'text'].map((name) => [name, { provider: name.startsWith('load') ? 'ollama' : 'openai', maxAttempts: 2, retryDelayMs: 1 }])) },
  );
  for (const [model, expected] of Object.entries({ load: 'hello', empty: 'hello', choices: 'hello', loads: undefined, text: undefined })) {
    const turn = await takeTurn(troupe.url, { message: 'go', model });
    assert.deepEqual([turn.events.at(-1).type, turn.text()], expected ? ['SESSION_END', expected] : ['SESSION_ERROR', ''], model);
  }
  assert.equal(seen.loads.length, 2);
});

test('a picture is one in every envelope, of servers and of clients', { timeout }, async (t) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';
  const url = `data:image/png;base64,${png}`;
  const shot = (body) => (body.messages.some(({ role }) => role === 'tool') ? says('ok') : calls(body.tools[0].function.name));
  const blob = (data, mimeType) => () => ({ content: [{ type: 'resource', resource: { uri: 'a://b', mimeType, blob: data } }] });
  const servers = { plain: blob(png, 'image/png'), lines: blob(png.replace(/.{20}/g, '$&\r\n'), 'image/png'), wrapped: blob(url), untyped: blob(png) };
  const mcpServers = {};
  for (const [name, call] of Object.entries(servers)) mcpServers[name] = await startPlainMcp(t, name, [{ name, inputSchema: parameters }], call);
  const { troupe, seen, post } = await start(t, { see: shot, blind: shot }, { entries: { see: { images: true } }, mcpServers });
  for (const name of Object.keys(servers)) {
    await connected(troupe, name);
    await takeTurn(troupe.url, { message: 'go', model: 'see', mcpServers: [name] });
    assert.ok(JSON.stringify(seen.see.at(-1).messages).includes(url), name);
  }
  await takeTurn(troupe.url, { message: 'go', model: 'blind', mcpServers: ['plain'] });
  assert.ok(!JSON.stringify(seen.blind.at(-1).messages).includes(png));
  for (const image_url of [{ url }, url]) {
    const call = { id: 'c1', type: 'function', function: { name: 'own', arguments: '{}' } };
    const content = [{ type: 'text', text: 'a shot' }, { type: 'image_url', image_url }];
    const history = [...messages, { role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: 'c1', content }];
    const tools = [{ type: 'function', function: { name: 'own', parameters } }];
    for (const model of ['see', 'blind']) {
      assert.equal((await post('/v1/chat/completions', { model, messages: history, tools })).status, 200);
      const sent = seen[model].at(-1).messages;
      assert.match(sent.find(({ role }) => role === 'tool').content, /^a shot/);
      assert.equal(JSON.stringify(sent).includes(url), model === 'see');
    }
  }
});

test('arguments of a call of the client come while they are written', { timeout }, async (t) => {
  const pieces = ['{"path": "a', '.txt", "text": "', ...'one two three'.split(' '), '", }']; // the last one has to be mended
  let goOn;
  const url = await startModelServer(t, async (_, response) => {
    const call = (more) => response.write(chunk({ tool_calls: [{ index: 0, ...more }] }));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    call({ id: 'c', type: 'function', function: { name: 'write', arguments: '' } });
    for (const each of pieces) {
      const seen = new Promise((resolve) => (goOn = resolve));
      call({ function: { arguments: each } });
      if (each !== pieces.at(-1)) await seen; // the client has it
    }
    response.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`);
  });
  const troupe = await startTroupe(t, { models: { writer: { base_url: url, model: 'writer', api_key: 'k' } } });
  const read = {
    '/v1/chat/completions': ({ choices }) => choices?.[0]?.delta.tool_calls?.[0].function.arguments,
    '/v1/messages': ({ delta }) => delta?.partial_json,
    '/v1/responses': ({ type, delta }) => (type === 'response.function_call_arguments.delta' ? delta : undefined),
  };
  const bodies = {
    '/v1/chat/completions': { messages, tools: [{ type: 'function', function: { name: 'write', parameters } }] },
    '/v1/messages': { messages, max_tokens: 99, tools: [{ name: 'write', input_schema: parameters }] },
    '/v1/responses': { input: 'go', tools: [{ type: 'function', name: 'write', parameters, strict: false }] },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const answer = await fetch(troupe.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'writer', stream: true, ...body }) });
    let text = '';
    const got = [];
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      const lines = text.split('\n');
      text = lines.pop();
      for (const each of lines) {
        const piece = each.startsWith('data: {') ? read[path](JSON.parse(each.slice(6))) : undefined;
        if (piece) got.push(piece);
        if (piece) goOn();
      }
    }
    assert.equal(got.length, pieces.length, `${path}: ${JSON.stringify(got)}`);
    assert.deepEqual(JSON.parse(got.join('')), { path: 'a.txt', text: 'onetwothree' }, path);
  }
});
