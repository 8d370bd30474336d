// Nodes that come and go, and what operators see of them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Cluster, killNode } from '../support/cluster.mjs';
import { slowness, until } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { configFile } from '../support/servers.mjs';
import { takeTurn } from '../support/turns.mjs';

const timeout = 120000 * slowness;

async function troupe(node, ...args) {
  return run(binary('troupe'), ['cluster', ...args, '--config', node.file]);
}

async function status(node) {
  const shown = await troupe(node, 'status', '--json');
  assert.equal(shown.code, 0, shown.stderr);
  return JSON.parse(shown.stdout).nodes;
}

test('operators see nodes, have one drain, and forget a dead one', { timeout }, async (t) => {
  const cluster = await Cluster.start(t, { nodes: 2, cluster: { leaseMs: 60000 } });
  const [a, b] = cluster.nodes;
  assert.deepEqual((await status(a)).map(({ name, state }) => [name, state]), [['a', 'serving'], ['b', 'serving']]);
  const table = await troupe(a, 'status');
  assert.match(table.stdout, /^NODE +STATE +TURNS +SILENT +VERSION +ADDRESS\na +serving +0 +\d+\.\d s +\S+ +http:\/\/127/);

  assert.equal((await troupe(a, 'drain', 'b')).code, 0);
  await until('it drains', async () => (await b.get('/readyz')).status === 503);
  await takeTurn(b.url, { message: 'hi', model: 'text' }); // the other node runs it
  assert.match(await (await b.get('/metrics')).text(), /^troupe_cluster_forwards_total\{result="passed"\} 1$/m);
  await takeTurn(a.url, { message: 'hi', model: 'text' });
  await until('the others know', async () => (await status(a))[1].state === 'draining');
  await until('the metrics know', async () =>
    /^troupe_cluster_nodes\{state="draining"\} 1$/m.test(await (await a.get('/metrics')).text()), 15000);

  assert.match((await troupe(a, 'forget', 'b')).stderr, /the node 'b' lives/);
  assert.match((await troupe(a, 'drain', 'x')).stderr, /there is no node 'x'/);
  await killNode(b);
  const forgotten = await until('it can be forgotten', async () => {
    const done = await troupe(a, 'forget', 'b');
    return done.code === 0 || /there is no node/.test(done.stderr) ? done : undefined;
  });
  assert.ok(forgotten);
  assert.deepEqual((await status(a)).map(({ name }) => name), ['a']);
});

test('a name is one node\'s, and a server that is no node keeps out', { timeout }, async (t) => {
  const cluster = await Cluster.start(t, { nodes: 1, cluster: { leaseMs: 5000, beatMs: 200 } });
  const twin = await cluster.node(t, 'a', {}, { leaseMs: 5000, beatMs: 200 });
  const second = await run(binary('troupe'), ['serve', '--config', twin.file]);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /a node 'a' runs already/);
  const alone = configFile(t, { listen: '127.0.0.1:0', store: cluster.postgres.url });
  const third = await run(binary('troupe'), ['serve', '--config', alone]);
  assert.equal(third.code, 1);
  assert.match(third.stderr, /another server uses the database/);
  await until('it serves', async () => (await cluster.nodes[0].get('/readyz')).status === 200);
});

test('a node that ends well leaves nothing, one that was killed comes back at once', { timeout }, async (t) => {
  const cluster = await Cluster.start(t, { nodes: 2 });
  const [a, b] = cluster.nodes;
  await b.stop();
  assert.deepEqual(cluster.rows().map(({ name }) => name), ['a']);
  await b.ready();
  await b.kill();
  await b.ready();
  assert.equal(cluster.rows().filter(({ name }) => name === 'b').length >= 1, true);
  const log = String(a.program);
  assert.doesNotMatch(log, /the-secret-of-the-test-cluster/);
});
