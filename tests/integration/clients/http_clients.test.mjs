// Clients that are slow, cut, pipelined or plainly wrong, on the level of HTTP/1.1.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { settles } from '../support/patience.mjs';
import { RawClient } from '../support/raw.mjs';
import { models, startModel, startTroupe } from '../support/servers.mjs';
import { takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const get = (path, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

function post(path, body, more = '') {
  const length = Buffer.byteLength(body);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n${more}\r\n${body}`;
}

async function start(t) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url), defaultModel: 'text' });
  const connect = () => {
    const client = new RawClient(troupe.url);
    t.after(() => client.close());
    return client;
  };
  return { troupe, connect };
}

const serves = async (troupe) => {
  const turn = await takeTurn(troupe.url, { message: 'hello' });
  assert.ok(turn.text().length > 0);
};

test('HEAD /healthz has a head and no body', { timeout }, async (t) => {
  const { connect, troupe } = await start(t);
  const client = connect().send('HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const answer = await client.receives(/\r\n\r\n/);
  assert.match(answer, /^HTTP\/1\.1 200 /);
  client.send(get('/healthz', 'Connection: close\r\n'));
  const both = await settles('it closes', client.closed);
  assert.equal(both.split('HTTP/1.1 200').length, 3, 'two answers on one connection');
  assert.match(both.slice(0, both.lastIndexOf('HTTP/1.1')), /\r\n\r\n$/, 'HEAD had no body');
  await serves(troupe);
});

test('pipelined requests are answered in order', { timeout }, async (t) => {
  const { connect } = await start(t);
  const client = connect().send(
    get('/healthz') + get('/nowhere') + post('/v1/sessions/pipe/turns', '{"message":"hi"}') +
    get('/healthz', 'Connection: close\r\n'),
  );
  const all = await settles('it closes', client.closed);
  const statuses = [...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(statuses, ['200', '404', '200', '200'], all);
  assert.equal(all.match(/event: SESSION_END/g).length, 1);
});

test('a request that comes byte by byte is answered', { timeout }, async (t) => {
  const { connect } = await start(t);
  const client = connect();
  client.socket.setNoDelay(true);
  const request = post('/v1/sessions/drip/turns', '{"message":"hi"}', 'Connection: close\r\n');
  for (const byte of request) {
    client.send(byte);
    await new Promise(setImmediate);
  }
  const all = await settles('it closes', client.closed);
  assert.match(all, /^HTTP\/1\.1 200 /);
  assert.match(all, /event: SESSION_END/);
});

test('a body in chunks is read', { timeout }, async (t) => {
  const { connect } = await start(t);
  const client = connect().send(
    'POST /v1/sessions/chunked/turns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n' +
    'a\r\n{"message"\r\n6\r\n:"hi"}\r\n0\r\n\r\n',
  );
  const all = await settles('it closes', client.closed);
  assert.match(all, /^HTTP\/1\.1 200 /, all);
  assert.match(all, /event: SESSION_END/);
});

test('half a request and silence is cut off, others are served', { timeout }, async (t) => {
  const { connect, troupe } = await start(t);
  const inHead = connect().send('POST /v1/sessions/x/turns HTTP/1.1\r\nHost:');
  const inBody = connect().send(post('/v1/sessions/x/turns', '{"message":"hi"}').slice(0, -5));
  const silent = connect();
  await serves(troupe);
  const cuts = await Promise.all(
    [inHead, inBody, silent].map((client) => settles('it is cut', client.closed, 60000)),
  );
  for (const answer of cuts) assert.ok(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer), answer);
  await serves(troupe);
});

test('a client that leaves half way is forgotten', { timeout }, async (t) => {
  const { connect, troupe } = await start(t);
  for (const cut of [1, 20, 60, 120]) {
    const client = connect();
    await new Promise((resolve) => client.socket.once('connect', resolve));
    client.send(post('/v1/sessions/x/turns', '{"message":"hi"}').slice(0, cut));
    client.socket.resetAndDestroy();
    await client.closed;
  }
  await serves(troupe);
});

test('what is no HTTP is answered with 400 or a closed connection', { timeout }, async (t) => {
  const { connect, troupe } = await start(t);
  const garbage = [
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'HELLO\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n',
    'GET /healthz\r\n\r\n',
    'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
    'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n',
    'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'x'.repeat(100000)}\r\n\r\n`,
    `GET /${'a'.repeat(100000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  ];
  for (const bytes of garbage) {
    const shown = JSON.stringify(bytes.slice(0, 70));
    const client = connect().send(bytes);
    const answer = await settles(`${shown} is refused`, client.closed, 30000);
    assert.ok(answer === '' || /^HTTP\/1\.[01] (4\d\d|505) /.test(answer), `${shown}: ${answer}`);
  }
  await serves(troupe);
});

test('a length that the limit forbids is refused before the body', { timeout }, async (t) => {
  const { connect, troupe } = await start(t);
  const client = connect().send(
    'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    'Content-Length: 99999999999\r\n\r\n{',
  );
  assert.match(await client.receives(/\r\n\r\n/), /^HTTP\/1\.1 413 /);
  await serves(troupe);
});

test('a client on a slow line may send on after a refusal, and is not cut off from it', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const { hostname: host, port } = new URL(troupe.url);
  const socket = net.connect({ host, port: Number(port), allowHalfOpen: true });
  t.after(() => socket.destroy());
  socket.write('POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n');
  let failed;
  socket.on('error', (error) => { failed = error; });
  for (let piece = 0; piece < 15; piece += 1) { // and reads only then
    socket.write('{');
    await pause(200);
  }
  assert.equal(failed, undefined);
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 413 /);
});
