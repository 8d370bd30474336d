// Clients that stop reading turns which another node runs: neither node keeps more than a bounded part of them, the model waits, and
// other streams do not notice. CLUSTER_VIEWERS and CLUSTER_TOKENS say how many clients there are, and how long an answer is.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster } from '../support/cluster.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { measures, settles, slowness, until } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { models, startModel } from '../support/servers.mjs';
import { SseReader, Turn, newSession } from '../support/turns.mjs';

const viewers = Number(process.env.CLUSTER_VIEWERS ?? 4);
const tokens = Number(process.env.CLUSTER_TOKENS ?? 40000);
const timeout = (120000 + viewers * tokens / 10) * slowness;
const word = `${'x'.repeat(99)} `;

const memory = (node) => Number(readFileSync(`/proc/${node.program.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;

/** Begins a turn and stops reading when its first bytes are there; `whole()` reads on to the end and resolves with how many tokens came. */
async function stopped(node) {
  const request = http.request(`${node.url}/v1/sessions/${newSession()}/turns`, {
    method: 'POST', agent: new http.Agent(), headers: { 'content-type': 'application/json' },
  });
  request.end(JSON.stringify({ message: 'go' }));
  const [response] = await settles('the answer begins', once(request, 'response'), 20000);
  assert.equal(response.statusCode, 200);
  return {
    whole: async () => {
      let size = 0;
      const reader = new SseReader(({ event, data }) => {
        if (event === 'TEXT') size += JSON.parse(data).text.length;
        if (event === 'SESSION_END') reader.over = true;
      });
      for await (const piece of response.setEncoding('latin1')) reader.read(piece);
      assert.ok(reader.over);
      return size / word.length;
    },
  };
}

/** Says all words as fast as the node takes them; counts those that it took. */
async function speak(answer, sent) {
  for (let i = 0; i < tokens; i += 1) {
    if (!answer.say(word)) await once(answer.response, 'drain');
    sent.words += 1;
  }
  answer.end();
}

/** The longest gaps between tokens of a few streams, in milliseconds: p99. */
async function gaps(node, model) {
  const turns = Array.from({ length: 5 }, () => new Turn(node.url, { message: 'go', model }));
  const found = [];
  for (const turn of turns) {
    await turn.ends(60000);
    assert.equal(turn.status, 200, turn.errorText);
    const at = turn.arrivals.filter((_, i) => turn.events[i].type === 'TEXT');
    for (let i = 1; i < at.length; i += 1) found.push(at[i] - at[i - 1]);
  }
  return found.sort((a, b) => a - b)[Math.floor(found.length * 0.99)];
}

test(`${viewers} clients that stop reading ${tokens} tokens through another node`, { timeout }, async (t) => {
  const held = await startHeldModel(t);
  const paced = await startModel(t);
  const { nodes: [forwarder, owner] } = await Cluster.start(t, {
    nodes: 2,
    config: {
      limits: { stalledClientMs: 600000 }, // a slow machine takes long for what is read meanwhile
      models: {
        held: { base_url: `${held.url}/v1`, model: 'held', api_key: 'none' },
        ...models(paced.url, ['paced-50-150']),
      },
    },
  });
  const drained = await run(binary('troupe'), ['cluster', 'drain', forwarder.name, '--config', forwarder.file]);
  assert.equal(drained.code, 0, drained.stderr);
  await until('it drains', async () => (await forwarder.get('/readyz')).status === 503);

  const calm = [await gaps(forwarder, 'paced-50-150'), await gaps(owner, 'paced-50-150')];
  const before = [memory(forwarder), memory(owner)];
  const clients = await Promise.all(Array.from({ length: viewers }, () => stopped(forwarder)));
  await until('all answers are asked for', () => held.answers.length === viewers, 20000);
  const sent = { words: 0 };
  const spoken = held.answers.map((answer) => speak(answer, sent));
  let last = -1;
  await until('the model waits', async () => {
    const is = sent.words;
    if (is === last) return true;
    last = is;
    await pause(500);
    return false;
  }, 120000);
  assert.ok(sent.words < viewers * tokens, 'it waits before its end');
  const busy = [await gaps(forwarder, 'paced-50-150'), await gaps(owner, 'paced-50-150')];
  const more = [memory(forwarder) - before[0], memory(owner) - before[1]];
  t.diagnostic(`the model waits after ${sent.words} of ${viewers * tokens} tokens; forwarder ${more[0].toFixed(1)} MiB more, owner ${more[1].toFixed(1)} MiB`);
  t.diagnostic(`gaps of others, p99: ${calm.map((ms) => ms.toFixed(1))} ms before, ${busy.map((ms) => ms.toFixed(1))} ms beside them (forwarded, own)`);
  if (measures) {
    assert.ok(more[0] <= 16, `the forwarder has ${more[0]} MiB more`);
    assert.ok(more[1] <= 16 + 2 * viewers, `the owner has ${more[1]} MiB more`);
  }
  const counts = await settles('all is read', Promise.all(clients.map((each) => each.whole())), timeout / slowness);
  assert.deepEqual(counts, Array(viewers).fill(tokens));
  await Promise.all(spoken);
});
