// The client scenarios of @modelcontextprotocol/conformance that are scored for 2025-11-25, but for
// OAuth, and the one about schemas. A client that does nothing "passes" some of them, so each must
// also report as many successes as it did when it was written.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { within } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { folder } from '../support/servers.mjs';

const suite = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const revision = '2025-11-25';
const conformance = (...args) => run(process.execPath, [suite, ...args], { milliseconds: 90000 });

/** Scenario, and how many checks must be SUCCESS. */
const expected = [
  ['initialize', 1],
  ['tools_call', 2],
  ['elicitation-sep1034-client-defaults', 5],
  ['sse-retry', 3],
  ['json-schema-2020-12-preservation', 9],
];

/** Runs one scenario; resolves with its exit code, its output and its checks. */
async function judge(t, scenario) {
  const results = folder(t);
  const ended = await conformance(
    'client', '--command', binary('troupe-conformance'), '--scenario', scenario,
    '--spec-version', revision, '--timeout', String(within(30000)), '-o', results,
  );
  const [made] = readdirSync(results);
  const file = (name) => readFileSync(path.join(results, made, name), 'utf8');
  return { ...ended, checks: JSON.parse(file('checks.json')), errors: file('stderr.txt') };
}

for (const [scenario, successes] of expected) {
  test(`the client passes ${scenario}`, { timeout: within(120000) }, async (t) => {
    const { code, stdout, checks, errors } = await judge(t, scenario);
    const count = (status) => checks.filter((check) => check.status === status);
    assert.deepEqual(count('FAILURE'), [], `${stdout}\n${errors}`);
    assert.deepEqual(count('WARNING'), []);
    assert.ok(count('SUCCESS').length >= successes, JSON.stringify(checks, null, 1));
    assert.equal(code, 0, stdout);
    assert.doesNotMatch(errors, /Sanitizer|runtime error/);
  });
}

test('no scored scenario without OAuth is left out', { timeout: 60000 }, async () => {
  const { stdout } = await conformance('list', '--client', '--requirements', revision);
  const scored = stdout
    .split('Client scenarios')[1]
    .split('Run and reported')[0]
    .match(/^ {2}- (\S+)$/gm)
    .map((line) => line.slice(4));
  const ours = expected.map(([name]) => name);
  const missing = scored.filter((name) => !name.startsWith('auth/') && !ours.includes(name));
  assert.deepEqual(missing, []);
});
