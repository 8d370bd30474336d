// Clients that only take memory: none of them brings the server down, nor keeps others from it.
// TROUPE_PEERS=9500 TROUPE_TURNS=200 measures what that many of each sort cost the turns of others.
import assert from 'node:assert/strict';
import test from 'node:test';
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { closePeers, openPeers, sorts } from '../support/idle_peers.mjs';
import { until } from '../support/patience.mjs';
import { cpuSeconds, residentKiB } from '../support/processes.mjs';
import { binary } from '../support/program.mjs';
import { parseMetrics } from '../support/prometheus.mjs';
import { folder, startTroupe } from '../support/servers.mjs';
import { newSession } from '../support/turns.mjs';

const count = Number(process.env.TROUPE_PEERS ?? 300);
const turns = Number(process.env.TROUPE_TURNS ?? 1);
const budget = 16 * 1024 * 1024;
const sanitized = process.env.TROUPE_SANITIZED === '1';
const options = { timeout: 600000 };

async function start(t, keys) {
  const data = folder(t);
  const key = keys
    ? execFileSync(binary('troupe'), ['keys', 'create', '--owner', 'a', '--admin', '--data', data],
      { encoding: 'utf8' }).trim()
    : '';
  const troupe = await startTroupe(t, {
    data,
    auth: { keys },
    defaultModel: 'demo',
    limits: { maxBufferedBytes: budget, maxConnections: count + 50 },
  });
  return { ...troupe, key };
}

const headersOf = (key) => (key ? { authorization: `Bearer ${key}` } : {});

async function figures({ url, key }, name) {
  const answer = await fetch(`${url}/metrics`, { headers: headersOf(key) });
  return parseMetrics(await answer.text()).value(name);
}

/** Keeps a chat whose history is larger than what sockets hold. */
async function keepLargeChat({ url, key }) {
  const text = 'x'.repeat(4 * 1024 * 1024);
  const answer = await fetch(`${url}/v1/conversations/import?id=large`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(key) },
    body: JSON.stringify({
      format: 'troupe.conversation',
      version: 1,
      messages: [{ message: { role: 'user', text } }],
    }),
  });
  assert.equal(answer.status, 201, await answer.text());
}

/** A turn of somebody else, on a connection of its own. */
async function takeTurn({ url, key }) {
  const answer = await fetch(`${url}/v1/sessions/${newSession()}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headersOf(key) },
    body: JSON.stringify({ message: 'hi' }),
  });
  const text = await answer.text();
  assert.match(text, /SESSION_END/);
}

/** Takes turns one after the other; returns the median and the 99th percentile in milliseconds. */
async function turnTimes(troupe) {
  const times = [];
  for (let i = 0; i < turns; ++i) {
    const began = performance.now();
    await takeTurn(troupe);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor((times.length - 1) * share)].toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

/** Whether the server takes less than half a core. */
async function rests({ program: { pid } }) {
  const before = cpuSeconds(pid);
  const begun = performance.now();
  await pause(300);
  return cpuSeconds(pid) - before < (performance.now() - begun) / 1000 / 2;
}

for (const keys of [false, true])
  test(`clients that do nothing take bounded memory ${keys ? 'with' : 'without'} keys`, options, async (t) => {
    const troupe = await start(t, keys);
    await takeTurn(troupe);
    await keepLargeChat(troupe);
    t.diagnostic(`without them: ${await turnTimes(troupe)}`);
    for (const sort of Object.keys(sorts)) {
      const before = residentKiB(troupe.program.pid);
      const peers = await openPeers(troupe.url, sort, count, sort.length % 2 ? troupe.key : '');
      await until('what they asked for is answered', () => rests(troupe), 60000);
      const times = await turnTimes(troupe);
      const buffered = await figures(troupe, 'troupe_http_buffered_bytes');
      assert.ok(buffered <= budget, `${sort}: ${buffered} bytes are kept`);
      const grown = residentKiB(troupe.program.pid) - before;
      t.diagnostic(`${sort}: ${times}; ${grown} KiB more`);
      if (!sanitized)
        assert.ok(grown < (budget * 2) / 1024 + count * 8 + 96 * 1024, `${sort}: ${grown} KiB more`);
      closePeers(peers);
      await until(`${sort}: all is given back`, async () =>
        (await figures(troupe, 'troupe_http_buffered_bytes')) === 0 &&
        (await figures(troupe, 'troupe_http_connections')) <= 20, 60000);
    }
  });
