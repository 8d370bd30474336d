// `troupe mcp call` at a terminal: what a server asks is asked there, and nowhere else.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { followEvents } from './support/mcp_surfaces.mjs';
import { within } from './support/patience.mjs';
import { binary } from './support/program.mjs';
import { configFile, connected, models, startModel, startTroupe } from './support/servers.mjs';
import { atTerminal } from './support/terminal.mjs';

const timeout = within(60000);
const asking = {
  command: process.execPath,
  args: [fileURLToPath(new URL('support/asking_server.mjs', import.meta.url))],
};
const properties = { name: { type: 'string' } };

/** Calls the tool `form` of a server that is started for it. */
function callForm(t, schema) {
  const config = configFile(t, { mcpServers: { asking } });
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
