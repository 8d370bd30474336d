// How flat the cost of a turn is: `concurrency` over sessions at once of the same speed each, `rate`
// over sessions at once of the same speed together, `history` over messages in a chat, in the AI
// SDK's form, which sends them all, and the native one, which sends the new one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bin, end, launch, startTroupe } from './store_program.mjs';

const streams = (process.env.BENCH_STREAMS ?? '10,100,1000,5000').split(',').map(Number);
const lengths = (process.env.BENCH_MESSAGES ?? '1,10,100,1000').split(',').map(Number);
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const rate = Number(process.env.BENCH_RATE ?? 500); // turns of 50 tokens a second
const tokens = 50;
const out = path.resolve(process.env.BENCH_OUT ?? 'build/flat');
const tolerance = 0.2;

const work = mkdtempSync(path.join(tmpdir(), 'troupe-flat-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit(1));
mkdirSync(out, { recursive: true });

/** The script whose turns last so long that `count` run at once when `rate` begin in a second. */
const pacedFor = (count) => `paced-${Math.max(1, Math.round(rate * tokens / count))}`;

/** Starts a model and a server with its defaults. */
async function start() {
  const model = await startTroupe(['model', '--listen', '127.0.0.1:0', '--shards', '2']);
  const config = path.join(work, 'troupe.json');
  const names = ['text', 'paced', ...streams.map(pacedFor)];
  const scripts = names.map((s) => [s, { base_url: `${model.url}/v1`, model: s }]);
  writeFileSync(config, JSON.stringify({
    listen: '127.0.0.1:0', models: Object.fromEntries(scripts), logs: { level: 'warning' },
  }));
  const data = path.join(work, 'data');
  return { model, server: await startTroupe(['serve', '--config', config, '--data', data]) };
}

/** Runs troupe-bench; resolves with the runs of its report, whose page is kept as NAME.html. */
async function bench(name, args) {
  const report = path.join(work, `${name}.json`);
  const child = launch(path.join(bin, 'troupe-bench'), [...args, '--quiet', '--keep-chats', '--json', report,
    '--html', path.join(out, `${name}.html`)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  if (code !== 0 && code !== 4) throw new Error(`troupe-bench ended with ${code}`);
  const { runs, doubts } = JSON.parse(readFileSync(report, 'utf8'));
  for (const why of doubts) console.log(`In doubt: ${why}`);
  for (const { name: step, failures } of runs)
    if (Object.keys(failures).length) throw new Error(`${step}: ${JSON.stringify(failures)}`);
  return runs;
}

const us = (ns) => `${(ns / 1000).toFixed(2)} us`;

/** A ratio, and whether it is flat. */
function judged(ratio) {
  const off = ratio > 1 + tolerance ? ' **above**' : ratio < 1 - tolerance ? ' below' : '';
  return `${ratio.toFixed(2)}${off}`;
}

async function overConcurrency() {
  const { model, server } = await start();
  const runs = await bench('concurrency', [server.url, '--model', 'paced', '--concurrency', '1',
    '--steps', streams.join(), '--warm-up', '10s', '--drain', '15s', '--sweep-step',
    `${seconds}s`]);
  console.log(`\nTurns of ${tokens} tokens at 5 tokens a second, ${seconds} s per row:\n`);
  console.log('| sessions at once | CPU per turn | to the first | CPU per token | to the first | ' +
    'first text, p99 | memory |');
  console.log('|---|---|---|---|---|---|---|');
  const [first] = runs;
  for (const run of runs)
    console.log(`| ${run.load} | ${us(run.cpu_per_turn_ns)} | ` +
      `${judged(run.cpu_per_turn_ns / first.cpu_per_turn_ns)} | ${us(run.cpu_per_token_ns)} | ` +
      `${judged(run.cpu_per_token_ns / first.cpu_per_token_ns)} | ` +
      `${us(run.times.first_text?.p99_ns ?? 0)} | ` +
      `${(run.watched.rss_most_bytes / 1048576).toFixed(0)} MiB |`);
  await end(server.child);
  await end(model.child);
}

async function overRate() {
  const { model, server } = await start();
  const least = streams.find((count) => count >= 100) ?? streams[0]; // fewer have tokens in pairs
  console.log(`\n${rate} turns of ${tokens} tokens a second in each row, ${seconds / 2} s:\n`);
  console.log('| sessions at once | tokens a second of each | CPU per turn | CPU per token | ' +
    `to ${least} sessions |`);
  console.log('|---|---|---|---|---|');
  const rows = [];
  for (const count of streams) {
    const [run] = await bench(`rate-${count}`, [server.url, '--model', pacedFor(count), '--rate',
      `${rate}`, '--warm-up', `${Math.ceil(count / rate) + 3}s`, '--duration', `${seconds / 2}s`]);
    rows.push([count, run]);
  }
  const [, base] = rows.find(([count]) => count === least);
  for (const [count, run] of rows)
    console.log(`| ${count} | ${pacedFor(count).slice(6)} | ${us(run.cpu_per_turn_ns)} | ` +
      `${us(run.cpu_per_token_ns)} | ${judged(run.cpu_per_turn_ns / base.cpu_per_turn_ns)} |`);
  await end(server.child);
  await end(model.child);
}

/** Least squares of ys over xs: {at: the line}. */
function lineThrough(points) {
  const mean = [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);
  let [xx, xy] = [0, 0];
  for (const [x, y] of points) {
    xx += (x - mean[0]) ** 2;
    xy += (x - mean[0]) * (y - mean[1]);
  }
  return (x) => mean[1] + (xx > 0 ? xy / xx : 0) * (x - mean[0]);
}

/** Looks at what the model is asked while `work` goes on; resolves with bytes by length, too. */
async function requestSizes(model, work) {
  const points = [];
  let busy = true;
  const looking = (async () => {
    while (busy) {
      const seen = await (await fetch(`${model.url}/requests`)).json();
      for (const { body } of seen.slice(-4))
        points.push([body.messages.length, JSON.stringify(body).length]);
      await pause(2000);
    }
  })();
  const runs = await work();
  busy = false;
  await looking;
  return { runs, bytesOf: lineThrough(points) };
}

async function overHistory(target) {
  const { model, server } = await start();
  const { runs, bytesOf } = await requestSizes(model, () => bench(`history-${target}`, [server.url,
    '--target', target, '--model', 'text', '--concurrency', '200', '--think', '1s',
    '--session-turns', '1000', '--history', lengths.map((n) => n - 1).join(), '--warm-up', '6s',
    '--sweep-step', `${seconds / 2}s`]));
  const [first, last] = [runs[0], runs.at(-1)];
  const perByte = (last.cpu_per_turn_ns - first.cpu_per_turn_ns) /
    (bytesOf(last.load) - bytesOf(first.load));
  console.log(`\nOver ${target}, 200 sessions, instant turns of 50 tokens, ${seconds / 2} s per ` +
    `row; a byte of the model's request costs ${perByte.toFixed(2)} ns:\n`);
  console.log('| messages in the chat at first | request to the model | CPU per turn | ' +
    'without its size | to the first | bytes read per turn |');
  console.log('|---|---|---|---|---|---|');
  for (const run of runs) {
    const bytes = bytesOf(run.load);
    const rest = run.cpu_per_turn_ns - perByte * (bytes - bytesOf(first.load));
    console.log(`| ${run.load} | ${(bytes / 1024).toFixed(1)} KiB | ${us(run.cpu_per_turn_ns)} | ` +
      `${us(rest)} | ${judged(rest / first.cpu_per_turn_ns)} | ` +
      `${(run.bytes / run.ended_within).toFixed(0)} |`);
  }
  await end(server.child);
  await end(model.child);
  rmSync(path.join(work, 'data'), { recursive: true });
}

if (process.argv[2] === 'history') {
  await overHistory('troupe');
  await overHistory('native');
} else if (process.argv[2] === 'rate') {
  await overRate();
} else {
  await overConcurrency();
}
console.log(`\nPlots: ${out}`);
process.exit(0);
