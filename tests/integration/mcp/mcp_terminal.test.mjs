// `troupe mcp call` at a terminal: what a server asks is asked there, and nowhere else.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { followEvents } from '../support/mcp_surfaces.mjs';
import { within } from '../support/patience.mjs';
import { binary } from '../support/program.mjs';
import { configFile, connected, models, startModel, startTroupe } from '../support/servers.mjs';
import { atTerminal } from '../support/terminal.mjs';

const timeout = within(60000);
const asking = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../support/asking_server.mjs', import.meta.url))],
};
const properties = { name: { type: 'string' } };

/** Calls the tool `form` of a server that is started for it, with `more` in its entry. */
function callForm(t, schema, more = {}) {
  const config = configFile(t, { mcpServers: { asking: { ...asking, ...more } } });
  const given = JSON.stringify({ schema: { type: 'object', ...schema } });
  return atTerminal(t, binary('troupe'), ['mcp', 'call', '--config', config, 'asking', 'form', given]);
}

/** Resolves with the ElicitResult that the server got. */
async function got(call) {
  assert.deepEqual(await call.exit, { code: 0, signal: null }, call.stdout);
  return JSON.parse(call.stdout.match(/^\{"action".*$/m)[0]);
}

async function startAsking(t) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['text']), defaultModel: 'text', mcpServers: { asking },
  });
  await connected(troupe, 'asking');
  return troupe;
}

test('a question is asked at the terminal, every time', { timeout }, async (t) => {
  for (let i = 0; i < 3; ++i) {
    const call = callForm(t, { properties });
    await call.type(/'asking' asks [^]*Which box\?[^]*Accept\?/, 'y');
    await call.type(/name[^]*: /, 'Ada');
    assert.deepEqual(await got(call), { action: 'accept', content: { name: 'Ada' } });
  }
});

test('a person can decline', { timeout }, async (t) => {
  const call = callForm(t, { properties });
  await call.type(/Accept\?/, 'n');
  assert.deepEqual(await got(call), { action: 'decline' });
});

test('a question of a running server goes to the terminal of its call alone', { timeout }, async (t) => {
  const troupe = await startAsking(t);
  const others = await followEvents(t, troupe.url, { answers: true });
  const call = atTerminal(t, binary('troupe'),
    ['mcp', 'call', '--server', troupe.url, 'asking', 'form', '{"schema":{"type":"object","properties":{}}}']);
  await call.type(/Accept\?/, 'y');
  assert.equal((await got(call)).action, 'accept');
  assert.deepEqual(others.seen.filter(({ event }) => event === 'clientRequest'), []);
});

test('a model answers what a person lets it answer', { timeout }, async (t) => {
  const troupe = await startAsking(t);
  const call = atTerminal(t, binary('troupe'), ['mcp', 'call', '--server', troupe.url, 'asking', 'sample']);
  await call.type(/sampling\/createMessage[^]*Say hello[^]*Accept\?/, 'y');
  assert.deepEqual(await call.exit, { code: 0, signal: null }, call.stdout);
  assert.match(call.stdout, /"role":"assistant"/);
});

const box = {
  properties: {
    size: { type: 'integer', title: 'Size', description: 'In boxes.', minimum: 1 },
    color: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g', title: 'Green' }] },
    lid: { type: 'boolean', default: true },
    marks: { type: 'array', items: { type: 'string', enum: ['up', 'heavy'] } },
    note: { type: 'string' },
  },
  required: ['size', 'color'],
};

test('a form is asked field by field, with what is known of each', { timeout }, async (t) => {
  const call = callForm(t, box);
  await call.type(/Accept\?/, 'y');
  await call.type(/Size: In boxes\.\r\nsize \(integer, required\): /, '2');
  await call.type(/ {2}r \(Red\)\r\n {2}g \(Green\)\r\ncolor \(string, required\): /, 'g');
  await call.type(/lid \(y or n\) \[true\]: /, '');
  await call.type(/ {2}up\r\n {2}heavy\r\nmarks \(list as JSON[^]*\): /, '["heavy"]');
  await call.type(/note \(string\): /, '');
  const content = { size: 2, color: 'g', lid: true, marks: ['heavy'] };
  assert.deepEqual(await got(call), { action: 'accept', content });
});

test('a value that does not fit is asked for again', { timeout }, async (t) => {
  const call = callForm(t, box);
  await call.type(/Accept\?/, 'y');
  await call.type(/size [^]*: /, 'many');
  await call.type(/size: type a number[^]*size \(/, '0');
  await call.type(/size: the value must be at least 1[^]*size \(/, '');
  await call.type(/size: it is required[^]*size \(/, '1');
  await call.type(/color \(/, 'blue');
  await call.type(/color: the value matches nothing of its oneOf[^]*color \(/, 'r');
  await call.type(/lid \(/, 'perhaps');
  await call.type(/lid: type y or n[^]*lid \(/, 'n');
  await call.type(/marks \(/, '[up]');
  await call.type(/marks: type JSON[^]*marks \(/, '');
  await call.type(/note \(/, 'x "y"');
  assert.deepEqual((await got(call)).content, { size: 1, color: 'r', lid: false, note: 'x "y"' });
});

test('a form that the server refuses is asked for again, and can be left', { timeout }, async (t) => {
  const call = callForm(t, { properties: { a: { type: 'string' }, b: { type: 'string' } }, minProperties: 1 });
  await call.type(/Accept\?/, 'y');
  await call.type(/a \(/, '');
  await call.type(/b \(/, '');
  await call.shows(/troupe: [^]*a \(string\): /);
  call.child.stdin.write('\u0004');
  assert.deepEqual(await got(call), { action: 'decline' });
});

test('a question that nobody answers in time is declined, and the person told', { timeout }, async (t) => {
  const call = callForm(t, { properties }, { askTimeoutMs: within(1000) });
  await call.shows(/Accept\?[^]*The question is over/);
  assert.deepEqual(await got(call), { action: 'decline' });
});
