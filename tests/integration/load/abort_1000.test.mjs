// A thousand turns are stopped: how soon the model and the MCP server know, and what is left.
import assert from 'node:assert/strict';
import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startHeldModel } from '../support/held_model.mjs';
import { measures, slowness, until } from '../support/patience.mjs';
import { connected, models, startTroupe } from '../support/servers.mjs';
import { Turn } from '../support/turns.mjs';

const turnsAtOnce = slowness > 1 ? 200 : 1000;
const everyNthInTool = 4;
const tokenEveryMs = 1000;
const beats = 50;
const limitMs = 50;
const batch = 5; // aborted together, then a breath: their own client shares this process

/** An MCP server over HTTP whose one tool never answers; `calls` says when each was cancelled. */
async function startHangingServer(t) {
  const calls = new Map(); // by the id in their arguments: {id, arrived, cancelledAt}
  const byRequest = new Map();
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'hanging', version: '1' },
    }),
    'tools/list': () => ({
      tools: [{
        name: 'hang',
        inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
      }],
    }),
    ping: () => ({}),
  };
  const receive = ({ id, method, params }, response) => {
    if (method === 'tools/call') {
      const call = { arrived: true };
      calls.set(params.arguments.id, call);
      byRequest.set(id, call);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.flushHeaders();
    }
    if (method === 'notifications/cancelled') {
      byRequest.get(params.requestId).cancelledAt = performance.now();
    }
    if (id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }));
  };
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    receive(JSON.parse(body), response.on('error', () => {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', 2048, resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, calls };
}

async function start(t) {
  const tools = await startHangingServer(t);
  const model = await startHeldModel(t, (answer) => {
    if (answer.question.startsWith('tool')) answer.call('hang', { id: answer.question });
    else answer.say('so it begins');
  });
  const troupe = await startTroupe(t, {
    models: models(model.url, ['held']),
    mcpServers: { hanging: { type: 'http', url: tools.url, maxParallel: turnsAtOnce } },
  });
  await connected(troupe, 'hanging');
  return { tools, model, troupe };
}

/** Begins the turns and resolves when each is where it is to be stopped. */
async function beginAll({ troupe, tools }) {
  const agent = new http.Agent({ keepAlive: false, maxSockets: Infinity });
  const turns = Array.from({ length: turnsAtOnce }, (_, i) => {
    const question = `${i % everyNthInTool === 0 ? 'tool' : 'text'} ${i}`;
    return Object.assign(new Turn(troupe.url, { message: question }, { agent }), { question });
  });
  const inTool = turns.filter((turn) => turn.question.startsWith('tool'));
  await Promise.all(turns.map((turn) =>
    turn.sees(inTool.includes(turn) ? 'MCP_TOOL_START' : 'TEXT', 60000)));
  await until('all calls arrived', () => inTool.every(({ question }) => tools.calls.has(question)),
    30000);
  return turns;
}

/** Every second turn is stopped by its own verb, the others by leaving; notes when. */
async function abortAll({ troupe }, turns) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
  const stops = [];
  for (const [i, turn] of turns.entries()) {
    turn.abortedAt = performance.now();
    if (Math.floor(i / everyNthInTool) % 2) turn.disconnect();
    else stops.push(postStop(troupe.url, turn.session, agent));
    if (i % batch === batch - 1) await pause(batch);
  }
  await Promise.all(stops);
  agent.destroy();
}

function postStop(url, session, agent) {
  return new Promise((resolve, reject) => {
    http.request(`${url}/api/chat/${session}/stop`, { method: 'POST', agent })
      .on('response', (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}

const percentile = (sorted, p) =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];

/** Prints how long `what` took and returns the 99th percentile in milliseconds. */
function report(t, what, delays) {
  const sorted = Float64Array.from(delays).sort();
  const [p50, p99, most] = [50, 99, 100].map((p) => percentile(sorted, p).toFixed(1));
  t.diagnostic(`${what}: ${sorted.length}, p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`);
  return Number(p99);
}

test(`${turnsAtOnce} turns that are stopped leave nothing behind`, { timeout: 120000 * slowness },
  async (t) => {
    const world = await start(t);
    const { model, tools, troupe } = world;
    const turns = await beginAll(world);
    assert.equal((await troupe.status()).runningTurns, turnsAtOnce);
    const streaming = model.answers.filter((answer) => answer.question.startsWith('text'));
    let beat = 0; // few speak at once: what is measured passes through this process, too
    const ticker = setInterval(() => {
      beat = (beat + 1) % beats;
      streaming.filter((answer, i) => i % beats === beat && !answer.over)
        .forEach((answer) => answer.say('and so on'));
    }, tokenEveryMs / beats);
    t.after(() => clearInterval(ticker));

    const late = monitorEventLoopDelay({ resolution: 1 });
    late.enable();
    await abortAll(world, turns);

    const of = new Map(turns.map((turn) => [turn.question, turn]));
    await until('every stream is closed', () => streaming.every((answer) => answer.over));
    await until('every call is cancelled',
      () => [...tools.calls.values()].every((call) => call.cancelledAt !== undefined));
    const p99 = Math.max(
      report(t, 'streams closed', streaming.map((one) =>
        one.closedAt - of.get(one.question).abortedAt)),
      report(t, 'calls cancelled', [...tools.calls].map(([question, call]) =>
        call.cancelledAt - of.get(question).abortedAt)));
    late.disable();
    // On a busy machine all are late: this process as well, which sends and receives what is
    // measured, and by as much twice on its way.
    const lateMs = late.percentile(99) / 1e6;
    t.diagnostic(`this process itself was late by ${lateMs.toFixed(1)} ms at p99`);
    assert.ok(!measures || p99 < limitMs + 2 * lateMs, `${p99} ms, late by ${lateMs} ms`);
    assert.equal(model.answers.filter((answer) => !answer.over).length, 0);
    assert.equal(model.answers.length, turnsAtOnce, 'the model was not asked again');
    await until('no turn is left', async () => {
      const status = await troupe.status();
      return status.runningTurns === 0 && status.activeFlows === 0;
    });
    for (const turn of turns.filter((one) => one.types().includes('ABORT'))) {
      assert.deepEqual(turn.types().slice(-2), ['ABORT', 'SESSION_END']);
    }
  });
