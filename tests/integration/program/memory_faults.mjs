// Each allocation of a flow fails once: what comes out is right, or an error that may be tried again; what was
// acknowledged is kept, every turn that ends is in the log, and the program lives on or ends with one clear line.
// MEMORY_FAULTS=all tries every allocation, MEMORY_FAULTS=100 so many of each flow.
import assert from 'node:assert/strict';
import test from 'node:test';
import { scarceMemory } from '../support/faults/memory_faults.mjs';
import { settles, until, within } from '../support/patience.mjs';
import { connected, demoServer, models, startModel } from '../support/servers.mjs';
import { StoreServer } from '../support/store_server.mjs';
import { SseReader } from '../support/turns.mjs';

const all = process.env.MEMORY_FAULTS === 'all';
const places = Number(process.env.MEMORY_FAULTS ?? 24); // of a flow
const timeout = all ? 3_600_000 : 240_000;
const clearLine = /^troupe: (there is not enough memory|no more threads can be started)/m;
const long = (word) => `${word} `.repeat(4000).trim(); // JSON that gets a parser of its own

/** The server under test and its model; it is started again where it has ended. */
async function stage(t) {
  const memory = scarceMemory(t);
  const model = await startModel(t);
  const server = new StoreServer(t, {
    models: models(model.url, ['echo', 'call', 'text']),
    mcpServers: { demo: demoServer() },
  }, { env: memory.env });
  await server.ready();
  await connected({ status: () => server.json('/v1/status') }, 'demo');
  return { memory, model, server, ends: 0, failed: 0 };
}

/** Asks over HTTP; a connection that breaks has no status. */
async function ask(server, path, { method = 'GET', body, headers } = {}) {
  try {
    const answer = await fetch(server.url + path, {
      method, body: typeof body === 'object' && !(body instanceof FormData) ? JSON.stringify(body) : body,
      headers: { connection: 'close', ...headers }, signal: AbortSignal.timeout(within(20000)),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    if (error.name === 'TimeoutError') throw error;
    return { status: 0, text: '' };
  }
}

/** Fails unless the answer is an error that may be tried again. */
function assertTransient({ status, text }) {
  assert.ok(status === 0 || status >= 500, `${status}: ${text.slice(0, 300)}`);
  assert.doesNotMatch(text, /request_invalid|model_answer_invalid|server_protocol|tool_unknown/);
}

function eventsOf(text) {
  const events = [];
  new SseReader(({ data }) => events.push(JSON.parse(data))).read(text);
  return events;
}

const textOf = (events) => events.filter(({ type }) => type === 'TEXT').map(({ text }) => text).join('');

/** A turn of the native stream; returns its events. */
async function turn(on, session, body) {
  const answer = await ask(on.server, `/v1/sessions/${session}/turns`, { method: 'POST', body });
  if (answer.status !== 200) return { answer, events: [], error: undefined, well: false };
  const events = eventsOf(answer.text);
  const error = events.find(({ type }) => type === 'SESSION_ERROR');
  return { answer, events, error, well: !error && events.at(-1)?.type === 'SESSION_END' };
}

function assertTurn({ answer, events, error, well }, isRight) {
  if (answer.status !== 200) return assertTransient(answer);
  if (error) {
    assert.equal(error.retryable, true, JSON.stringify(error));
    assert.notEqual(error.code, 'model_answer_invalid', JSON.stringify(error));
  } else if (well) isRight(events);
}

const count = (text, what) => text.split(what).length - 1;
const isInLog = (program, session) =>
  program.stderr.split('\n').some((line) => line.includes('"event":"turn"') && line.includes(session));

/** Each turn whose end the client saw is in the log; one that was reported to a telemetry that then crashed is not. */
async function assertLogged(on, session, { error, well }) {
  const { program } = on.server;
  if (!error && !well) return;
  const lost = /"event":"crash".*telemetry|LOG ERROR/; // the line itself met no memory
  await until(`a line of ${session}`, () => isInLog(program, session) || lost.test(program.stderr) || program.ended);
}

const flows = {
  'a request for a whole answer': {
    async run(on, n) {
      const text = long(`plain-${n}`);
      return ask(on.server, '/v1/chat/completions', { method: 'POST', body: { model: 'echo', messages: [{ role: 'user', content: text }] } });
    },
    judge(on, n, answer) {
      if (answer.status !== 200) return assertTransient(answer);
      assert.equal(JSON.parse(answer.text).choices[0].message.content, long(`plain-${n}`));
    },
  },
  'a streamed turn, and what is kept of it': {
    run: (on, n) => turn(on, `kept-${n}`, { message: long(`turn-${n}`), model: 'echo' }),
    async judge(on, n, took) {
      assertTurn(took, (events) => assert.equal(textOf(events), long(`turn-${n}`)));
      await assertLogged(on, `kept-${n}`, took);
      if (!took.well) return;
      const { messages } = await on.server.export(`kept-${n}`);
      assert.deepEqual(messages.map(({ message }) => message.text), [long(`turn-${n}`), long(`turn-${n}`)]);
    },
  },
  'a call of a tool': {
    run: (on, n) => turn(on, `tool-${n}`, { message: 'call it', model: 'call' }),
    async judge(on, n, took) {
      assertTurn(took, (events) => {
        const calls = events.filter(({ type }) => type === 'MCP_TOOL_SUCCESS' || type === 'MCP_TOOL_ERROR');
        // Turns go on without tools while the hub of the servers starts again.
        assert.ok(calls.length === 1 || on.server.program.stderr.includes('"event":"crash"'), took.answer.text.slice(-600));
        for (const { code } of calls) if (code) assert.doesNotMatch(code, /server_protocol|tool_unknown|arguments/);
      });
      await assertLogged(on, `tool-${n}`, took);
    },
  },
  'a conversation that is read': {
    prepare: (on) => turn(on, 'read', { message: long('read'), model: 'echo' }),
    run: (on) => ask(on.server, '/v1/conversations/read/export'),
    judge(on, n, answer) {
      if (answer.status !== 200) return assertTransient(answer);
      assert.deepEqual(JSON.parse(answer.text).messages.map(({ message }) => message.text), [long('read'), long('read')]);
    },
  },
  'a search': {
    prepare: (on) => turn(on, 'searched', { message: 'needle 🚀', model: 'echo' }),
    run: (on) => ask(on.server, `/v1/conversations/search?q=${encodeURIComponent('needle 🚀')}`),
    judge(on, n, answer) {
      if (answer.status !== 200) return assertTransient(answer);
      assert.equal(JSON.parse(answer.text).hits.length, 2);
    },
  },
  'an import': {
    run: (on, n) => ask(on.server, '/v1/conversations/import', {
      method: 'POST',
      body: {
        format: 'troupe.conversation', version: 1, info: { id: `import-${n}` },
        messages: [1, 2, 3].map((i) => ({ message: { role: 'user', text: long(`import-${i}`), id: `m${i}` } })),
      },
    }),
    async judge(on, n, answer) {
      if (answer.status !== 201) assertTransient(answer);
      const kept = await on.server.export(`import-${n}`);
      if (answer.status === 201 || kept !== undefined)
        assert.deepEqual(kept.messages.map(({ message }) => message.text), [1, 2, 3].map((i) => long(`import-${i}`)));
    },
  },
  'an upload': {
    run: (on, n) => ask(on.server, '/v1/files?filename=a.txt&purpose=user_data', {
      method: 'POST', headers: { 'content-type': 'text/plain' }, body: long(`file-${n}`),
    }),
    async judge(on, n, answer) {
      if (answer.status !== 200 && answer.status !== 201) return assertTransient(answer);
      const { id } = JSON.parse(answer.text);
      assert.equal((await ask(on.server, `/v1/files/${id}/content`)).text, long(`file-${n}`));
    },
  },
  'a handshake with an MCP server': {
    run: (on) => ask(on.server, '/v1/mcp/servers/demo/retry', { method: 'POST' }),
    async judge(on, n, answer) {
      if (answer.status >= 300 || answer.status === 0) assertTransient(answer);
      await connected({ status: () => on.server.json('/v1/status') }, 'demo');
    },
  },
};

/** Starts the program again if it has ended, which it may with one clear line. */
async function goOn({ server }) {
  if ((await ask(server, '/healthz')).status === 200) return false;
  const { program } = server;
  const { code, signal } = await settles('it is gone', program.exit, 30000);
  await server.ready();
  await connected({ status: () => server.json('/v1/status') }, 'demo');
  assert.deepEqual({ code, signal }, { code: 1, signal: null }, String(program));
  assert.equal(program.stderr.split('troupe: ').length, 2, String(program));
  assert.match(program.stderr, clearLine);
  return true;
}

/** Has one allocation of the flow fail; returns what was wrong then, "" if nothing. */
async function tryOne(on, flow, n) {
  const { program } = on.server;
  const logged = program.stderr.length;
  on.memory.fail(n);
  try {
    const came = await flow.run(on, n);
    on.failed += on.memory.heal().failed;
    if (await goOn(on)) on.ends += 1;
    await flow.judge(on, n, came);
    return '';
  } catch (error) {
    on.memory.heal();
    if (on.server.program.ended) await on.server.ready();
    return `allocation ${n}: ${error.message.slice(0, 600)}\n${program.stderr.slice(logged).slice(-1500)}`;
  }
}

for (const [name, flow] of Object.entries(flows)) {
  test(`${name} is right or refused where an allocation fails`, { timeout }, async (t) => {
    const on = await stage(t);
    await flow.prepare?.(on);
    for (const n of ['first', 'second']) await flow.judge(on, n, await flow.run(on, n));
    const counts = [];
    for (const n of ['third', 'fourth']) {
      on.memory.count();
      const counted = await flow.run(on, n);
      counts.push(on.memory.heal().seen);
      await flow.judge(on, n, counted);
    }
    const seen = all ? Math.max(...counts) : Math.min(...counts); // what others do meanwhile is counted, too
    assert.ok(seen > 10, `${seen} allocations`);
    const step = all ? 1 : Math.max(1, seen / places);
    const wrong = [];
    for (let at = 1; at <= seen; at += step) wrong.push(await tryOne(on, flow, Math.floor(at)));
    const faults = wrong.filter((each) => each !== '');
    t.diagnostic(`${on.failed} of ${seen} allocations failed, the program ended ${on.ends} times`);
    assert.ok(on.failed > 0);
    assert.equal(faults.length, 0, `${faults.length} faults:\n${faults.slice(0, 20).join('\n\n')}`);
  });
}
