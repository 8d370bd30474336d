// Many sessions on few WebSockets, with a client that people use.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { settles, until } from '../support/patience.mjs';
import { models, startModel, startTroupe } from '../support/servers.mjs';
import { assertWellFormed } from '../support/turns.mjs';
import { Connection } from '../support/websocket.mjs';

const timeout = 240000;

async function start(t, names, limits = {}) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url, names), defaultModel: names[0], limits });
  const connect = async (options) => {
    const connection = await Connection.open(troupe, options);
    t.after(() => connection.socket.terminate());
    return connection;
  };
  const isIdle = async () =>
    (await troupe.status()).runningTurns === 0 && (await model.stats()).open === 0;
  return { model, troupe, connect, isIdle };
}

const endless = 'paced-10-100000';

/** What the sessions of the big test do, in turn; each resolves when its session is over. */
const ways = {
  async plain(here, there, id) {
    await here.start(id).ends();
  },
  async abort(here, there, id) {
    const session = here.start(id, { model: endless }); // it is never over before the abort comes
    await session.sees('TEXT');
    there.send('abort', { session: id });
    await session.ends();
    assert.equal(session.types().at(-2), 'ABORT');
  },
  async resume(here, there, id) {
    const session = here.start(id, { resumable: true, flow: 'manual', credit: 5 });
    await session.sees('TEXT');
    here.send('leave', { session: id });
    await session.isTold('left');
    assert.ok(!session.over, 'it left in the middle');
    there.session(id, session);
    there.send('resume', { session: id, after: session.lastSeq });
    await session.ends();
  },
  async replay(here, there, id) {
    const session = here.start(id, { resumable: true });
    await session.ends();
    const again = there.session(id);
    there.send('resume', { session: id, after: 3 });
    await again.ends();
    assert.deepEqual(again.events, session.events.slice(3), 'the same events again');
  },
  async manual(here, there, id) {
    const session = here.start(id, { flow: 'manual', credit: 5 });
    for (let credit = 5; !session.over; credit += 7) {
      await session.until(`${credit} events`, () => session.over || session.lastSeq >= credit);
      assert.ok(session.lastSeq <= credit, `${session.lastSeq} events for a credit of ${credit}`);
      here.send('credit', { session: id, events: 7 });
    }
  },
};

test('an abort right behind its start holds', { timeout }, async (t) => {
  const { connect, isIdle } = await start(t, [endless]);
  const connection = await connect();
  for (let i = 0; i < 50; ++i) {
    const session = connection.start(`hasty-${i}`);
    connection.send('abort', { session: session.id });
    await session.ends();
    assert.deepEqual(session.types().slice(-2), ['ABORT', 'SESSION_END']);
  }
  await until('nothing runs', isIdle);
});

test('1,000 sessions on 10 connections, all exact', { timeout }, async (t) => {
  const { connect, isIdle, troupe } = await start(t, ['paced-10-30', endless]);
  const connections = await Promise.all(Array.from({ length: 10 }, () => connect()));
  const names = Object.keys(ways);
  const running = Array.from({ length: 1000 }, (_, i) => {
    const here = connections[i % 10];
    const there = connections[(i + 1) % 10];
    return ways[names[Math.floor(i / 10) % names.length]](here, there, `s${i}`);
  });
  await Promise.all(running);
  let events = 0;
  for (let i = 0; i < 1000; ++i) {
    const session = connections[i % 10].session(`s${i}`);
    assertWellFormed(session.events);
    events += session.events.length;
    const wanted = names[Math.floor(i / 10) % names.length] === 'resume' ? ['left'] : [];
    assert.deepEqual(session.notices.map(({ type }) => type), wanted);
  }
  assert.ok(events > 1000 * 20);
  assert.deepEqual(connections.flatMap(({ others }) => others), []);
  await until('nothing runs', isIdle);
  assert.equal((await troupe.status()).turns, 1000);
});

test('a connection that is lost takes its turns along, but for the resumable ones', { timeout },
  async (t) => {
    const { connect, isIdle, model } = await start(t, ['paced-20-60', endless]);
    const lost = await connect();
    const gone = lost.start('gone', { model: endless });
    const kept = lost.start('kept', { resumable: true });
    await Promise.all([gone.sees('TEXT'), kept.sees('TEXT')]);

    lost.socket.terminate();

    await until('the model saw it', async () => (await model.stats()).aborted === 1);
    const next = await connect();
    next.session('kept', kept);
    next.send('resume', { session: 'kept', after: kept.lastSeq });
    next.send('resume', { session: 'gone' });
    await next.session('gone').isTold('idle');
    await kept.ends();
    assertWellFormed(kept.events);
    assert.equal(kept.types().at(-2), 'MODEL_GENERATION_STOP');
    await until('nothing runs', isIdle);
  });

test('a slow connection holds its own sessions up and nobody else', { timeout }, async (t) => {
  const { connect, model } = await start(t, ['long', 'text']);
  const slow = await connect();
  const first = slow.start('slow');
  await first.sees('TEXT');
  slow.socket.pause();
  const fast = await connect();
  for (let i = 0; i < 20; ++i) {
    const session = fast.start(`fast${i}`, { model: 'text' });
    await session.ends();
    assertWellFormed(session.events);
  }
  assert.equal((await model.stats()).open, 1, 'the model waits for the slow one');
  slow.socket.resume();
  await first.ends();
  assertWellFormed(first.events);
  assert.equal(first.events.filter(({ type }) => type === 'TEXT').length > 1, true);
});

test('a session without credit waits alone', { timeout }, async (t) => {
  const { connect } = await start(t, ['text']);
  const here = await connect();
  const waiting = here.start('waiting', { flow: 'manual' });
  const other = here.start('other');
  await other.ends();
  await pause(100);
  assert.equal(waiting.events.length, 0);
  here.send('credit', { session: 'waiting', events: 1 });
  await waiting.sees('SESSION_START');
  assert.equal(waiting.events.length, 1);
  here.send('credit', { session: 'waiting', events: 1000 });
  await waiting.ends();
  assertWellFormed(waiting.events);
});

test('messages that are not valid are told, and too many close', { timeout }, async (t) => {
  const { connect } = await start(t, ['text']);
  const here = await connect();
  here.socket.send('nonsense');
  here.send('start', { session: 'a', turn: 't', massage: 'hello' });
  const refused = await here.session('a').isTold('refused');
  assert.equal(refused.turn, 't');
  assert.equal(refused.error.code, 'request_invalid');
  assert.match(refused.error.message, /massage/);
  assert.equal(here.others[0].error.code, 'request_invalid');
  for (let i = 0; i < 16; ++i) here.send('begin');
  assert.equal((await settles('it closes', here.closed)).code, 4400);
  const binary = await connect();
  binary.socket.send(Buffer.from([1, 2, 3]));
  assert.equal((await settles('it closes', binary.closed)).code, 1003);
});

test('pings of both kinds are answered', { timeout }, async (t) => {
  const { connect } = await start(t, ['text']);
  const here = await connect();
  const pong = new Promise((resolve) => here.socket.on('pong', resolve));
  here.socket.ping('there?');
  assert.equal(String(await settles('a pong', pong)), 'there?');
  here.send('ping');
  await until('pong', () => here.others[0]?.type === 'pong');
});

test('shutting down closes with 1001 when the turns are over', { timeout }, async (t) => {
  const { connect, troupe } = await start(t, ['paced-20-10'], { drainSeconds: 60 });
  const here = await connect();
  const session = here.start('last');
  await session.sees('TEXT');
  troupe.program.signal('SIGTERM');
  assert.equal((await settles('it closes', here.closed)).code, 1001);
  assertWellFormed(session.events);
  assert.equal(session.types().at(-2), 'MODEL_GENERATION_STOP');
  const ended = await settles('it ends', troupe.program.exit); // a second signal would hurry it
  assert.deepEqual(ended, { code: 0, signal: null });
});

test('pages of other servers get no connection', { timeout }, async (t) => {
  const { connect, troupe } = await start(t, ['text']);
  await assert.rejects(connect({ origin: 'http://evil.example' }), /403/);
  const here = await connect({ origin: troupe.url });
  await here.start('own').ends();
});

test("node's own WebSocket runs a turn, too", { timeout }, async (t) => {
  const { troupe } = await start(t, ['text']);
  const socket = new globalThis.WebSocket(`${troupe.url.replace('http', 'ws')}/v1/ws`);
  t.after(() => socket.close());
  const events = [];
  const over = new Promise((resolve, reject) => {
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'start', session: 'n', message: 'hello' }));
    socket.onmessage = ({ data }) => {
      events.push(...JSON.parse(data).events);
      if (events.at(-1).type === 'SESSION_END') resolve();
    };
    socket.onerror = reject;
  });
  await settles('the turn ends', over);
  assertWellFormed(events);
});
