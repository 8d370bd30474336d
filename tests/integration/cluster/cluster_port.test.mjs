// The port of a node for the others: who is let in, and what strangers can do to it. CLUSTER_STRANGERS says how many come.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import net from 'node:net';
import test from 'node:test';
import { Cluster, secret } from '../support/cluster.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { measures, settles, slowness, until } from '../support/patience.mjs';
import { sanitizerReport } from '../support/program.mjs';
import { Turn } from '../support/turns.mjs';

const strangers = Number(process.env.CLUSTER_STRANGERS ?? 400);
const timeout = (120000 + strangers * 20) * slowness;

async function start(t) {
  const model = await startHeldModel(t);
  const { nodes } = await Cluster.start(t, {
    nodes: 2, config: { models: { held: { base_url: `${model.url}/v1`, model: 'held', api_key: 'none' } } },
  });
  return { model, nodes };
}

/** The fields of a request as a node signs it. */
function signed(method, target, { body = '', sent = Date.now(), owner = '', to = 'any', limit = '', key = secret } = {}) {
  const digest = createHash('sha256').update(body).digest('hex');
  const parts = ['stranger', String(sent), method, target, owner, limit, to, digest];
  const text = 'troupe-forward-1\n' + parts.map((part) => `${Buffer.byteLength(part)}:${part}\n`).join('');
  return {
    'troupe-hop': '1', 'troupe-from': 'stranger', 'troupe-sent': String(sent), 'troupe-owner': owner, 'troupe-limit': limit,
    'troupe-to': to, 'troupe-body': digest, 'troupe-signature': createHmac('sha256', key).update(text).digest('hex'),
  };
}

const memory = (node) => Number(readFileSync(`/proc/${node.program.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;
process.env.TROUPE_DUMPABLE = '1'; // else only root may count them
const descriptors = (node) => readdirSync(`/proc/${node.program.pid}/fd`).length;

test('only what is signed with the secret, and lately, is let in', { timeout }, async (t) => {
  const { nodes: [node] } = await start(t);
  const target = '/v1/sessions/c/events';
  const ask = (fields, method = 'GET', where = target, body = undefined) =>
    fetch(`http://${node.inner}${where}`, { method, headers: fields, body }).then(({ status }) => status);
  assert.equal(await ask(signed('GET', target)), 204);
  assert.equal(await ask({}), 401);
  assert.equal(await ask({ authorization: 'Bearer tk_a_b' }), 401);
  assert.equal(await ask(signed('GET', target, { key: 'a secret that nobody has' })), 403);
  assert.equal(await ask(signed('GET', target, { sent: Date.now() - 31000 })), 403, 'replayed');
  assert.equal(await ask(signed('GET', target, { sent: Date.now() + 31000 })), 403);
  assert.equal(await ask(signed('GET', '/v1/sessions/d/events')), 403, 'of another request');
  assert.equal(await ask({ ...signed('GET', target), 'troupe-owner': 'mallory' }), 403);
  assert.equal(await ask(signed('POST', '/v1/sessions/c/turns', { body: '{}' }), 'POST', '/v1/sessions/c/turns', '{"message":"x"}'), 403);
  for (const where of ['/v1/status', '/v1/conversations', '/v1/keys', '/metrics'])
    assert.equal(await ask(signed('GET', where), 'GET', where), 404, 'nodes ask for turns alone');
  assert.equal(await ask(signed('POST', '/v1/sessions/c/abort', { to: '7' }), 'POST', '/v1/sessions/c/abort'), 421);
  assert.equal(await ask(signed('GET', target, { to: 'x' })), 400);
});

test('a node whose port is taken says so, gives its lease back and ends', { timeout }, async (t) => {
  const cluster = await Cluster.start(t, { nodes: 1 });
  const late = await cluster.node(t, 'b');
  const other = net.createServer().listen(Number(late.inner.split(':')[1]), late.inner.split(':')[0]);
  t.after(() => other.close());
  await once(other, 'listening');
  const program = late.launch();
  assert.deepEqual(await settles('it ends', program.exit), { code: 1, signal: null });
  assert.match(program.stderr, /cluster\.listen: .*in use/);
  assert.equal(sanitizerReport(program), undefined);
  assert.deepEqual(cluster.rows().map(({ name }) => name), ['a']);
});

test('what only nodes may say means nothing on the public port', { timeout }, async (t) => {
  const { nodes: [node], model } = await start(t);
  const turn = new Turn(node.url, { message: 'go' });
  (await until('the model is asked', () => model.answers[0])).end();
  await turn.ends();
  const target = '/v1/conversations';
  for (const fields of [signed('GET', target, { owner: 'mallory' }), { 'troupe-owner': 'mallory', 'troupe-hop': '1' }]) {
    const { conversations } = await node.json(target, { headers: fields });
    assert.deepEqual(conversations.map(({ id }) => id), [turn.session], 'the own chats, not those of another owner');
  }
});

test(`${strangers} strangers harm nobody`, { timeout }, async (t) => {
  const { nodes: [owner, other], model } = await start(t);
  const turn = new Turn(owner.url, { message: 'go', resumable: true });
  const answer = await until('the model is asked', () => model.answers[0]);
  answer.say('a');
  await turn.sees('TEXT');
  const viewer = await fetch(`${other.url}/v1/sessions/${turn.session}/events`);
  const reader = viewer.body.getReader();
  await reader.read();
  const before = { memory: memory(owner), descriptors: descriptors(owner) };
  const [host, port] = owner.inner.split(':');
  const junk = [
    'GET / HTTP/1.1\r\nhost: x\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'x'.repeat(40000),
    `POST /v1/sessions/c/turns HTTP/1.1\r\nhost: x\r\ncontent-length: 8000000\r\n\r\n${'y'.repeat(60000)}`,
    'GET /v1/status HTTP/1.1\r\nhost: x\r\ntroupe-signature: 00\r\ntroupe-hop: 1\r\n\r\n', '\0'.repeat(1000), '',
  ];
  for (let done = 0; done < strangers; done += 100) {
    const sockets = Array.from({ length: Math.min(100, strangers - done) }, (_, i) => {
      const socket = net.connect(Number(port), host);
      socket.on('error', () => {}).on('data', () => {});
      socket.write(junk[i % junk.length]);
      return socket;
    });
    await Promise.all(sockets.map((socket) => settles('it connects', new Promise((resolve) => {
      socket.on('connect', resolve).on('close', resolve);
    }))));
    sockets.forEach((socket) => socket.destroy());
  }
  await until('all descriptors are given back', () => descriptors(owner) <= before.descriptors + 2, 20000);
  if (measures) {
    const more = memory(owner) - before.memory;
    t.diagnostic(`${more.toFixed(1)} MiB more`);
    assert.ok(more <= 4 + strangers / 1000, `${more} MiB more`);
  }
  answer.say('b');
  let text = '';
  while (!text.includes('"b"')) text += new TextDecoder().decode((await settles('more comes', reader.read())).value);
  answer.end();
  await turn.ends();
  assert.equal((await owner.get('/healthz')).status, 200);
});
