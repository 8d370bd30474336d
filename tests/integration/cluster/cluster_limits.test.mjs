// Limits that hold over all nodes of a cluster: rates of keys, turns of an owner, places of a model, keys that are revoked.
// CLUSTER_SECONDS says for how long rates are measured.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster, killNode } from '../support/cluster.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { slowness, until, watchLateness } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { Turn } from '../support/turns.mjs';

const seconds = Number(process.env.CLUSTER_SECONDS ?? 8);
const timeout = (120000 + seconds * 1000) * slowness;
const as = (key) => ({ headers: { authorization: `Bearer ${key.key}` } });

/** Runs `troupe keys` beside the nodes; resolves with what it printed. */
async function keys({ nodes }, ...args) {
  const done = await run(binary('troupe'), ['keys', ...args, '--config', nodes[0].file]);
  assert.equal(done.code, 0, done.stderr);
  return done.stdout;
}

/** Makes a key, and resolves with it when all nodes know it. */
async function createKey(cluster, owner, ...args) {
  const made = JSON.parse(await keys(cluster, 'create', '--owner', owner, '--json', ...args));
  for (const node of cluster.nodes)
    await until('the key is known', async () => (await node.get('/v1/status', as(made))).status !== 401);
  return made;
}

/** Three nodes, each of which knows that there are three. */
async function start(t) {
  const model = await startHeldModel(t);
  const held = { base_url: `${model.url}/v1`, model: 'held', api_key: 'none' };
  const cluster = await Cluster.start(t, {
    config: {
      auth: { keys: true },
      models: { held, few: { ...held, maxConcurrent: 5 } },
      defaultModel: 'held',
    },
  });
  const admin = await createKey(cluster, 'root', '--admin');
  for (const node of cluster.nodes)
    await until(`${node.name} knows all nodes`, async () =>
      /^troupe_cluster_nodes\{state="serving"\} 3$/m.test(await (await node.get('/metrics', as(admin))).text()), 15000);
  return { cluster, model };
}

/** Asks for more than a key's rate, and resolves with how many requests are let in while it is measured. */
async function taken(key, rate, nodes) {
  const interval = 60000 / rate / 4;
  const warm = performance.now() + 8000; // what may come at once is used up, and the parts have settled
  const over = warm + seconds * 1000;
  const answers = [];
  let count = 0;
  for (let next = performance.now(), i = 0; next < over; next += interval, i += 1) {
    await pause(Math.max(0, next - performance.now()));
    const asked = performance.now();
    answers.push(nodes[i % nodes.length].get('/v1/models', as(key)).then(async (answer) => {
      await answer.text();
      assert.ok(answer.status === 200 || answer.status === 429, String(answer.status));
      if (answer.status === 200 && asked >= warm && asked < over) count += 1;
    }));
  }
  await Promise.all(answers);
  return count;
}

function finish(answer) {
  answer.say('ok');
  answer.end();
}

const begin = (node, key, session, more) =>
  new Turn(node.url, { message: 'hi', ...more }, { ...as(key), session }).started;

// Nodes take ten seconds until each knows that there are three: all tests have the same, and owners of their own.
test('limits over three nodes', { timeout: timeout * 2 }, async (t) => {
  const { cluster, model } = await start(t);

  await t.test(`a rate is that of all nodes together, evenly or on one, for ${seconds} s`, { timeout }, async (t) => {
    const rate = 600;
    const [even, lone] = [await createKey(cluster, 'ann', '--rate', String(rate)),
      await createKey(cluster, 'bob', '--rate', String(rate))];
    const [evenly, onOne] = await Promise.all([taken(even, rate, cluster.nodes), taken(lone, rate, [cluster.nodes[0]])]);
    const right = (rate * seconds) / 60;
    t.diagnostic(`taken of ${right}: ${evenly} evenly, ${onOne} on one`);
    for (const count of [evenly, onOne])
      assert.ok(count >= 0.9 * right && count <= 1.1 * right, `${count} of ${right}`);
  });

  await t.test('an owner has so many turns on all nodes together', { timeout }, async (t) => {
    const first = model.answers.length;
    const key = await createKey(cluster, 'fred', '--turns', '10');
    const all = await Promise.all(Array.from({ length: 36 }, (_, i) =>
      begin(cluster.nodes[i % 3], key, `chat ${i}`, { ephemeral: i % 2 === 0 })));
    const running = all.filter(({ status }) => status === 200);
    t.diagnostic(`running: ${running.length}`);
    assert.ok(running.length >= 10 && running.length <= 12, String(running.length));
    const refused = all.filter(({ status }) => status !== 200);
    await Promise.all(refused.map((turn) => turn.ends()));
    for (const turn of refused) assert.match(turn.errorText, /too_many_turns/);
    await until('the model is asked', () => model.answers.length === first + running.length);
    model.answers.slice(first).forEach(finish);
    await Promise.all(running.map((turn) => turn.ends()));

    const one = await createKey(cluster, 'gina', '--turns', '1');
    for (let i = 0; i < 12; i += 1) {
      const asked = model.answers.length;
      const turn = await until(`turn ${i} runs, when the one before is over`, async () => {
        const made = await begin(cluster.nodes[i % 3], one, 'chat', {});
        return made.status === 200 && made;
      });
      await until('the model is asked', () => model.answers.length > asked);
      finish(model.answers.at(-1));
      await turn.ends();
    }
  });

  await t.test('each node has its part of the places of a model', { timeout }, async () => {
    const first = model.answers.length;
    const key = await createKey(cluster, 'dora');
    const turns = await Promise.all(Array.from({ length: 12 }, (_, i) =>
      begin(cluster.nodes[i % 3], key, `chat ${i}`, { model: 'few' })));
    await Promise.all(turns.map((turn) => turn.sees('MODEL_RESPONSE_WAITING')));
    await until('the model is asked', () => model.answers.length >= first + 6);
    const status = await Promise.all(cluster.nodes.map((node) => node.get('/readyz')));
    assert.deepEqual(status.map((each) => each.status), [200, 200, 200]);
    assert.equal(model.answers.length - first, 6); // 5 in three parts, rounded up
    for (let i = 0; i < 12; i += 1) {
      await until('the next one is asked', () => model.answers.length > first + i);
      finish(model.answers[first + i]);
    }
    await Promise.all(turns.map((turn) => turn.ends()));
  });

  await t.test('a key that is revoked is refused on all nodes within two seconds', { timeout }, async (t) => {
    const key = await createKey(cluster, 'emma');
    await keys(cluster, 'revoke', key.id);
    const late = watchLateness();
    const since = performance.now();
    const times = await Promise.all(cluster.nodes.map(async (node) => {
      await until('it is refused', async () => (await node.get('/v1/models', as(key))).status === 401, 10000);
      return Math.round(performance.now() - since);
    }));
    t.diagnostic(`refused after ${times} ms`);
    for (const time of times) assert.ok(time <= 2000 * slowness + late(), `${time} ms`);
  });

  await t.test('turns of a node that is gone do not count', { timeout }, async () => {
    const [a, b] = cluster.nodes;
    const key = await createKey(cluster, 'carol', '--turns', '1');
    assert.equal((await begin(a, key, 'one', {})).status, 200);
    assert.equal((await begin(b, key, 'two', {})).status, 429);
    await killNode(a);
    await until('another node has the place', async () => (await begin(b, key, 'two', {})).status === 200, 10000);
  });
});
