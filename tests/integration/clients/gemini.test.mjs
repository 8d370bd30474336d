// Whole turns with Gemini: rounds of tools with signatures, errors, and answers of every form,
// against a server that refuses what Gemini refuses.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { startTroupe } from '../support/servers.mjs';
import { newSession, takeTurn } from '../support/turns.mjs';

const timeout = 60000;
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';

const candidate = (parts, finishReason) => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason, index: 0 }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
});
const call = (name, args, more) => ({ functionCall: { name, args }, ...more });
const events = (chunks) => chunks.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`).join('');

/** Returns what is wrong with the contents of a request, as Gemini 3 would say it. */
function fault(contents) {
  let calls = [];
  let last;
  for (const [at, { role, parts }] of contents.entries()) {
    const found = (key) => parts.filter((each) => each[key]).map((each) => each[key]);
    const responses = found('functionResponse');
    if (at === 0 && role !== 'user') return 'the first content is not of the user';
    if (role === last && role === 'model') return 'two contents of the model';
    if (responses.length !== calls.length)
      return `${responses.length} responses, not ${calls.length}`;
    if (responses.length && responses.length !== parts.length) return 'parts beside responses';
    for (const [i, { name, id }] of calls.entries())
      if (responses[i].name !== name || responses[i].id !== id) return `response ${i} is another`;
    calls = found('functionCall');
    const first = parts.find((each) => each.functionCall);
    if (first && !first.thoughtSignature) return 'Function call is missing a thought_signature';
    if (parts.some((each) => each.text === '' && !each.thoughtSignature)) return 'an empty part';
    last = role;
  }
  return calls.length || last !== 'user' ? 'the end is open' : '';
}

/** Answers with the next of `answers`: [status, type, text]. Keeps the requests. */
async function startGemini(t, answers) {
  const requests = [];
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text);
    requests.push({ url: request.url, key: request.headers['x-goog-api-key'], body });
    const wrong = fault(body.contents);
    const [status, type, answer] = wrong
      ? [400, 'application/json', JSON.stringify({ error: { code: 400, message: wrong } })]
      : answers.shift();
    response.writeHead(status, { 'content-type': type });
    for (let at = 0; at < answer.length; at += 50) response.write(answer.slice(at, at + 50));
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}

/** Answers of an MCP server whose tool fails for Rome, and draws Paris. */
const mcp = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'weather', version: '1' },
  }),
  'tools/list': () => ({
    tools: [
      {
        name: '3d_look',
        description: 'Looks at the weather.',
        inputSchema: { type: 'object', properties: { city: { type: ['string', 'null'] } } },
      },
    ],
  }),
  'tools/call': ({ arguments: { city } }) =>
    city === 'Rome'
      ? { isError: true, content: [{ type: 'text', text: 'no such city' }] }
      : {
          content: [
            { type: 'text', text: `sun in ${city}` },
            { type: 'image', data: png, mimeType: 'image/png' },
          ],
        },
};

async function startTools(t) {
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(text);
    if (message.id === undefined) return response.writeHead(202).end();
    const result = mcp[message.method]?.(message.params) ?? {};
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  return { 3: { type: 'http', url: `http://127.0.0.1:${server.address().port}/` } };
}

const start = async (t, url, mcpServers = {}) =>
  startTroupe(t, {
    models: {
      g: {
        provider: 'gemini',
        base_url: `${url}/v1beta`,
        model: 'gemini-3-flash',
        api_key: 'secret',
        retryDelayMs: 10,
      },
    },
    defaultModel: 'g',
    mcpServers,
  });

test('what was signed in three rounds comes back on its parts', { timeout }, async (t) => {
  const rounds = [
    [
      candidate([{ text: 'Let me look.' }]),
      candidate([
        call('_3d_look', { city: 'Paris' }, { thoughtSignature: 's1' }),
        call('_3d_look', { city: 'Rome' }),
      ]),
      candidate([{ text: '' }], 'STOP'),
    ],
    [candidate([{ functionCall: { name: '_3d_look', id: 'i1' }, thoughtSignature: 's2' }], 'STOP')],
    [candidate([{ text: 'Sun.' }]), candidate([{ text: '', thoughtSignature: 's3' }], 'STOP')],
    [candidate([{ text: 'Bye.' }], 'STOP')],
  ];
  const answers = rounds.map((each) => [200, 'text/event-stream', events(each)]);
  const gemini = await startGemini(t, answers);
  const troupe = await start(t, gemini.url, await startTools(t));
  const session = newSession();
  const first = await takeTurn(troupe.url, { message: 'Paris or Rome?' }, { session });
  assert.equal(first.text(), 'Let me look.Sun.');
  const second = await takeTurn(troupe.url, { message: 'Thanks.' }, { session });
  assert.equal(second.text(), 'Bye.');

  assert.equal(gemini.requests.length, 4);
  const [{ url, key, body }] = gemini.requests;
  assert.equal(url, '/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse');
  assert.equal(key, 'secret');
  assert.equal(body.tools[0].functionDeclarations[0].name, '_3d_look');
  const said = (chunks) => chunks.flatMap((each) => each.candidates[0].content.parts);
  const back = gemini.requests[3].body.contents.filter(({ role }) => role === 'model');
  assert.deepEqual(
    back.map(({ parts }) => parts),
    [said(rounds[0].slice(0, 2)), said(rounds[1]), said(rounds[2])],
  );
  const results = gemini.requests[3].body.contents[2].parts;
  assert.deepEqual(results[0].functionResponse.response, {
    output: 'sun in Paris\n[image image/png, 70 bytes]',
  });
  assert.deepEqual(results[0].functionResponse.parts, [
    { inlineData: { mimeType: 'image/png', data: png } },
  ]);
  assert.deepEqual(results[1].functionResponse.response, { error: 'no such city' });
});

test('a failure before the first token is tried again', { timeout }, async (t) => {
  const error = (code, status, details = []) => [
    code,
    'application/json',
    JSON.stringify({ error: { code, message: `${status} it is`, status, details } }),
  ];
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.4s' };
  const good = [200, 'text/event-stream', events([candidate([{ text: 'hi' }], 'STOP')])];
  const empty = [200, 'text/event-stream', events([candidate([], 'STOP')])];
  const broken = [200, 'text/event-stream', events([candidate([], 'MALFORMED_FUNCTION_CALL')])];
  const daily = {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId: 'RequestsPerDay' }],
  };
  const gemini = await startGemini(t, [
    error(429, 'RESOURCE_EXHAUSTED', [retry]),
    good,
    error(503, 'UNAVAILABLE'),
    good,
    ...[empty, broken, good],
    ...[empty, empty, empty],
    error(429, 'RESOURCE_EXHAUSTED', [daily]),
  ]);
  const troupe = await start(t, gemini.url);
  const begun = performance.now();
  assert.equal((await takeTurn(troupe.url, { message: 'a' })).text(), 'hi');
  assert.ok(performance.now() - begun >= 400, 'the delay of RetryInfo is kept');
  assert.equal((await takeTurn(troupe.url, { message: 'b' })).text(), 'hi');
  assert.equal((await takeTurn(troupe.url, { message: 'c' })).text(), 'hi');
  const [nothing] = (await takeTurn(troupe.url, { message: 'd' })).of('SESSION_ERROR');
  assert.match(nothing.errorText, /without saying anything/);
  const [spent] = (await takeTurn(troupe.url, { message: 'e' })).of('SESSION_ERROR');
  assert.equal(spent.error, 'model_quota_exhausted');
  assert.equal(gemini.requests.length, 11);
});

test('an answer may be events, one object, or an array', { timeout }, async (t) => {
  const chunks = [candidate([{ text: 'a' }]), candidate([{ text: 'b' }], 'STOP')];
  const gemini = await startGemini(t, [
    [200, 'text/event-stream', events(chunks)],
    [200, 'application/json', `[${chunks.map((each) => JSON.stringify(each)).join(',\r\n')}]`],
    [200, 'application/json', JSON.stringify(candidate([{ text: 'ab' }], 'STOP'), null, 2)],
  ]);
  const troupe = await start(t, gemini.url);
  for (const streaming of [true, true, false]) {
    const turn = await takeTurn(troupe.url, { message: 'x', streaming });
    assert.equal(turn.text(), 'ab');
    assert.equal(turn.of('SESSION_END')[0].usage.outputTokens, 5);
  }
  assert.equal(gemini.requests[2].url, '/v1beta/models/gemini-3-flash:generateContent');
});
