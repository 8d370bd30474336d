// MCP servers of which there is one in the cluster: one process, which the turns of all nodes call, and which another node starts when
// its node is killed, ends or drains.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Cluster, freeze, killNode, thaw } from '../support/cluster.mjs';
import { startFakeModel } from '../support/fake_model.mjs';
import { measures, settles, slowness, until, watchLateness, within } from '../support/patience.mjs';
import { childrenOf } from '../support/processes.mjs';
import { binary, run } from '../support/program.mjs';
import { demoServer, endCleanly, everythingOverStdio, folder } from '../support/servers.mjs';
import { Turn, takeTurn } from '../support/turns.mjs';

const timeout = 180000 * slowness;
const mark = () => `one-${process.pid}-${Math.random().toString(36).slice(2)}`;

/** A model that calls the tool which the user's message says as JSON, and then repeats its result. */
const caller = (t) => startFakeModel(t, ({ messages }) => {
  const last = messages.at(-1);
  return last.role === 'tool' ? { text: last.content } : { calls: [JSON.parse(last.content)] };
});

/** Three nodes with the server `it`, which there is once; each process of it has `mark` in its environment. */
async function start(t, { entry = everythingOverStdio(), cluster = {} } = {}) {
  const model = await caller(t);
  const marked = mark();
  const made = await Cluster.start(t, {
    cluster: { drainNoticeSeconds: 2, ...cluster },
    config: {
      models: { fake: { base_url: `${model.url}/v1`, model: 'fake', api_key: 'none' } },
      mcpServers: { it: { ...entry, nodes: 'one', env: { THERE_IS_ONE: marked } } },
      limits: { drainSeconds: 20 },
    },
  });
  made.processes = () => processesWith(`THERE_IS_ONE=${marked}`);
  return made;
}

/** The programs that have this in their environment. */
function processesWith(text) {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(text);
    } catch {
      return false; // it has ended, or is not ours
    }
  }).map(Number);
}

const serverOf = (node) => node.json('/v1/mcp/servers/it');

/** Resolves with the node that all of these say has the server, once it is connected everywhere. */
async function holder(cluster, { nodes = cluster.nodes, not } = {}) {
  return until('all nodes have the server', async () => {
    const seen = await Promise.all(nodes.map(serverOf));
    const [{ node }] = seen;
    return seen.every((each) => each.health === 'success' && each.node === node && each.tools > 0) && node !== not?.name
      ? cluster.nodes.find(({ name }) => name === node) : undefined;
  }, within(20000));
}

/** Fails if it took too long until a node had the server: without its start, which takes what the machine gives it. */
async function judge(t, took, node, late) {
  const { connectMs } = await serverOf(node);
  t.diagnostic(`another node had it after ${took.toFixed(0)} ms, ${connectMs} of them to start it`);
  if (measures) assert.ok(took - connectMs < 6000 + late(), `${took} ms, ${connectMs} of them to start it`);
}

const callOf = (name, args) => ({ message: JSON.stringify({ name, arguments: args }) });
const echo = (text) => callOf('echo', { message: text });

async function calls(node, text) {
  const turn = await takeTurn(node.url, echo(text));
  assert.equal(turn.of('MCP_TOOL_SUCCESS').length, 1, JSON.stringify(turn.events));
  assert.match(turn.text(), new RegExp(text));
}

/** Calls the server from these nodes, one turn after the other each, until end(); resolves with how many and what failed. */
function keepCalling(nodes) {
  let over = false;
  let count = 0;
  const failed = [];
  const work = Promise.all(nodes.map(async (node) => {
    while (!over) {
      const turn = await takeTurn(node.url, echo('on and on'));
      count += 1;
      if (turn.of('MCP_TOOL_SUCCESS').length !== 1) failed.push(`${node.name}: ${JSON.stringify(turn.of('MCP_TOOL_ERROR'))}`);
    }
  }));
  return { failed, get count() { return count; }, end: async () => { over = true; await work; } };
}

test('of three nodes', { timeout }, async (t) => {
  const cluster = await start(t);
  const has = await holder(cluster);

  await t.test('three nodes have one process, and all it offers', { timeout }, async () => {
    assert.equal(cluster.processes().length, 1);
    assert.ok(childrenOf(has.program.pid).some(({ pid }) => cluster.processes().includes(pid)));
    for (const node of cluster.nodes) await calls(node, `from ${node.name}`);

    const offer = async (node) => {
      const [tools, resources, prompts] = await Promise.all(['tools', 'resources', 'prompts'].map((what) => node.json(`/v1/mcp/${what}`)));
      return { tools, resources, prompts };
    };
    const wanted = await until('the holder has all lists', async () => {
      const found = await offer(has);
      return found.resources.resources.length > 0 && found.prompts.prompts.length > 0 ? found : undefined;
    });
    for (const node of cluster.nodes) {
      await until('the others have them, too', async () => JSON.stringify(await offer(node)) === JSON.stringify(wanted));
      const prompt = await node.json('/v1/mcp/prompts/get', { method: 'POST', body: { server: 'it', name: 'simple-prompt' } });
      assert.ok(prompt.messages.length > 0);
      const { uri } = wanted.resources.resources[0];
      const read = await node.json('/v1/mcp/resources/read', { method: 'POST', body: { server: 'it', uri } });
      assert.equal(read.contents[0].uri, uri);
      const long = await node.get('/v1/mcp/tools/call', {
        method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ server: 'it', tool: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 4 } }),
      });
      assert.equal((await long.text()).match(/^event: progress$/gm)?.length, 4);
      const refused = await node.json('/v1/mcp/tools/call', { method: 'POST', body: { server: 'it', tool: 'get-sum', arguments: { a: 'x' } } });
      assert.ok(refused.error.code);
      const shown = JSON.stringify(await node.json('/v1/mcp/servers'));
      for (const { inner } of cluster.nodes) assert.ok(!shown.includes(inner), shown);
      assert.equal((await node.json('/v1/status')).mcpServers[0].node, has.name);
    }
    assert.equal(cluster.processes().length, 1);
  });

  await t.test('clients find nothing at the address for nodes, and nodes nothing without a signature', { timeout }, async () => {
    const ask = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
    assert.equal((await has.get('/v1/mcp/node/it', ask)).status, 404);
    assert.equal((await fetch(`http://${has.inner}/v1/mcp/node/it`, ask)).status, 401);
    assert.equal((await fetch(`http://${has.inner}/v1/mcp/node/it`, { ...ask, headers: { ...ask.headers, 'troupe-signature': 'x' } })).status, 403);
  });
});

test('kill -9 of its node: another node has the server, and what may be repeated is', { timeout }, async (t) => {
  const cluster = await start(t);
  await cluster.judging();
  const late = watchLateness();
  const dead = await holder(cluster);
  const others = cluster.nodes.filter((node) => node !== dead);
  const running = new Turn(others[0].url, callOf('trigger-long-running-operation', { duration: 3, steps: 3 }));
  await running.sees('MCP_TOOL_PROGRESS');
  await killNode(dead);
  const killed = performance.now();
  const waiting = others.map((node) => calls(node, 'next')); // they wait for the other node
  const now = await holder(cluster, { nodes: others, not: dead });
  const took = performance.now() - killed;
  await judge(t, took, now, late);
  await Promise.all(waiting);
  await running.ends();
  assert.equal(running.of('MCP_TOOL_SUCCESS').length, 1, JSON.stringify(running.events));
  await until('the first process is gone', () => cluster.processes().length === 1);
  await dead.ready();
  assert.equal(await holder(cluster), now);
  await calls(dead, 'back');
  assert.equal(cluster.processes().length, 1);
});

test('kill -9 of its node: a call that may not be repeated ends with an error', { timeout }, async (t) => {
  const cluster = await start(t, { entry: demoServer() });
  await cluster.judging();
  const dead = await holder(cluster);
  const others = cluster.nodes.filter((node) => node !== dead);
  const turns = others.map((node) => new Turn(node.url, callOf('hang', {})));
  for (const turn of turns) await turn.sees('MCP_TOOL_START');
  await until('the node has the calls', async () => (await dead.json('/v1/mcp/servers')).activeFlows === 2);
  await killNode(dead);
  for (const turn of turns) {
    const lost = await turn.sees('MCP_TOOL_ERROR', within(5000));
    assert.equal(lost.error, 'outcome_unknown');
    for (const { inner } of cluster.nodes) assert.ok(!lost.errorText.includes(inner), lost.errorText);
    await turn.ends();
  }
});

const ends = async (node) => {
  await settles(`${node.name} ends`, node.program.exit, within(30000));
  await endCleanly(node.program);
};

test('a node that ends, or is to drain, gives the server away, and no call fails', { timeout }, async (t) => {
  const cluster = await start(t);
  const first = await holder(cluster);
  let load = keepCalling(cluster.nodes.filter((node) => node !== first));
  first.program.signal('SIGTERM');
  await holder(cluster, { nodes: cluster.nodes.filter((node) => node !== first), not: first });
  await ends(first);
  const { count } = load;
  await until('calls go on', () => load.count > count + 4);
  await load.end();
  assert.deepEqual(load.failed, []);
  assert.equal(cluster.processes().length, 1); // the other one ended before its node did

  await first.ready();
  const second = await holder(cluster);
  load = keepCalling(cluster.nodes.filter((node) => node !== second));
  assert.equal((await run(binary('troupe'), ['cluster', 'drain', second.name, '--config', second.file])).code, 0);
  await holder(cluster, { not: second });
  const before = load.count;
  await until('calls go on', () => load.count > before + 4);
  await load.end();
  assert.deepEqual(load.failed, []);
  await until('one process is left', () => cluster.processes().length === 1);
});

test('the last node keeps the server until its turns are over', { timeout }, async (t) => {
  const cluster = await start(t);
  const last = await holder(cluster);
  for (const node of cluster.nodes) if (node !== last) await node.stop();
  const turn = new Turn(last.url, callOf('trigger-long-running-operation', { duration: 4, steps: 4 }));
  await turn.sees('MCP_TOOL_PROGRESS');
  last.program.signal('SIGTERM');
  await turn.ends();
  assert.equal(turn.of('MCP_TOOL_SUCCESS').length, 1);
  await ends(last);
  assert.equal(cluster.processes().length, 0);
});

test('a node that hangs closes the server when it wakes up', { timeout }, async (t) => {
  const cluster = await start(t);
  await cluster.judging();
  const late = watchLateness();
  const asleep = await holder(cluster);
  const others = cluster.nodes.filter((node) => node !== asleep);
  freeze(asleep);
  const frozen = performance.now();
  const now = await holder(cluster, { nodes: others, not: asleep });
  const took = performance.now() - frozen;
  await judge(t, took, now, late);
  await calls(others[0], 'meanwhile');
  thaw(asleep);
  await until('one process is left', () => cluster.processes().length === 1, within(10000));
  assert.equal(await holder(cluster), now);
  await calls(asleep, 'awake');
});

test('a turn that is stopped cancels its call at the other node', { timeout }, async (t) => {
  const log = path.join(folder(t), 'mcp.log');
  const cluster = await start(t, { entry: demoServer(log) });
  const has = await holder(cluster);
  const far = cluster.nodes.find((node) => node !== has);
  const turn = new Turn(far.url, callOf('hang', {}));
  await turn.sees('MCP_TOOL_START');
  const read = () => readFileSync(log, 'utf8');
  await until('the server has the call', () => read().includes('tools/call'));
  const stopped = performance.now();
  await far.get(`/v1/sessions/${turn.session}/abort`, { method: 'POST' });
  await until('the call is cancelled', () => read().includes('notifications/cancelled'));
  t.diagnostic(`cancelled after ${(performance.now() - stopped).toFixed(0)} ms`);
  await turn.ends();
  assert.equal(cluster.processes().length, 1);
});

test('a server that cannot be started is shown so by all nodes', { timeout }, async (t) => {
  const cluster = await start(t, { entry: { command: '/nowhere/at/all' } });
  for (const node of cluster.nodes) {
    const shown = await until('it says why', async () => {
      const server = await serverOf(node);
      return server.error && /nowhere/.test(server.error.message) ? server : undefined;
    }, within(15000));
    for (const { inner } of cluster.nodes) assert.ok(!JSON.stringify(shown).includes(inner));
  }
});
