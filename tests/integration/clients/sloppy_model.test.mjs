// Models that answer sloppily: what has one reading is read, the rest is told at once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { startFaultyModel } from '../support/faulty_model.mjs';
import { until, watchLateness, within } from '../support/patience.mjs';
import { connected, demoServer, folder, startTroupe } from '../support/servers.mjs';
import { newSession, takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const chunk = (delta, finish_reason = null, more = {}) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason }], ...more });
const event = (text) => `data: ${text}\n\n`;
const done = event('[DONE]');
const stop = chunk({}, 'stop');
const callOf = (name, args) =>
  chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name, arguments: args } }] });

/** Answers with these bytes, and ends, unless `open`. */
const sends = (bytes, { type = 'text/event-stream', open = false } = {}) => (response) => {
  response.writeHead(200, { 'content-type': type });
  if (open) response.write(bytes);
  else response.end(bytes);
};

/** Sends these bytes, and `beat` each 50 ms, without an end. */
const beats = (bytes, beat) => (response) => {
  sends(bytes, { open: true })(response);
  const timer = setInterval(() => response.write(beat), 50);
  response.on('close', () => clearInterval(timer));
};

const says = (text) => sends(event(chunk({ content: text })) + event(stop) + done);

/** Starts a model that plays `acts` one after another, and troupe with it and the demo server. */
async function start(t, acts, more = {}) {
  const model = await startFaultyModel(t, (n) => acts[n] ?? says('and on'));
  const log = path.join(folder(t), 'demo.log');
  const troupe = await startTroupe(t, {
    models: { only: { provider: 'openai', base_url: `${model.url}/v1`, model: 'm', ...more } },
    mcpServers: { demo: demoServer(log) },
  });
  await connected(troupe, 'demo');
  return { model, troupe, calls: () => toolCalls(log) };
}

/** The tools/call requests that the demo server has read. */
const toolCalls = (log) =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"tools/call"'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))).params);

async function fails(troupe, code) {
  const began = performance.now();
  const turn = await takeTurn(troupe.url, { message: 'hi' });
  const end = turn.events.at(-1);
  assert.equal(end.error, code, JSON.stringify(end));
  return { text: end.errorText, shown: turn.text(), took: performance.now() - began };
}

test('a sloppy call is one call everywhere', { timeout }, async (t) => {
  const message = '{"message":"a\\ud83d b"}';
  const rows = [
    [' echo', '{"message":"hi"}', { message: 'hi' }],
    ['echo\n', JSON.stringify('{"message":"hi"}'), { message: 'hi' }],
    ['functions.echo', '{"message":"hi"}{"message":"hi"}', { message: 'hi' }],
    ['echo', '{"message":"two\nlines"}', { message: 'two\nlines' }],
    ['echo', '```json\n{"message":"hi"}\n```', { message: 'hi' }],
    ['echo ', message, { message: 'a\ufffd b' }],
  ];
  const acts = rows.flatMap(([name, args]) => [
    sends(event(callOf(name, args)) + event(chunk({}, 'tool_calls')) + done),
    says('ok'),
  ]);
  const { model, troupe, calls } = await start(t, acts);
  for (const [i, [, , meant]] of rows.entries()) {
    const session = newSession();
    const turn = await takeTurn(troupe.url, { message: 'hi' }, { session });
    assert.equal(turn.text(), 'ok');
    const [complete] = turn.of('TOOL_ARGS_COMPLETE');
    assert.deepEqual([complete.toolName, complete.arguments], ['echo', meant]);
    assert.equal(turn.of('MCP_TOOL_SUCCESS').length, 1);
    assert.deepEqual([calls()[i].name, calls()[i].arguments], ['echo', meant]);
    const sent = model.requests[2 * i + 1].body.messages.find((one) => one.tool_calls);
    assert.equal(sent.tool_calls[0].function.name, 'echo');
    assert.deepEqual(JSON.parse(sent.tool_calls[0].function.arguments), meant);
    const kept = await (await fetch(`${troupe.url}/v1/conversations/${session}/export`)).text();
    assert.ok(!/\\ud83d/i.test(kept), kept);
    assert.ok(kept.includes('"echo"') && !kept.includes('functions.echo'), kept);
  }
  const lines = await until('each call has its line', () => {
    const found = troupe.program.stderr.split('\n').filter((line) => /"call_mended"/.test(line));
    return found.length === rows.length && found;
  });
  assert.match(lines[2], /"tool":"echo","mended":"prefix of the name, repeated"/);
});

test('a call without one reading is told the model', { timeout }, async (t) => {
  const rows = [
    [' nope ', '{}'],
    ['echo', '{"a":1}{"a":2}'],
    ['echo', '{"a":'],
    ['echo', '{"a":1}, "b":2}'],
  ];
  const acts = rows.flatMap(([name, args]) => [
    sends(event(callOf(name, args)) + event(chunk({}, 'tool_calls')) + done),
    says('sorry'),
  ]);
  const { troupe, calls } = await start(t, acts);
  for (const row of rows) {
    const turn = await takeTurn(troupe.url, { message: 'hi' });
    assert.equal(turn.of('MCP_TOOL_ERROR').length, 1, row);
    assert.equal(turn.text(), 'sorry');
  }
  assert.deepEqual(calls(), []);
});

test('JSON lines are read whole, whatever they are announced as', { timeout }, async (t) => {
  const lines = `${['Hel', 'lo ', 'you'].map((content) => chunk({ content })).join('\n')}\n`;
  const types = ['application/x-ndjson', 'application/json', 'text/event-stream'];
  const acts = types.map((type) => sends(`${lines}${stop}\n`, { type }));
  const { troupe } = await start(t, [...acts, sends(lines, { type: types[0] })], { maxAttempts: 1 });
  for (const type of types) {
    const turn = await takeTurn(troupe.url, { message: 'hi' });
    assert.deepEqual([turn.text(), turn.events.at(-1).finishReason], ['Hello you', 'stop'], type);
  }
  assert.equal((await fails(troupe, 'model_stream_cut')).shown, 'Hello you');
});

test('a body that is no answer is told while its connection is open', { timeout }, async (t) => {
  const bodies = [
    [`[${chunk({ content: 'Hel' })},\n`, /JSON array/],
    ['Service is busy\n', /neither server-sent events nor JSON: Service is busy/],
    [event(chunk({ content: 'Hel' })) + event('{oops}'), /no JSON: \{oops\}/],
  ];
  const acts = bodies.map(([bytes]) => sends(bytes, { open: true }));
  const { troupe } = await start(t, acts, { maxAttempts: 1 });
  for (const [, reason] of bodies) {
    const late = watchLateness();
    const { text, took } = await fails(troupe, 'model_answer_invalid');
    assert.match(text, reason);
    assert.ok(took < within(5000) + late(), `${took} ms`);
  }
});

test('an answer without [DONE] ends, and frees its place', { timeout }, async (t) => {
  const hi = event(chunk({ content: 'hi' })) + event(stop);
  const usage = '{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}}';
  const acts = [
    sends(hi, { open: true }),
    beats(hi, ': ping\n\n'),
    (response) => {
      sends(hi, { open: true })(response);
      response.write('', () => setImmediate(() => response.write(event(usage)))); // a read of its own
    },
    beats(event(callOf('echo', '{"message":"x"}')) + event(chunk({}, 'tool_calls')), ': ping\n\n'),
    says('final'),
  ];
  const { model, troupe } = await start(t, acts, { maxConcurrent: 1 });
  const began = performance.now();
  for (const [text, tokens] of [['hi', 0], ['hi', 0], ['hi', 6], ['final', 0]]) {
    const turn = await takeTurn(troupe.url, { message: 'hi' });
    const end = turn.events.at(-1);
    assert.deepEqual([turn.text(), end.type, end.usage.totalTokens], [text, 'SESSION_END', tokens]);
  }
  assert.ok(performance.now() - began < within(25000));
  for (const request of model.requests) await request.closed;
});

test('a count of zeros takes nothing back', { timeout }, async (t) => {
  const used = (prompt_tokens, completion_tokens) => ({
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  });
  const none = JSON.stringify({ choices: [], ...used(0, 0) });
  const bytes = [chunk({ content: 'hi' }), chunk({}, 'stop', used(11, 3)), none].map(event).join('');
  const { troupe } = await start(t, [sends(bytes + done)]);
  const turn = await takeTurn(troupe.url, { message: 'hi' });
  const { usage } = turn.events.at(-1);
  assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens], [11, 3, 14]);
});
