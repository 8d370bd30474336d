// Models that fail: what is tried again, what is told, and when time is over.
import assert from 'node:assert/strict';
import net from 'node:net';
import test from 'node:test';
import { acts, startFaultyModel } from '../support/faulty_model.mjs';
import { settles, until, watchLateness, within } from '../support/patience.mjs';
import { startTroupe } from '../support/servers.mjs';
import { Turn, takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const modes = [true, false];
const { says, refuses, cuts, stops, drips, hangs } = acts;

const entry = (url, more = {}) => ({
  provider: 'openai',
  base_url: `${url}/v1`,
  model: 'm',
  ...more,
});

/** Starts a model that plays `script` and troupe with it; `more` goes into the model's entry. */
async function start(t, script, more = {}) {
  const model = await startFaultyModel(t, script);
  const troupe = await startTroupe(t, { models: { only: entry(model.url, more) } });
  return { model, troupe };
}

/** Takes a turn that has to fail; resolves with {error, text, took} (ms). */
async function failing(troupe, body = {}) {
  const began = performance.now();
  const turn = await takeTurn(troupe.url, { message: 'hi', ...body });
  const { type, error, errorText } = turn.events.at(-1);
  assert.equal(type, 'SESSION_ERROR', turn.types().join(' '));
  return { error, errorText, text: turn.text(), took: performance.now() - began };
}

const late = watchLateness();

/** Real time is never less than what was configured, and on a busy machine a good deal more. */
function assertTook(took, milliseconds) {
  assert.ok(took >= milliseconds - 5, `${took} ms are less than ${milliseconds}`);
  assert.ok(took < within(milliseconds + 5000) + late(), `${took} ms are far more than ${milliseconds}`);
}

test('a refusal, a cut, a silence: one answer, one error, one timeout', { timeout }, async (t) => {
  const script = [refuses(429, { 'retry-after': '1' }), says('one answer'), cuts('half'), hangs()];
  const firstTokenMs = 1500;
  const model = await startFaultyModel(t, (n) => script[n]);
  const models = { only: entry(model.url), hasty: entry(model.url, { timeouts: { firstTokenMs } }) };
  const troupe = await startTroupe(t, { models, defaultModel: 'only' });

  const answered = await takeTurn(troupe.url, { message: 'hi' });
  assert.equal(answered.text(), 'one answer');
  assert.equal(answered.of('MODEL_RESPONSE_WAITING').length, 1);
  assertTook(model.requests[1].arrival - model.requests[0].arrival, 1000);
  assert.deepEqual(model.requests[1].body, model.requests[0].body);

  const cut = await failing(troupe);
  assert.deepEqual([cut.error, cut.text], ['model_stream_cut', 'half']);

  const silent = await failing(troupe, { model: 'hasty' });
  assert.deepEqual([silent.error, silent.text], ['model_first_token_timeout', '']);
  assertTook(silent.took, firstTokenMs);
  await settles('the silent connection is closed', model.requests[3].closed);
  assert.equal(model.requests.length, 4, 'nothing else was tried again');
});

test('an answer that is not streamed is tried again when it is cut', { timeout }, async (t) => {
  const { model, troupe } = await start(t, (n) => [cuts('twice'), says('once')][n], {
    streaming: false,
    retryDelayMs: 1,
  });
  const turn = await takeTurn(troupe.url, { message: 'hi' });
  assert.equal(turn.text(), 'once');
  assert.equal(model.requests.length, 2);
});

test('each limit passes for real, streamed or not', { timeout }, async (t) => {
  const cases = [
    ['firstTokenMs', 300, hangs(), 'model_first_token_timeout', /^$/],
    ['idleMs', 300, stops('half'), 'model_idle_timeout', /^half$/],
    ['totalMs', within(1000), drips('x'), 'model_timeout', /^x*$/],
  ];
  for (const streaming of modes) {
    for (const [key, limit, act, code, text] of cases) {
      await t.test(`${key}, streaming ${streaming}`, async (inner) => {
        const { model, troupe } = await start(inner, () => act, {
          streaming,
          timeouts: { [key]: limit },
        });
        const end = await failing(troupe);
        assert.equal(end.error, code, end.errorText);
        assert.match(end.text, streaming ? text : /^$/);
        assertTook(end.took, limit);
        await settles('its connection is closed', model.requests[0].closed);
        assert.equal(model.requests.length, 1);
      });
    }
  }
});

test('a connection that is not set up in time is tried again', { timeout }, async (t) => {
  const sockets = [];
  const mute = net.createServer((socket) => sockets.push(socket.on('error', () => {})));
  await new Promise((resolve) => mute.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    sockets.forEach((socket) => socket.destroy());
    mute.close();
  });
  const url = `https://127.0.0.1:${mute.address().port}`; // never shakes hands
  const more = { maxAttempts: 2, retryDelayMs: 1, timeouts: { connectMs: 200 } };
  const troupe = await startTroupe(t, { models: { only: entry(url, more) } });
  const end = await failing(troupe);
  assert.equal(end.error, 'connect_timeout', end.errorText);
  assertTook(end.took, 400);
  assert.equal(sockets.length, 2);
});

test('the fallback answers for a model that cannot', { timeout }, async (t) => {
  const broken = await startFaultyModel(t, () => refuses(500));
  const spare = await startFaultyModel(t, () => says('in its place'));
  const troupe = await startTroupe(t, {
    models: {
      main: entry(broken.url, { maxAttempts: 2, retryDelayMs: 1, fallback: 'spare' }),
      spare: entry(spare.url, { model: 'other' }),
    },
    defaultModel: 'main',
  });
  const turn = await takeTurn(troupe.url, { message: 'hi' });
  assert.equal(turn.text(), 'in its place');
  assert.equal(broken.requests.length, 2);
  assert.equal(spare.requests.length, 1);
  assert.equal(spare.requests[0].body.model, 'other');
  assert.deepEqual(spare.requests[0].body.messages, broken.requests[0].body.messages);
});

test('with one place and a queue of one the third request is refused', { timeout }, async (t) => {
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  const answer = says('done');
  const script = () => (response, body) => gate.then(() => answer(response, body));
  const { model, troupe } = await start(t, script, { maxConcurrent: 1, maxQueued: 1 });
  const turns = [1, 2, 3].map(() => new Turn(troupe.url, { message: 'hi' }));
  const refused = await settles('one is refused', Promise.race(turns.map((turn) => turn.ended)));
  assert.equal(refused.events.at(-1).error, 'model_busy');
  await until('one request is there', () => model.requests.length === 1);
  open();
  const ended = await Promise.all(turns.map((turn) => turn.ends()));
  const texts = ended.map((turn) => turn.text()).sort();
  assert.deepEqual(texts, ['', 'done', 'done']);
  assert.equal(model.requests.length, 2);
});
