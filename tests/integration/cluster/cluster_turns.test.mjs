// Turns of the same chats on several nodes: one of them runs a turn at a time, and each goes on where the one before ended, whatever
// node that was. CLUSTER_ROUNDS says how often two nodes race for a chat.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Cluster, assertNoFaults, assertNoGaps, watchFences } from '../support/cluster.mjs';
import { settles, slowness, until } from '../support/patience.mjs';
import { Ledger } from '../support/store_ledger.mjs';
import { assertNoMistakes, hold, startStoreModel } from '../support/store_model.mjs';
import { takeTurn } from '../support/turns.mjs';

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 20);
const timeout = (120000 + rounds * 500) * slowness;
const kept = (model) => ({ models: { kept: { base_url: `${model.url}/v1`, model: 'kept', api_key: 'none' } } });

async function start(t, nodes) {
  const model = await startStoreModel(t);
  const cluster = await Cluster.start(t, { nodes, config: kept(model) });
  watchFences(cluster);
  return { model, cluster, ledger: new Ledger(model) };
}

async function assertAllKept({ ledger, cluster, model }) {
  ledger.collect();
  for (const [i, chat] of ledger.chats.entries())
    ledger.assertKept(chat, await cluster.nodes[i % cluster.nodes.length].export(chat.id));
  assertNoGaps(cluster);
  assertNoFaults(cluster);
  assertNoMistakes(model);
}

test(`of two nodes that begin a turn of one chat one runs it, ${rounds} times`, { timeout }, async (t) => {
  const stage = await start(t, 2);
  const { model, cluster, ledger } = stage;
  const chat = ledger.newChat();
  const winners = new Map(cluster.nodes.map(({ name }) => [name, 0]));
  for (let round = 0; round < rounds; round += 1) {
    const release = hold(model);
    const both = cluster.nodes.map((node) => ledger.take(node, chat).then((entry) => ({ node, entry })));
    const loser = await settles('one is refused', Promise.race(both), 20000);
    assert.equal(loser.entry.turn.status, 409, loser.entry.turn.errorText);
    assert.match(loser.entry.turn.errorText, /session_busy/);
    await until('the model is asked', () => model.questions.length === round + 1);
    release();
    const all = await Promise.all(both);
    const winner = all.find(({ entry }) => entry.ended);
    assert.ok(winner, `round ${round}`);
    winners.set(winner.node.name, winners.get(winner.node.name) + 1);
  }
  t.diagnostic(`won: ${JSON.stringify([...winners])}`);
  await assertAllKept(stage);
});

test('chats go round robin over three nodes, each turn with the whole history', { timeout }, async (t) => {
  const stage = await start(t, 3);
  const { cluster, ledger } = stage;
  const turns = Math.max(6, Math.floor(rounds / 4));
  const chats = Array.from({ length: 16 }, () => ledger.newChat());
  await Promise.all(chats.map(async (chat, i) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const entry = await ledger.take(cluster.nodes[(i + turn) % 3], chat);
      assert.ok(entry.ended, `${chat.id} on its turn ${turn}: ${entry.turn.status} ${entry.turn.errorText}`);
    }
  }));
  await assertAllKept(stage);
  const metrics = await (await cluster.nodes[0].get('/metrics')).text();
  assert.match(metrics, /^troupe_cluster_claims_total\{result="ok"\} [1-9]/m);
  assert.match(metrics, /^troupe_cluster_claims_total\{result="stale"\} [1-9]/m);
  assert.match(metrics, /^troupe_cluster_fenced_total 0$/m);
});

test('what is renamed, removed or listed on one node is so on all', { timeout }, async (t) => {
  const { cluster, ledger } = await start(t, 2);
  const [a, b] = cluster.nodes;
  const chat = ledger.newChat();
  assert.ok((await ledger.take(a, chat)).ended);
  await b.json(`/v1/conversations/${chat.id}`, { method: 'PATCH', body: { title: 'Paris' } });
  assert.deepEqual((await a.list()).map(({ id, title }) => [id, title]), [[chat.id, 'Paris']]);
  assert.ok((await ledger.take(a, chat)).ended);
  assert.equal((await b.list())[0].title, 'Paris');
  await b.json(`/v1/conversations/${chat.id}`, { method: 'DELETE' });
  assert.equal(await a.export(chat.id), undefined);
  const again = await takeTurn(a.url, { message: 'anew wants 0 rounds' }, { session: chat.id });
  assert.equal(again.status, 200);
  assert.equal((await b.export(chat.id)).messages.length, 2);
});

test('a model that was set through one node is that of the next turn on the other', { timeout }, async (t) => {
  const { nodes: [a, b] } = await Cluster.start(t, { nodes: 2 });
  const session = 'overridden';
  for (const model of ['echo', 'text']) {
    assert.equal((await takeTurn(a.url, { message: 'hi' }, { session })).of('SESSION_END').length, 1); // a has the chat in memory
    await b.json(`/v1/conversations/${session}/overrides`, { method: 'PUT', body: { model, mcpServers: null } });
    assert.equal((await takeTurn(a.url, { message: 'again' }, { session })).of('SESSION_END').length, 1);
    assert.equal((await a.json(`/v1/conversations/${session}`)).lastTurn.model, model);
  }
});

test('what an owner may keep is counted over both nodes', { timeout }, async (t) => {
  const { nodes: [a, b] } = await Cluster.start(t, { nodes: 2, config: { limits: { maxConversationsPerOwner: 3 } } });
  const say = async (node, session) => {
    const answer = await fetch(`${node.url}/v1/sessions/${session}/turns`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"message":"hi"}',
    });
    await answer.text();
    return answer.status;
  };
  assert.deepEqual([await say(a, 'one'), await say(a, 'two'), await say(a, 'three')], [200, 200, 200]);
  assert.deepEqual([await say(b, 'four'), await say(a, 'four')], [507, 507]);
  for (const id of ['one', 'two', 'three']) await a.json(`/v1/conversations/${id}`, { method: 'DELETE' });
  assert.equal(await say(b, 'four'), 200, 'room that was made through the other node');
});
