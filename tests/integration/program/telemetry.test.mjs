// What an operator sees: metrics, log lines, traces.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { startModelServer } from '../support/model_server.mjs';
import { until } from '../support/patience.mjs';
import { Program, binary } from '../support/program.mjs';
import { parseMetrics } from '../support/prometheus.mjs';
import {
  configFile, connected, demoServer, endCleanly, folder, models, startModel, startTroupe,
} from '../support/servers.mjs';
import { Turn, newSession, takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const secret = 'k3y-of-the-model';
const spoken = 'w0rds-of-the-user';
const scripts = ['text', 'call', 'error-500', 'paced-20-1000'];

async function start(t, { config = {}, args = [] } = {}) {
  const log = path.join(folder(t), 'mcp.log');
  const model = await startModel(t);
  const troupe = await startTroupe(
    t,
    {
      models: models(model.url, scripts, { api_key: secret, maxAttempts: 2, retryDelayMs: 1 }),
      defaultModel: 'text',
      mcpServers: { demo: demoServer(log) },
      ...config,
    },
    { args },
  );
  await connected(troupe, 'demo');
  return { model, troupe, mcpLog: () => readFileSync(log, 'utf8') };
}

async function metrics(troupe) {
  const answer = await fetch(`${troupe.url}/metrics`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  return parseMetrics(await answer.text());
}

/** A turn of each kind: text, tool, error, abort. Resolves with their sessions. */
async function someTurns(troupe) {
  const message = `say ${spoken}`;
  const kinds = ['text', 'tool', 'error', 'abort'];
  const sessions = Object.fromEntries(kinds.map((kind) => [kind, newSession()]));
  await takeTurn(troupe.url, { message }, { session: sessions.text });
  await takeTurn(troupe.url, { message, model: 'call' }, { session: sessions.tool });
  await takeTurn(troupe.url, { message, model: 'error-500' }, { session: sessions.error });
  const long = new Turn(troupe.url, { message, model: 'paced-20-1000' }, { session: sessions.abort });
  await long.sees('TEXT');
  await fetch(`${troupe.url}/v1/sessions/${sessions.abort}/abort`, { method: 'POST' });
  await long.ends();
  return sessions;
}

/** The log lines so far, all of stderr; each must be a JSON object with a time, a level, an event. */
function logLines(troupe) {
  const lines = troupe.program.stderr.split('\n').slice(0, -1).map((line) => JSON.parse(line));
  for (const line of lines) {
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Math.abs(Date.parse(line.time) - Date.now()) < 3600000, line.time);
    assert.match(line.level, /^(debug|info|warning|error)$/);
    assert.match(line.event, /^\w+$/);
  }
  return lines;
}

test('/metrics counts turns of every kind', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const before = await metrics(troupe);
  assert.equal(before.value('troupe_turns_running'), 0);
  assert.equal(before.value('troupe_mcp_server_up', { server: 'demo' }), 1);

  await someTurns(troupe);

  const all = await until('four turns are counted', async () => {
    const found = await metrics(troupe);
    return found.families.get('troupe_turns_total').samples.length === 4 && found;
  });
  const turns = (model, outcome) => all.value('troupe_turns_total', { model, outcome });
  assert.equal(turns('text', 'success'), 1);
  assert.equal(turns('call', 'success'), 1);
  assert.equal(turns('error-500', 'model_failed'), 1);
  assert.equal(turns('paced-20-1000', 'aborted'), 1);

  const chat = (model, more = {}) => ({
    gen_ai_operation_name: 'chat', gen_ai_request_model: model, ...more,
  });
  const duration = 'gen_ai_client_operation_duration_seconds_count';
  assert.equal(all.value(duration, chat('text')), 1);
  assert.equal(all.value(duration, chat('call')), 2, 'one per model request');
  assert.equal(all.value(duration, chat('error-500', { error_type: 'model_failed' })), 1);
  const firstChunk = 'gen_ai_client_operation_time_to_first_chunk_seconds_count';
  assert.equal(all.value(firstChunk, chat('text')), 1);
  assert.equal(all.value(firstChunk, chat('error-500')), 0);
  const broken = chat('paced-20-1000', { error_type: 'aborted' });
  assert.equal(all.value(duration, broken), 1, 'a request that was broken off is one');
  assert.equal(all.value(firstChunk, chat('paced-20-1000')), 1);
  assert.ok(all.value('gen_ai_client_token_usage_sum', chat('paced-20-1000', { gen_ai_token_type: 'output' })) > 0);
  const output = chat('text', { gen_ai_token_type: 'output' });
  assert.equal(all.value('gen_ai_client_token_usage_count', output), 1);
  assert.ok(all.value('gen_ai_client_token_usage_sum', output) > 0);
  assert.equal(all.value('troupe_model_retries_total', { model: 'error-500' }), 1);
  assert.equal(all.value('troupe_model_retries_total', { model: 'text' }), 0);
  assert.equal(all.value('troupe_tool_calls_total', { server: 'demo', outcome: 'success' }), 1);
  const [tool] = all.families
    .get('gen_ai_execute_tool_duration_seconds')
    .samples.filter((one) => one.name.endsWith('_count'));
  assert.equal(tool.labels.server, 'demo');
  assert.equal(tool.value, 1);

  assert.equal(all.value('troupe_turns_running'), 0);
  assert.equal(all.value('troupe_sessions'), 4);
  assert.equal(all.value('troupe_mcp_active_flows'), 0);
  assert.ok(all.value('troupe_http_connections') >= 1);
  assert.ok(all.value('process_resident_memory_bytes') > 1e6);
  assert.ok(all.value('process_open_fds') > 3);
  assert.ok(Math.abs(all.value('process_start_time_seconds') - Date.now() / 1000) < 300);
  const text = JSON.stringify([...all.families.values()]);
  assert.ok(!text.includes(secret) && !text.includes(spoken));
});

test('/metrics shows a turn while it runs', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const turn = new Turn(troupe.url, { message: 'go', model: 'paced-20-1000' });
  await turn.sees('TEXT');
  assert.equal((await metrics(troupe)).value('troupe_turns_running'), 1);
  turn.disconnect();
  await until('it is over', async () => (await metrics(troupe)).value('troupe_turns_running') === 0);
});

test('log lines are JSON with ids and without secrets or texts', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const sessions = await someTurns(troupe);
  troupe.judged = true;
  await endCleanly(troupe.program);

  const lines = logLines(troupe);
  assert.ok(!troupe.program.stderr.includes(secret));
  assert.ok(!troupe.program.stderr.includes(spoken));
  const of = (event) => lines.filter((line) => line.event === event);
  assert.equal(of('start').length, 1);
  assert.equal(of('listening')[0].port, Number(new URL(troupe.url).port));
  assert.equal(of('mcp_server')[0].server, 'demo');
  assert.equal(of('mcp_server')[0].health, 'success');
  assert.deepEqual(of('shutdown').map((line) => line.phase), ['draining', 'disconnecting', 'done']);
  assert.equal(of('request').length, 0, 'requests are of level debug');

  const turns = of('turn');
  assert.equal(turns.length, 4);
  for (const line of turns) {
    assert.ok(line.turn && line.request && line.model, JSON.stringify(line));
    assert.ok(line.totalMs >= 0);
  }
  const turnOf = (kind) => turns.find((line) => line.session === sessions[kind]);
  assert.equal(turnOf('text').outcome, 'success');
  assert.ok(turnOf('text').usage.outputTokens > 0);
  assert.equal(turnOf('tool').roundtrips, 1);
  assert.equal(turnOf('tool').toolCalls, 1);
  assert.equal(turnOf('error').outcome, 'model_failed');
  assert.equal(turnOf('error').level, 'warning');
  assert.equal(turnOf('error').attempts, 2);
  assert.equal(turnOf('abort').outcome, 'aborted');
  assert.equal(turnOf('abort').level, 'info');
});

test('the level chooses the lines, the command line before the file', { timeout }, async (t) => {
  const body = JSON.stringify({ message: `say ${spoken}` });
  const post = (troupe) =>
    fetch(`${troupe.url}/v1/sessions/${newSession()}/turns`, {
      method: 'POST', body, headers: { 'x-request-id': 'req-42', authorization: 'Bearer t0ken' },
    }).then((answer) => answer.text());
  const { troupe: quiet } = await start(t, {
    args: ['--log-level', 'off'],
    config: { logs: { level: 'debug' } },
  });
  await post(quiet);
  await quiet.status();
  assert.equal(quiet.program.stderr, '');

  const { troupe: loud } = await start(t, { config: { logs: { level: 'debug', text: true } } });
  await post(loud);
  const line = await until('the request is logged', () =>
    logLines(loud).find((one) => one.event === 'request' && one.method === 'POST'));
  assert.equal(line.request, 'req-42');
  assert.equal(line.status, 200);
  assert.ok(line.body.includes(spoken), 'texts are there when they are asked for');
  const turn = await until('the turn is logged', () =>
    logLines(loud).find((one) => one.event === 'turn'));
  assert.equal(turn.request, 'req-42');
  assert.ok(!loud.program.stderr.includes('t0ken'), 'but no credentials');
  assert.ok(!loud.program.stderr.includes(secret));

  const file = configFile(t, { logs: { level: 'loud' } });
  const refused = new Program(binary('troupe'), ['serve', '--config', file]);
  assert.equal((await refused.exit).code, 2);
  assert.match(refused.stderr, /logs\.level must be one of/);
});

/** A model that calls the first tool once; `traces` are the traceparents it got. */
async function startTracedModel(t) {
  const traces = [];
  const url = await startModelServer(t, ({ messages, tools }, response, request) => {
    traces.push(request.headers.traceparent);
    const called = messages.some((message) => message.role === 'tool');
    const name = tools[0].function.name;
    const call = { index: 0, id: 'c1', type: 'function', function: { name, arguments: '{}' } };
    const delta = called ? { content: 'done' } : { tool_calls: [call] };
    const chunk = (choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ delta }));
    response.write(chunk({ delta: {}, finish_reason: called ? 'stop' : 'tool_calls' }));
    response.end('data: [DONE]\n\n');
  });
  return { url, traces };
}

test('a trace goes on to the model and to MCP servers', { timeout }, async (t) => {
  const model = await startTracedModel(t);
  const { troupe, mcpLog } = await start(t, {
    config: { models: models(model.url, ['traced']), defaultModel: 'traced' },
  });
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const received = `00-${trace}-00f067aa0ba902b7-01`;
  const post = (headers) =>
    fetch(`${troupe.url}/v1/sessions/${newSession()}/turns`, {
      method: 'POST', headers, body: JSON.stringify({ message: 'go' }),
    }).then((answer) => answer.text());

  await post({ traceparent: received });
  assert.equal(model.traces.length, 2);
  model.traces.forEach((each) => assert.equal(each, received));
  const call = mcpLog().split('\n').find((line) => line.includes('"tools/call"'));
  const [, sent] = call.match(/"traceparent":"([^"]*)"/) ?? assert.fail(call);
  assert.equal(sent, received);

  model.traces.length = 0;
  await post({ traceparent: `00-${trace.toUpperCase()}-00f067aa0ba902b7-01` });
  await post({});
  assert.deepEqual(model.traces, [undefined, undefined, undefined, undefined]);
});
