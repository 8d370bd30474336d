// Turns that outlive their connections, and who else may look at a turn.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { startHeldModel } from '../support/held_model.mjs';
import { KeptIn } from '../support/kept_in.mjs';
import { settles, until } from '../support/patience.mjs';
import { models, startTroupe } from '../support/servers.mjs';
import { SseReader, newSession } from '../support/turns.mjs';

const timeout = 120000;
const viewersAtOnce = 100;

/** One answer of the server, as bytes. */
class Body {
  constructor(base, path, { method = 'GET', body, headers = {} } = {}) {
    this.pieces = [];
    this.ended = new Promise((resolve, reject) => {
      this.started = new Promise((begun) => {
        this.request = http.request(base + path, {
          method,
          agent: new http.Agent({ keepAlive: false }),
          headers: { 'content-type': 'application/json', ...headers },
        });
        this.request.on('error', reject).on('response', (response) => {
          this.response = response;
          this.status = response.statusCode;
          response.on('data', (piece) => this.pieces.push(piece));
          response.on('end', () => resolve(this)).on('error', reject);
          begun(this);
        });
        this.request.end(body && JSON.stringify(body));
      });
    });
    this.ended.catch(() => {});
  }

  get bytes() {
    return Buffer.concat(this.pieces);
  }

  get text() {
    return this.bytes.toString();
  }

  /** Resolves when the bytes so far hold `text`. */
  has(text) {
    return until(`${JSON.stringify(text)} arrives`, () => this.text.includes(text));
  }

  ends() {
    return settles('the answer ends', this.ended, 60000);
  }

  /** Closes the connection without another word. */
  leave() {
    this.request.destroy();
  }

  /** The native events in it. */
  events() {
    const found = [];
    new SseReader((frame) => found.push(JSON.parse(frame.data))).read(this.text);
    return found;
  }
}

/** How turns are begun and looked at, in both formats. */
const formats = {
  native: {
    begin: (base, id, text, options) =>
      new Body(base, `/v1/sessions/${encodeURIComponent(id)}/turns`, {
        method: 'POST', body: { message: text, ...options },
      }),
    view: (base, id) => new Body(base, `/v1/sessions/${encodeURIComponent(id)}/events`),
  },
  ui: {
    begin: (base, id, text, options) =>
      new Body(base, '/api/chat', {
        method: 'POST',
        body: {
          id,
          messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text }] }],
          ...options,
        },
      }),
    view: (base, id) => new Body(base, `/api/chat/${encodeURIComponent(id)}/stream`),
  },
};

async function start(t) {
  const model = await startHeldModel(t);
  const { config } = new KeptIn(t);
  const troupe = await startTroupe(t, { ...config, models: models(model.url, ['held']) });
  const running = async () => (await troupe.status()).runningTurns;
  return { model, troupe, url: troupe.url, running };
}

/** Resolves with the model's side of the newest turn once there are so many. */
const answerOf = (model, count = 1) =>
  until('the model is asked', () => model.answers.length === count && model.answers.at(-1));

const answerTo = (model, question) =>
  until('the model is asked', () => model.answers.find((one) => one.question === question));

async function stop(url, id) {
  const answer = await fetch(`${url}/api/chat/${encodeURIComponent(id)}/stop`, { method: 'POST' });
  assert.equal(answer.status, 202);
}

for (const [name, { begin, view }] of Object.entries(formats)) {
  for (const resumable of [true, false]) {
    const kind = resumable ? `resumable ${name}` : name;
    test(`${viewersAtOnce} viewers of one ${kind} turn see the same bytes`, { timeout },
      async (t) => {
        const { model, url, running } = await start(t);
        const id = 'chat 1/x';
        const owner = begin(url, id, 'go', { resumable });
        const answer = await answerOf(model);
        const viewers = [];
        const attach = async (count) => {
          const more = Array.from({ length: count }, () => view(url, id));
          viewers.push(...more);
          await Promise.all(more.map((one) => one.started));
        };
        await attach(40);
        answer.say('first ');
        await attach(40);
        for (let i = 0; i < 200; ++i) answer.say(`piece ${i}\n\n "quoted" \u00fc `);
        await owner.has('piece 199');
        await attach(viewersAtOnce - 80 - 1);
        answer.say('last words');
        await owner.has('last words');
        await attach(1);
        answer.end();
        await Promise.all([owner, ...viewers].map((one) => one.ends()));

        assert.ok(owner.bytes.length > 10000);
        assert.equal(viewers.length, viewersAtOnce);
        for (const one of viewers) {
          assert.equal(one.status, 200);
          assert.ok(one.bytes.equals(owner.bytes), 'the same bytes');
        }
        await until('nothing runs', async () => (await running()) === 0);
        assert.equal(model.answers.length, 1);
      });
  }

  test(`a viewer that does not read slows nobody and misses nothing (${name})`,
    { timeout }, async (t) => {
      const { model, url, running } = await start(t);
      const id = newSession();
      const owner = begin(url, id, 'go', { resumable: true });
      const answer = await answerOf(model);
      const slow = view(url, id);
      await slow.started;
      slow.response.socket.pause();
      const piece = 'x'.repeat(50 * 1024);
      for (let i = 0; i < 200; ++i) answer.say(piece);
      answer.end();
      await owner.ends();
      assert.ok(owner.bytes.length > 200 * piece.length);
      assert.ok(slow.bytes.length < owner.bytes.length, 'it has not read all');
      await until('nothing runs', async () => (await running()) === 0);
      slow.response.socket.resume();
      await slow.ends();
      assert.ok(slow.bytes.equals(owner.bytes), 'the same bytes');
    });
}

test('a turn whose client vanished finishes and is there afterwards', { timeout }, async (t) => {
  const { model, url, running } = await start(t);
  const id = newSession();
  const owner = formats.ui.begin(url, id, 'what is it?', { resumable: true });
  const answer = await answerOf(model);
  answer.say('It is ');
  await owner.has('It is ');
  owner.leave();
  const back = formats.ui.view(url, id);
  await back.has('It is ');
  assert.match(back.text, /^data: \{"type":"start","messageId":/);
  back.leave();
  answer.say('a turn.');
  answer.end();
  await until('it is over', async () => (await running()) === 0);
  assert.equal(answer.closedAt, undefined, 'the model was heard to the end');

  const replay = (query, headers) =>
    new Body(url, `/v1/sessions/${id}/events${query}`, { headers }).ends();
  const whole = await replay('');
  const events = whole.events();
  assert.equal(whole.status, 200);
  assert.deepEqual(events.map((event) => event.seq), events.map((_, i) => i + 1));
  assert.equal(events.at(-1).type, 'SESSION_END');
  const turn = events[0].turnId;
  const places = [['', { 'last-event-id': '2' }], ['?after=2'], [`?after=2&turn=${turn}`]];
  for (const [query, headers] of places) {
    const rest = await replay(query, headers);
    assert.deepEqual(rest.events(), events.slice(2), query);
    assert.ok(whole.text.endsWith(rest.text), 'the same bytes');
  }
  assert.equal((await replay(`?after=${events.length}`)).status, 204, 'nothing after the end');
  assert.equal((await replay('?turn=another')).status, 204);
  assert.equal((await replay('?after=x')).status, 400);

  const next = new Body(url, '/api/chat', {
    method: 'POST',
    body: { id, message: { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'and now?' }] } },
  });
  const second = await answerOf(model, 2);
  assert.deepEqual(
    second.body.messages.map(({ role, content }) => [role, content]),
    [['user', 'what is it?'], ['assistant', 'It is a turn.'], ['user', 'and now?']]);
  second.end();
  await next.ends();
  assert.equal((await replay('')).status, 204, 'the last turn was not resumable');
});

test('there is nothing to resume: 204 without a body', { timeout }, async (t) => {
  const { model, url } = await start(t);
  const idle = async (id) => {
    for (const { view } of Object.values(formats)) {
      const one = await view(url, id).ends();
      assert.equal(one.status, 204);
      assert.equal(one.bytes.length, 0);
    }
  };
  await idle('nobody');
  const id = newSession();
  const owner = formats.ui.begin(url, id, 'go', {});
  (await answerOf(model)).end();
  await owner.ends();
  await idle(id);
  const resumable = formats.ui.begin(url, id, 'go', { resumable: true });
  (await answerOf(model, 2)).end();
  await resumable.ends();
  assert.equal((await formats.ui.view(url, id).ends()).status, 204, 'over is over for a web page');
});

test('leaving is not stopping, and stopping needs no connection', { timeout }, async (t) => {
  const { model, url, running } = await start(t);
  const id = newSession();
  const owner = formats.ui.begin(url, id, 'go', { resumable: true });
  const answer = await answerOf(model);
  answer.say('never ending');
  await owner.has('never ending');
  owner.leave();
  const viewer = formats.ui.view(url, id);
  await viewer.has('never ending');
  assert.equal(await running(), 1);
  await stop(url, id);
  await viewer.ends();
  assert.match(viewer.text, /data: \{"type":"abort"/);
  assert.match(viewer.text, /data: \[DONE\]\n\n$/);
  await until('the model is closed', () => answer.closedAt !== undefined);
  await until('nothing runs', async () => (await running()) === 0);
});

test('a turn that is not resumable ends with its owner, and its viewers are told', { timeout },
  async (t) => {
    const { model, url } = await start(t);
    const id = newSession();
    const owner = formats.ui.begin(url, id, 'go', {});
    const answer = await answerOf(model);
    const viewer = formats.ui.view(url, id);
    await viewer.started;
    owner.leave();
    await viewer.ends();
    assert.match(viewer.text, /data: \{"type":"abort"/);
    await until('the model is closed', () => answer.closedAt !== undefined);
  });

test('a turn for a busy chat is refused, waits, or takes its place', { timeout }, async (t) => {
  const { model, url } = await start(t);
  const id = newSession();
  const begin = (text, whenBusy) => formats.native.begin(url, id, text, { whenBusy });
  const first = begin('one');
  const answer = await answerOf(model);
  assert.equal((await begin('two', 'refuse').ends()).status, 409);
  assert.equal((await begin('two').ends()).status, 409);
  const leaves = begin('leaves', 'wait');
  const waits = begin('waits', 'wait');
  leaves.leave();
  answer.end();
  await first.ends();
  const second = await answerTo(model, 'waits');
  const replaces = begin('replaces', 'abort');
  await waits.ends();
  assert.deepEqual(waits.events().slice(-2).map((event) => event.reason ?? event.type),
    ['replaced', 'SESSION_END']);
  await until('the model is closed', () => second.over);
  (await answerTo(model, 'replaces')).end();
  await replaces.ends();
  assert.equal(replaces.events().at(-1).finishReason, 'stop');
});
