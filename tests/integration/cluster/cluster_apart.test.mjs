// Two nodes that reach the database, yet not each other: turns go on where they run, and each request for a turn of the other node
// is told so at once.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Cluster } from '../support/cluster.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { PausableSocket } from '../support/pausable_socket.mjs';
import { Link, nodesNetwork, placeOf } from '../support/network.mjs';
import { slowness, until, watchLateness, within } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';
import { freePort } from '../support/servers.mjs';
import { Turn } from '../support/turns.mjs';

const timeout = 60000 * slowness;

/** Nodes a and b; a reaches b over `line` only. */
async function start(t) {
  const model = await startHeldModel(t);
  const config = { models: { held: { base_url: `${model.url}/v1`, model: 'held', api_key: 'none' } } };
  const cluster = new Cluster(await Postgres.start(t));
  const port = await freePort();
  const { address } = placeOf('b');
  const proxy = nodesNetwork ? undefined : await PausableSocket.toPort(t, port);
  const line = proxy ?? new Link('a', { address, port });
  const a = await cluster.node(t, 'a', config);
  const b = await cluster.node(t, 'b', config, {
    listen: `${address}:${port}`, ...(proxy && { advertise: `http://127.0.0.1:${proxy.port}` }),
  });
  for (const node of [a, b]) await node.ready();
  return { model, line, a, b };
}

/** Begins a turn whose model has said its first word. */
async function begin({ model }, node, options) {
  const before = model.answers.length;
  const turn = new Turn(node.url, { message: 'go', ...options });
  turn.answer = await until('the model is asked', () => model.answers[before], 20000);
  turn.answer.say('one ');
  await turn.sees('TEXT');
  return turn;
}

const finish = async (turn) => {
  turn.answer.say('two');
  turn.answer.end();
  await turn.ends();
  assert.equal(turn.text(), 'one two');
};

/** Sends a request and resolves with {status, text, after, took}. */
async function ask(url, body) {
  const began = performance.now();
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET', headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, after: answer.headers.get('retry-after'), took: performance.now() - began };
}

test('nodes that cannot reach each other lose no turn, and say so within 5 s', { timeout }, async (t) => {
  const stage = await start(t);
  const { model, line, a, b } = stage;
  const running = await begin(stage, b, { resumable: true });
  const stopped = await begin(stage, b); // a stop that is on its way may arrive once the line is back
  const sessions = `${a.url}/v1/sessions/${running.session}`;
  const watched = await fetch(`${sessions}/events`);
  assert.equal(watched.status, 200);

  line.cut();
  const late = watchLateness();
  const calls = [
    ask(`${sessions}/turns`, { message: 'more' }),
    ask(`${sessions}/events`),
    ask(`${a.url}/api/chat/${running.session}/stream`),
    ask(`${a.url}/v1/sessions/${stopped.session}/abort`, {}),
    ask(`${a.url}/api/chat/${stopped.session}/stop`, {}),
  ];
  const other = await begin(stage, a);
  await finish(other);
  const third = await begin(stage, b);
  await finish(third);
  for (const { status, text, after, took } of await Promise.all(calls)) {
    assert.equal(status, 503, text);
    assert.match(text, /The server that runs this chat does not answer/);
    assert.ok(after > 0);
    assert.ok(took <= within(5000) + late(), `refused after ${took} ms`);
  }
  assert.equal(running.answer.closedAt, undefined, 'nobody stopped the turn');

  line.mend();
  running.answer.say('more ');
  const back = await until('it is reached again', async () => {
    const answer = await ask(`${sessions}/turns`, { message: 'more' });
    return answer.status === 409 && answer;
  });
  assert.match(back.text, /session_busy/);
  running.answer.say('end');
  running.answer.end();
  await running.ends();
  assert.equal(running.text(), 'one more end');
  assert.match(await watched.text(), /SESSION_END/, 'who looked on over the line has it all');
  stopped.answer.end();
  await stopped.ends();
  const after = await begin(stage, a);
  await finish(after);
  assert.equal(model.answers.length, 5);
});
