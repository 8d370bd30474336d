// A soak: rounds of mixed load on one server, each followed by a rest, in which all has to be gone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { soakConfig, startMoody, users } from './soak_mix.mjs';
import { slopeOf, watched } from './soak_samples.mjs';
import { bin, end, launch, startTroupe } from './store_program.mjs';

const goal = Number(process.env.BENCH_TOKENS ?? 20e6);
const isLong = goal >= 2e6;
const perSecond = Number(process.env.BENCH_TOKENS_PER_SECOND ?? (isLong ? 30000 : 15000));
const rounds = Number(process.env.BENCH_ROUNDS ?? (isLong ? 8 : 2));
const seconds = Math.ceil(goal / perSecond / rounds); // of load in each round
const crashEveryMs = 3000;
const restLimitMs = 60000;
const mostMiBPerHour = 1;
const tokensOfAnHour = 20; // millions
const settled = { forMs: 5000, byMiB: 0.1, limitMs: 40000 };
const judgedFrom = 300; // seconds of load: what a process grows to at first is no leak

const work = mkdtempSync(path.join(tmpdir(), 'troupe-soak-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit(1));
const data = path.join(work, 'data');

const models = await startTroupe(['model', '--listen', '127.0.0.1:0', '--shards', '1']);
const moody = await startMoody(models.url);
const config = path.join(work, 'troupe.json');
writeFileSync(config, JSON.stringify(soakConfig(bin, models.url, moody.url)));
const server = await startTroupe(['serve', '--config', config, '--data', data]);
const ports = [models, moody].map(({ url }) => Number(new URL(url).port));
const watch = watched(server, data, ports);
let ending = false;
server.child.on('exit', (code, signal) => {
  if (ending) return;
  console.log(`The server ended by itself: ${signal ?? `exit code ${code}`}.`);
  process.exit(1);
});

/** One user's load; resolves with the run of its report. */
async function load({ name, rate, args }, round) {
  const report = path.join(work, `${round}-${name}.json`.replaceAll(' ', '-'));
  const scaled = (rate * perSecond) / 30000;
  const child = launch(path.join(bin, 'troupe-bench'), [server.url, ...args, '--keep-chats', '--poisson',
    String(scaled), '--duration', `${seconds}s`, '--drain', '25s', '--seed', String(round + 1),
    '--quiet', '--json', report], { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  if (code !== 0 && code !== 4) throw new Error(`troupe-bench for ${name} ended with ${code}`);
  return JSON.parse(readFileSync(report, 'utf8')).runs[0];
}

/** Lets an MCP server crash now and then while `busy()`; resolves with how often. */
async function crash(busy) {
  let crashes = 0;
  while (busy()) {
    const answer = await fetch(`${server.url}/v1/mcp/tools/call`, { method: 'POST',
      body: JSON.stringify({ server: 'shaky', tool: 'crash', arguments: {} }) });
    const { error } = await answer.json();
    if (['server_lost', 'outcome_unknown'].includes(error?.code)) crashes += 1;
    await pause(crashEveryMs);
  }
  return crashes;
}

const isAtRest = ({ sessions, turns, flows, children }) =>
  sessions === 0 && turns === 0 && flows === 0 && children === before.children;

/** Waits until nothing is left; resolves with the last look either way. */
async function rest() {
  const begun = performance.now();
  let now = await watch.look();
  while (!isAtRest(now) && performance.now() - begun < restLimitMs) {
    await pause(500);
    now = await watch.look();
  }
  await pause(1500); // what comes after the last turns, as the store's log
  return isLong ? settle() : watch.look();
}

/** Waits until memory falls no more: the allocator gives back what is free within ten seconds. */
async function settle() {
  const begun = performance.now();
  let [least, at] = [Infinity, begun];
  let now = await watch.look();
  while (performance.now() - at < settled.forMs && performance.now() - begun < settled.limitMs) {
    if (now.rss < least - settled.byMiB) [least, at] = [now.rss, performance.now()];
    await pause(500);
    now = await watch.look();
  }
  return now;
}

/** One round: {samples, runs, crashes, resting}. */
async function play(round) {
  let busy = true;
  const samples = [];
  const crashing = crash(() => busy);
  const sampling = (async () => {
    while (busy) {
      samples.push(await watch.look());
      await pause(1000);
    }
  })();
  const runs = await Promise.all(users.map((each) => load(each, round)));
  busy = false;
  await sampling;
  const crashes = await crashing;
  return { samples, runs, crashes, resting: await rest() };
}

const sum = (values) => values.reduce((all, each) => all + each, 0);
const tokensOf = ({ runs }) => sum(runs.map(({ tokens }) => tokens));
const fixed = (value, digits = 2) => value.toFixed(digits);

function printUsers(all) {
  console.log('| user | turns | ended well | cancelled | failed | cut off | tokens | failures |');
  console.log('|---|---|---|---|---|---|---|---|');
  users.forEach(({ name }, index) => {
    const runs = all.map((round) => round.runs[index]);
    const of = (key) => sum(runs.map((run) => run[key]));
    const failures = {};
    for (const [code, n] of runs.flatMap((run) => Object.entries(run.failures)))
      failures[code] = (failures[code] ?? 0) + n;
    const text = Object.entries(failures).map(([code, n]) => `${n} ${code}`).join(', ');
    console.log(`| ${name} | ${of('started')} | ${of('ended')} | ${of('cancelled')} | ` +
      `${of('failed')} | ${of('cut_off')} | ${of('tokens')} | ${text} |`);
  });
}

function printRests(all) {
  console.log('\n| at rest after | tokens | memory | descriptors | HTTP client | threads | ' +
    'children | sessions | turns | MCP calls | log of the store | database |');
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|');
  let tokens = 0;
  const row = (title, at) => console.log(`| ${title} | ${fixed(tokens / 1e6)}M | ` +
    `${fixed(at.rss)} MiB | ${at.descriptors} | ${at.kept} | ${at.threads} | ${at.children} | ` +
    `${at.sessions} | ${at.turns} | ${at.flows} | ${fixed(at.wal, 1)} MiB | ` +
    `${fixed(at.database, 0)} MiB |`);
  row('a turn of each kind', before);
  all.forEach((round, index) => {
    tokens += tokensOf(round);
    row(`round ${index + 1}`, round.resting);
  });
}

const most = (all, key) => Math.max(...all.flatMap(({ samples }) => samples.map((at) => at[key])));

/** Of memory at rest over hours' worths of tokens; what the first round grows to is no leak. */
function slopeAtRest(all) {
  let tokens = 0;
  const points = all.map((round) => {
    tokens += tokensOf(round);
    return [tokens / 1e6 / tokensOfAnHour, round.resting.rss];
  });
  return slopeOf(points.slice(1));
}

/** Under load: time runs only while there is load, and the first half is warm-up. */
function printSlopes(all) {
  const points = [];
  let passed = 0;
  for (const { samples } of all) {
    for (const each of samples) points.push([passed + each.at - samples[0].at, each.rss]);
    passed += samples.at(-1).at - samples[0].at + 1;
  }
  const loaded = slopeOf(points.filter(([at]) => at >= passed / 2));
  const rested = slopeAtRest(all);
  const millions = sum(all.map(tokensOf)) / 1e6;
  const perMillion = passed / millions; // seconds
  console.log(`\nMemory under load, second half of ${fixed(passed, 0)} s: ` +
    `${fixed(loaded.slope * 3600)} (+-${fixed(loaded.error * 3600)}) MiB/h, ` +
    `${fixed(loaded.slope * perMillion, 3)} (+-${fixed(loaded.error * perMillion, 3)}) MiB per ` +
    `million tokens; at most ${fixed(most(all, 'rss'))} MiB. At rest, from the second round on: ` +
    `${fixed(rested.slope)} (+-${fixed(rested.error)}) MiB per ${tokensOfAnHour} million tokens.`);
  console.log(`At most ${most(all, 'sessions')} chats in memory, ${most(all, 'turns')} turns, ` +
    `${most(all, 'flows')} MCP calls, ${most(all, 'descriptors')} descriptors; log of the store ` +
    `${fixed(most(all, 'wal'), 1)} MiB.`);
  if (passed < judgedFrom) {
    console.log('The run is too short to judge its memory.');
    return true;
  }
  if (rested.error === Infinity) console.log('Too few rounds to judge memory at rest.');
  return (loaded.slope - loaded.error) * 3600 <= mostMiBPerHour &&
    rested.slope - rested.error <= mostMiBPerHour;
}

/** Says what is wrong, in a line each; returns whether nothing is. */
function judge(all, flat) {
  const wrong = [];
  const last = all.at(-1).resting;
  for (const key of ['sessions', 'turns', 'flows'])
    if (last[key] !== 0) wrong.push(`${last[key]} ${key} are left.`);
  for (const key of ['children', 'threads'])
    if (last[key] > before[key]) wrong.push(`${last[key] - before[key]} more ${key} than before.`);
  const open = last.descriptors - last.kept - (before.descriptors - before.kept);
  if (open > 0)
    wrong.push(`${open} more descriptors than before, those of the HTTP client apart: ` +
      `${JSON.stringify(before.others)}, now ${JSON.stringify(last.others)}.`);
  users.forEach(({ name, mayFail }, index) => {
    const failed = sum(all.map(({ runs }) => runs[index].failed));
    if (failed > 0 && !mayFail) wrong.push(`${failed} turns of "${name}" failed.`);
  });
  if (!flat)
    wrong.push(`Memory grows by more than ${mostMiBPerHour} MiB in an hour under load, or in ` +
      `${tokensOfAnHour} million tokens at rest.`);
  console.log(wrong.length === 0 ? '\nNothing is left.' : `\n${wrong.join('\n')}`);
  return wrong.length === 0;
}

let before = { children: 2 };
await Promise.all(users.map(({ args }) => new Promise((done) => {
  launch(path.join(bin, 'troupe-bench'), [server.url, ...args, '--keep-chats', '--turns', '3', '--concurrency', '3',
    '--session-turns', '1', '--cancel', '0', '--quiet']).on('exit', done);
})));
before = await rest();
const all = [];
for (let round = 0; round < rounds; round += 1) all.push(await play(round));

console.log(`${rounds} rounds of ${seconds} s; ${fixed(sum(all.map(tokensOf)) / 1e6)} million ` +
  `tokens, ${all.at(-1).resting.all} turns; ${sum(all.map(({ crashes }) => crashes))} crashes of ` +
  `an MCP server; what the model of many moods did: ${JSON.stringify(moody.asked)}\n`);
printUsers(all);
printRests(all);
const right = judge(all, printSlopes(all));
ending = true;
await end(server.child);
await end(models.child);
moody.close();
process.exit(right ? 0 : 1);
