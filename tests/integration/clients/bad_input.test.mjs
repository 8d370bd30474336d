// Whatever comes in: a clear answer, and the server goes on serving.
import assert from 'node:assert/strict';
import test from 'node:test';
import { binary, run } from '../support/program.mjs';
import {
  configFile, connected, demoServer, freePort, models, startModel, startTroupe,
} from '../support/servers.mjs';
import { takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const ui = (text) => ({ id: 'm1', role: 'user', parts: [{ type: 'text', text }] });

async function start(t) {
  const model = await startModel(t);
  const closed = await freePort();
  const troupe = await startTroupe(t, {
    models: {
      ...models(model.url),
      unreachable: {
        provider: 'openai', base_url: `http://127.0.0.1:${closed}/v1`, model: 'x', api_key: 'k',
      },
    },
    defaultModel: 'text',
    mcpServers: { demo: demoServer() },
    limits: { maxBodyBytes: 100000 },
  });
  await connected(troupe, 'demo');
  return troupe;
}

async function post(url, body, type = 'application/json') {
  const headers = { 'content-type': type };
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** A request body that is refused: what it is, the body, the status, what the answer must name. */
const refused = [
  ['an empty body', '', 400, /./],
  ['broken JSON', '{"message": "hello"', 400, /JSON/i],
  ['something after the JSON', '{"message":"hello"} x', 400, /./],
  ['an array', '[]', 400, /object/i],
  ['a number for the message', '{"message": 7}', 400, /message/],
  ['an empty list of messages', '{"messages": []}', 400, /messages/],
  ['a role that is none', '{"messages":[{"role":"king","content":"x"}]}', 400, /role/],
  ['an unknown key', '{"message":"x","maxToolRoundTrips":1}', 400, /maxToolRoundTrips/],
  ['roundtrips below zero', '{"message":"x","maxToolRoundtrips":-5}', 400, /maxToolRoundtrips/],
  ['an unknown model', '{"message":"x","model":"nobody"}', [400, 404], /nobody/],
  ['deep nesting', `{"message":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400, /./],
  ['invalid UTF-8', Buffer.from('{"message":"a\xff\xfeb"}', 'latin1'), 400, /UTF-8|JSON/i],
  ['a huge body', `{"message":"${'x'.repeat(200000)}"}`, 413, /./],
];

test('a bad native request is refused with a reason', { timeout }, async (t) => {
  const troupe = await start(t);
  for (const [what, body, status, names] of refused) {
    await t.test(what, async () => {
      const answer = await post(`${troupe.url}/v1/sessions/bad/turns`, body);
      const shown = `${answer.status} ${answer.text.slice(0, 500)}`;
      assert.ok([status].flat().includes(answer.status), shown);
      assert.match(answer.text, names);
      assert.ok(answer.text.length < 1000, 'a short text, not the input again');
    });
  }
  const after = await takeTurn(troupe.url, { message: 'hello' }, { session: 'bad' });
  assert.ok(after.text().length > 0, 'the session and the server go on');
});

test('a bad request of the AI SDK kind is refused with a reason', { timeout }, async (t) => {
  const troupe = await start(t);
  const valid = { id: 'c', messages: [ui('x')] };
  const part = (one) => ({ id: 'm', role: 'user', parts: [one] });
  const cases = [
    ['no messages', { id: 'c' }, /message/],
    ['no id', { messages: [ui('x')] }, /id/],
    ['an id of the wrong type', { ...valid, id: 5 }, /id/],
    ['an id that is too long', { ...valid, id: 'x'.repeat(300) }, /id/],
    ['messages that are no list', { ...valid, messages: 'x' }, /messages/],
    ['parts that are no list', { ...valid, messages: [{ ...ui('x'), parts: 3 }] }, /messages\[0\]/],
    ['a text that is none', { ...valid, messages: [part({ type: 'text', text: 1 })] }, /text/],
    ['an unknown model', { ...valid, model: 'nobody' }, /nobody/],
    ['a model of the wrong type', { ...valid, model: {} }, /model/],
  ];
  for (const [what, body, names] of cases) {
    await t.test(what, async () => {
      const answer = await post(`${troupe.url}/api/chat`, JSON.stringify(body));
      assert.ok(answer.status === 400 || answer.status === 404, `${answer.status} ${answer.text}`);
      assert.match(answer.text, names);
      assert.ok(!/<html/i.test(answer.text), 'the client shows this text to the person');
    });
  }
  const answer = await post(`${troupe.url}/api/chat`, JSON.stringify(valid));
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.text.endsWith('data: [DONE]\n\n'));
});

test('routes and methods that do not exist are answered', { timeout }, async (t) => {
  const troupe = await start(t);
  assert.equal((await fetch(`${troupe.url}/nowhere`)).status, 404);
  const nameless = await post(`${troupe.url}/v1/sessions//turns`, '{"message":"x"}');
  assert.ok(nameless.status === 404 || nameless.status === 400, `${nameless.status}`);
  const wrong = await fetch(`${troupe.url}/api/chat`, { method: 'DELETE' });
  assert.equal(wrong.status, 405);
  assert.match(wrong.headers.get('allow') ?? '', /POST/);
  const idle = await post(`${troupe.url}/api/chat/never-seen/stop`, '');
  assert.ok(idle.status < 500, `stop of an unknown chat answered ${idle.status}`);
});

test('a model that fails ends the turn with SESSION_ERROR', { timeout }, async (t) => {
  const troupe = await start(t);
  const cases = [
    ['unreachable', 'model_unreachable'],
    ['html', 'model_answer_invalid'],
    ['html-502', ['model_failed', 'model_overloaded']],
    ['error-400', 'model_request_invalid'],
    ['error-401', 'model_refused'],
    ['error-429', 'model_rate_limited'],
    ['error-500', 'model_failed'],
    ['cut', 'model_stream_cut'],
    ['cut-clean', 'model_stream_cut'],
  ];
  for (const [name, code] of cases) {
    await t.test(name, async () => {
      const { events } = await takeTurn(troupe.url, { message: 'x', model: name });
      const { type, ...error } = events.at(-1);
      assert.equal(type, 'SESSION_ERROR', JSON.stringify(error));
      assert.ok([code].flat().includes(error.error), JSON.stringify(error));
      assert.ok(!/<html|<body/i.test(JSON.stringify(error)), 'no page in the text');
      assert.ok(!JSON.stringify(error).includes('test-key'), 'no secret in the text');
    });
  }
});

test('a configuration with a mistake is refused by name', { timeout }, async (t) => {
  const entry = { provider: 'openai', base_url: 'http://127.0.0.1:1/v1', model: 'm' };
  const cases = [
    ['an unknown key', { listn: '127.0.0.1:0' }, /listn[^]*listen/],
    ['an unknown limit', { limits: { drainSecond: 3 } }, /drainSecond[^]*drainSeconds/],
    ['an unknown model key', { models: { a: { ...entry, modell: 'x' } } }, /modell/],
    ['an unknown default model', { models: { a: entry }, defaultModel: 'b' }, /defaultModel/],
    ['a wrong type', { listen: 8080 }, /listen/],
    ['a bad address', { listen: 'nonsense' }, /nonsense/],
    ['an unset variable', { models: { a: { ...entry, api_key: '${UNSET_KEY}' } } }, /UNSET_KEY/],
    ['broken JSON', '{"listen": ', /troupe\.json/],
  ];
  for (const [what, config, names] of cases) {
    await t.test(what, async () => {
      const file = configFile(t, config);
      const args = ['serve', '--config', file];
      const { code, signal, stderr, stdout } = await run(binary('troupe'), args);
      assert.equal(signal, null, stderr);
      assert.notEqual(code, 0);
      assert.match(stderr, names);
      assert.equal(stdout, '', 'errors go to stderr');
    });
  }
  const missing = await run(binary('troupe'), ['serve', '--config', '/nonexistent/troupe.json']);
  assert.notEqual(missing.code, 0);
  assert.match(missing.stderr, /\/nonexistent\/troupe\.json/);
});

test('a port in use is one clear message', { timeout }, async (t) => {
  const troupe = await start(t);
  const address = troupe.url.slice('http://'.length);
  const args = ['serve', '--listen', address];
  const { code, signal, stderr } = await run(binary('troupe'), args);
  assert.equal(signal, null, stderr);
  assert.notEqual(code, 0);
  assert.ok(stderr.includes(address), stderr);
  assert.match(stderr, /in use/i);
});
