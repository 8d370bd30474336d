// A node that ends: clients whose balancer has not noticed yet. CLUSTER_CLIENTS and CLUSTER_RESTARTS say how many clients there are
// and how often all nodes are restarted, CLUSTER_TURNS how many turns are wanted at least, CLUSTER_OLD which program of an earlier
// version the nodes are at first: they are replaced by the new one as they are restarted.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Cluster } from '../support/cluster.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { settles, slowness, until } from '../support/patience.mjs';
import { endCleanly, models, startModel } from '../support/servers.mjs';
import { Turn, newSession, takeTurn } from '../support/turns.mjs';
import { Connection } from '../support/websocket.mjs';

const clients = Number(process.env.CLUSTER_CLIENTS ?? 12);
const restarts = Number(process.env.CLUSTER_RESTARTS ?? 1);
const wanted = Number(process.env.CLUSTER_TURNS ?? 50);
const timeout = (120000 + restarts * 120000 + wanted * 20) * slowness;
const ready = (node) => node.get('/readyz').then(({ status }) => status);

test('a node that drains hands new turns on, and ends those that it runs', { timeout }, async (t) => {
  const model = await startHeldModel(t);
  const { nodes: [leaving, staying] } = await Cluster.start(t, {
    nodes: 2,
    cluster: { drainNoticeSeconds: 5 * slowness },
    config: {
      models: { held: { base_url: `${model.url}/v1`, model: 'held', api_key: 'none' } },
      limits: { drainSeconds: 20 * slowness },
    },
  });
  const socket = await Connection.open(leaving);
  const asked = (question) => until(`the model is asked ${question}`, () => model.answers.find((one) => one.question === question), 20000);
  const running = new Turn(leaving.url, { message: 'running' });
  const answer = await asked('running');
  leaving.program.signal('SIGTERM');
  await until('it is not ready', async () => await ready(leaving) === 503);
  assert.equal((await leaving.get('/healthz')).status, 200);

  const handedOn = new Turn(leaving.url, { message: 'new' });
  const overSocket = socket.start(newSession(), { message: 'socket' });
  const other = await asked('new');
  const third = await asked('socket');
  assert.equal((await staying.json('/v1/status')).runningTurns, 2);
  const completion = fetch(`${leaving.url}/v1/chat/completions`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'openai' }] }),
  });
  const fourth = await asked('openai');
  for (const each of [answer, other, third, fourth]) {
    each.say('word');
    each.end();
  }
  await running.ends();
  assert.equal(running.text(), 'word');
  await handedOn.ends();
  assert.deepEqual([handedOn.status, handedOn.text()], [200, 'word']);
  await overSocket.ends();
  const chat = await completion;
  assert.equal(chat.status, 200);
  assert.equal((await chat.json()).choices[0].message.content, 'word');
  await settles('it ends', leaving.program.exit, 60000);
  await endCleanly(leaving.program);
  assert.equal(await ready(staying), 200);
});

/** Sends each request to the next node, and knows nothing of any but that it took no connection. */
class Balancer {
  constructor(nodes) {
    this.nodes = nodes;
    this.next = 0;
    this.out = new Set();
  }

  async take(body, options) {
    while (this.out.size < this.nodes.length) {
      const node = this.nodes[this.next++ % this.nodes.length];
      if (this.out.has(node)) continue;
      try {
        return await takeTurn(node.url, body, options);
      } catch (error) {
        if (!/ECONNREFUSED/.test(`${error.code} ${error.message}`)) throw error;
        this.out.add(node);
      }
    }
    throw new Error('no node takes a connection');
  }
}

const p99 = (all) => [...all].sort((a, b) => a - b)[Math.ceil(all.length * 0.99) - 1];

test(`three nodes are restarted one after the other, ${restarts} times, and no turn fails`, { timeout }, async (t) => {
  let over = false;
  t.after(() => (over = true));
  const model = await startModel(t);
  const cluster = await Cluster.start(t, {
    nodes: 3,
    cluster: { drainNoticeSeconds: 2 },
    config: { models: models(model.url, ['paced-20-40']), limits: { drainSeconds: 20 } },
  });
  const { nodes } = cluster;
  const balancer = new Balancer(nodes);
  const firsts = { before: [], meanwhile: [] };
  let phase = firsts.before;
  const client = async () => {
    const session = newSession();
    while (!over) {
      const begun = performance.now();
      const into = phase;
      const turn = await balancer.take({ message: 'go' }, { session });
      into.push(turn.arrivals[turn.events.findIndex(({ type }) => type === 'TEXT')] - begun);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  const done = () => firsts.before.length + firsts.meanwhile.length;
  const reach = (count) => Promise.race([all, until(`${count} turns`, () => done() >= count, timeout)]); // a failed turn ends it
  await reach(2 * clients);
  phase = firsts.meanwhile;
  for (let round = 0; round < restarts; round += 1)
    for (const node of nodes) {
      await endCleanly(node.program);
      node.binary = undefined;
      await node.ready();
      balancer.out.delete(node);
    }
  await reach(wanted);
  over = true;
  await settles('all clients end', all, 60000);
  const [before, meanwhile] = [p99(firsts.before), p99(firsts.meanwhile)];
  t.diagnostic(`${done()} turns; first token p99 ${before.toFixed(0)} ms before, ${meanwhile.toFixed(0)} ms meanwhile`);
  if (wanted >= 10000) assert.ok(meanwhile <= 2 * before, `${meanwhile} ms, ${before} ms before`);
  assert.equal(cluster.count('SELECT count(*) FROM troupe.turns WHERE state <> 1'), 0);
});
