// troupe-bench finds the knee of a model whose knee can be calculated.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test from 'node:test';
import { Program, binary, run, sanitizerReport } from '../support/program.mjs';

const skip = !existsSync(binary('troupe-bench')) && 'troupe-bench was not built';
const timeout = 280000;

// A model that serves 100 at once, each for half a second: 51 tokens, 10 ms apart.
const atOnce = 100;
const script = 'paced-100-51';
const seconds = 0.5;
const knee = atOnce / seconds;

async function startModel(t) {
  const args = ['model', '--listen', '127.0.0.1:0', '--max-running', String(atOnce)];
  const program = new Program(binary('troupe'), args);
  t.after(async () => {
    program.signal('SIGTERM');
    await program.exit;
  });
  const [, url] = await program.prints(/listening on (http:\/\/[\d.]+:\d+)/);
  return url;
}

/** Runs a sweep of the model; resolves with the report. Skips the test if it was not valid. */
async function sweep(t, ...args) {
  const url = await startModel(t);
  const target = [url, '--target', 'openai', '--model', script, '--json', '-'];
  const ended = await run(binary('troupe-bench'), [...target, ...args], { milliseconds: 240000 });
  assert.equal(sanitizerReport(ended), undefined);
  const found = JSON.parse(ended.stdout || assert.fail(ended.stderr));
  if (!found.valid) t.skip(`the generator got too little of this machine: ${found.doubts}`);
  return found;
}

function assertNear(report, expected) {
  if (!report.valid) return;
  const { knee: found } = report;
  const isNear = Math.abs(found - expected) <= expected * 0.05;
  assert.ok(isNear, `${found} is not within 5 % of ${expected}`);
}

// Both wait most of the time, so that they run at once.
test('a sweep finds the knee of a model', { timeout, skip, concurrency: true }, async (t) => {
  await Promise.all([
    t.test("the knee of a sweep of rates is the model's own", async (t) => {
      const found = await sweep(t, '--rate', '1', '--sweep', '120:1000', '--sweep-step', '4s');
      assertNear(found, knee);
    }),
    t.test('the knee of a sweep of concurrency is what the model runs at once', async (t) => {
      const found = await sweep(t, '--concurrency', '1', '--sweep', '60:1000', '--sweep-step', '3s');
      assertNear(found, atOnce);
    }),
  ]);
});
