// A thousand paced turns at once on one server, with readers that stop for ten seconds.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { measures, slowness } from '../support/patience.mjs';
import { residentKiB } from '../support/processes.mjs';
import { models, startModel, startTroupe } from '../support/servers.mjs';
import { Turn, assertWellFormed, takeTurn } from '../support/turns.mjs';

const turnsAtOnce = slowness > 1 ? 200 : 1000;
const tokens = 80;
const perSecond = 5;
const gapMs = 1000 / perSecond;
const stopMs = 10000;
const script = `paced-${perSecond}-${tokens}`;

/** Returns the p-th percentile of `values`. */
function percentile(values, p) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];
}

/** The gaps in milliseconds between arrivals of text that end between `from` and `to`. */
function gaps(turns, from, to) {
  return turns.flatMap(({ arrivals }) =>
    arrivals.slice(1).map((at, i) => [at, at - arrivals[i]]))
    .filter(([at]) => at >= from && at < to)
    .map(([, gap]) => gap);
}

/** Stops reading this turn's socket for `stopMs`; the time itself is what is tested. */
async function stopReading(turn) {
  await turn.started;
  turn.response.socket.pause();
  await pause(stopMs);
  turn.response.socket.resume();
}

test(`${turnsAtOnce} paced turns complete in order beside readers that stop`, {
  timeout: 90000 * slowness,
}, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url, ['text', 'long', script]) });
  await takeTurn(troupe.url, { message: 'warm up', model: 'text' });
  const idle = residentKiB(troupe.program.pid);
  const agent = new http.Agent({ keepAlive: false, maxSockets: Infinity });
  const begin = (name) => new Turn(troupe.url, { message: 'go', model: name }, { agent });

  const turns = Array.from({ length: turnsAtOnce }, () => begin(script));
  await Promise.all(turns.map((turn) => turn.sees('TEXT', 30000)));
  const all = performance.now();
  let peak = 0;
  const sampler = setInterval(() => (peak = Math.max(peak, residentKiB(troupe.program.pid))), 200);
  const flooded = begin('long');
  const stopped = turns[0];
  await Promise.all([stopReading(stopped), stopReading(flooded)]);
  const resumed = performance.now();
  await Promise.all([...turns, flooded].map((turn) => turn.ends(60000)));
  clearInterval(sampler);

  for (const turn of [...turns, flooded]) {
    assert.equal(turn.status, 200, turn.errorText);
    assertWellFormed(turn.events);
    assert.equal(turn.events.at(-1).type, 'SESSION_END');
    assert.equal(turn.events.at(-1).finishReason, 'stop');
  }
  const texts = new Set(turns.map((turn) => turn.text()));
  assert.equal(texts.size, 1, 'every turn has the same text, the stopped one too');

  const others = gaps(turns.slice(1), all, resumed);
  const [p50, p99] = [percentile(others, 50), percentile(others, 99)];
  const perTurn = (peak - idle) / turnsAtOnce;
  t.diagnostic(`gaps while two readers stood still: p50 ${p50.toFixed(0)} ms, ` +
    `p99 ${p99.toFixed(0)} ms, max ${percentile(others, 100).toFixed(0)} ms; ` +
    `memory per turn ${perTurn.toFixed(1)} KiB`);
  assert.ok(others.length > turnsAtOnce * 20, `enough gaps were seen: ${others.length}`);
  if (!measures) return;
  assert.ok(p50 < gapMs * 1.5, `p50 of the gaps is ${p50} ms`);
  assert.ok(p99 < gapMs * 4, `p99 of the gaps is ${p99} ms`);
  assert.ok(perTurn < 80, `${perTurn} KiB per open turn`);
});
