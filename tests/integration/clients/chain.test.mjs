// Tool calls that run through two real MCP servers in one turn.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../support/fake_model.mjs';
import {
  connected, demoServer, everythingOverHttp, everythingOverStdio, models, startModel, startTroupe,
} from '../support/servers.mjs';
import { takeTurn } from '../support/turns.mjs';

const timeout = 120000;

const toolNames = (request) => (request.tools ?? []).map((tool) => tool.function.name);

/** Calls the first `echo` and then the last `get-sum`: of two servers, one on each. */
function echoThenSum(request) {
  const results = request.messages.filter((message) => message.role === 'tool');
  const names = toolNames(request);
  if (results.length === 0) {
    const name = names.find((one) => one.endsWith('echo'));
    return { calls: [{ name, arguments: { message: 'over stdio' } }] };
  }
  if (results.length === 1) {
    const name = names.findLast((one) => one.endsWith('get-sum'));
    return { calls: [{ name, arguments: { a: 17, b: 25 } }] };
  }
  return { text: `both ran: ${results.length}` };
}

test('a chain of two calls runs through a stdio and an HTTP server', { timeout }, async (t) => {
  const model = await startFakeModel(t, echoThenSum);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['chained']),
    defaultModel: 'chained',
    mcpServers: { local: everythingOverStdio(), remote: await everythingOverHttp(t) },
  });
  await connected(troupe, 'local');
  await connected(troupe, 'remote');

  const turn = await takeTurn(troupe.url, { message: 'chain, please' });

  const done = turn.of('MCP_TOOL_SUCCESS');
  assert.deepEqual(done.map((event) => event.server), ['local', 'remote'], 'one call on each');
  assert.match(done[0].text, /over stdio/);
  assert.match(done[1].text, /42/);
  assert.equal(turn.text(), 'both ran: 2');
  assert.equal(turn.of('MODEL_RESPONSE_WAITING').length, 3, 'one per model request');

  const last = model.requests.at(-1).messages;
  const calls = last.flatMap((message) => message.tool_calls ?? []);
  const results = last.filter((message) => message.role === 'tool');
  assert.equal(calls.length, 2, 'the last request carries both calls');
  assert.deepEqual(results.map((one) => one.tool_call_id), calls.map((call) => call.id));
  assert.match(results[0].content, /over stdio/);
  assert.match(results[1].content, /42/);
  assert.deepEqual(
    last.map((message) => message.role),
    ['user', 'assistant', 'tool', 'assistant', 'tool'],
  );
});

test('the tool list is the same bytes in every request of a chat', { timeout }, async (t) => {
  const model = await startFakeModel(t, echoThenSum);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['chained']),
    defaultModel: 'chained',
    mcpServers: { local: everythingOverStdio(), demo: demoServer() },
  });
  await connected(troupe, 'local');
  await connected(troupe, 'demo');

  await takeTurn(troupe.url, { message: 'once' }, { session: 'same-chat' });
  await takeTurn(troupe.url, { message: 'twice' }, { session: 'same-chat' });

  const lists = model.requests.map((request) => JSON.stringify(request.tools));
  assert.ok(lists.length >= 4);
  assert.equal(new Set(lists).size, 1);
  const names = toolNames(model.requests[0]);
  assert.equal(new Set(names).size, names.length, 'no name twice');
  assert.ok(names.includes('echo'), 'the first server in the configuration keeps the plain name');
  names.forEach((name) => assert.match(name, /^[A-Za-z0-9_-]{1,64}$/));
});

test('parallel calls give their results to the model in call order', { timeout }, async (t) => {
  const model = await startFakeModel(t, (request) => {
    const last = request.messages.at(-1);
    if (last.role === 'tool') return { text: 'thanks' };
    return {
      calls: [
        { name: 'sleep', arguments: { milliseconds: 1500 } },
        { name: 'echo', arguments: { message: 'quick' } },
      ],
    };
  });
  const troupe = await startTroupe(t, {
    models: models(model.url, ['parallel']),
    defaultModel: 'parallel',
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');

  const turn = await takeTurn(troupe.url, { message: 'both at once' });

  const finished = turn.of('MCP_TOOL_SUCCESS').map((event) => event.toolName);
  assert.deepEqual(finished, ['echo', 'sleep'], 'the quick call did not wait for the slow one');
  const called = turn.of('TOOL_ARGS_COMPLETE').map((event) => event.toolCallId);
  const results = model.requests[1].messages.filter((message) => message.role === 'tool');
  assert.deepEqual(called.length, 2);
  assert.deepEqual(turn.of('TOOL_ARGS_COMPLETE').map((event) => event.toolName), ['sleep', 'echo']);
  assert.match(results[1].content, /quick/);
  assert.equal(results.length, 2);
});

test('a second turn sees the first one in its history', { timeout }, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url), defaultModel: 'text' });
  await takeTurn(troupe.url, { message: 'first words' }, { session: 'history' });
  await takeTurn(troupe.url, { message: 'second words' }, { session: 'history' });

  const [, second] = await model.requests();
  assert.deepEqual(
    second.body.messages.map((message) => message.role),
    ['user', 'assistant', 'user'],
  );
  assert.equal(second.body.messages[2].content, 'second words');
});

test('with no roundtrips the client gets the call and runs it itself', { timeout }, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url),
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');

  const body = { message: 'call', model: 'call', maxToolRoundtrips: 0 };
  const turn = await takeTurn(troupe.url, body);

  assert.equal(turn.of('TOOL_ARGS_COMPLETE').length, 1);
  assert.equal(turn.of('MCP_TOOL_START').length, 0);
  assert.equal(turn.events.at(-1).finishReason, 'tool-calls');
});

test('a model that never stops calling is stopped by the limit', { timeout }, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url),
    mcpServers: { demo: demoServer() },
    limits: { maxToolRoundtrips: 3 },
  });
  await connected(troupe, 'demo');

  const turn = await takeTurn(troupe.url, { message: 'loop', model: 'loop' });

  assert.equal(turn.of('MCP_TOOL_SUCCESS').length, 3);
  assert.equal(turn.events.at(-1).type, 'SESSION_END');
});
