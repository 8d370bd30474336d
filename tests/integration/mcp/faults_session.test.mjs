// A server that lost the session: callers do not notice, and however many calls meet it, there is
// exactly one new session.
import assert from 'node:assert/strict';
import test from 'node:test';
import { McpSurface, startFaultServers } from '../support/faults/fault_host.mjs';
import { settles, until, watchLateness, within } from '../support/patience.mjs';
import { startTroupe } from '../support/servers.mjs';

const options = { timeout: 120000 };
const forms = [404, 400, 200];

async function start(t, more = {}) {
  const faults = await startFaultServers(t);
  const troupe = await startTroupe(t, {});
  const surface = new McpSurface(troupe.url);
  const add = async (name) => {
    await surface.put(name, { ...faults.entry('http', name), maxParallel: 64, ...more });
    await surface.health(name, 'success');
  };
  const sessions = (name) => faults.journal(name).count('initialize');
  return { faults, surface, add, sessions };
}

const many = (count, call) => Promise.all(Array.from({ length: count }, (_, i) => call(i)));

test('parallel calls survive a lost session in every form', options, async (t) => {
  const { faults, surface, add, sessions } = await start(t);
  for (const form of forms) {
    for (const [tool, quietly] of [['echo', true], ['fault', true], ['fault', false]]) {
      const name = `${form}-${tool}-met-by-${quietly ? 'a-call' : 'the-stream'}`;
      await add(name);
      assert.equal((await surface.fault(name, 'forget', { form, quietly })).error, null);
      const late = watchLateness();
      const began = performance.now();
      const answers = await many(16, (i) =>
        surface.call(name, tool, { text: `call ${i}`, kind: 'duplicate' }),
      );
      const took = performance.now() - began;
      answers.forEach(({ error, text }, i) => {
        assert.equal(error, null, `${name}: ${JSON.stringify(error)}`);
        assert.equal(text, tool === 'echo' ? `call ${i}` : 'right', name);
      });
      const refused = faults.journal(name).count('lost');
      t.diagnostic(`${name}: ${took.toFixed(0)} ms for 16 calls, the server refused ${refused}`);
      assert.equal(sessions(name), 2, `${name}: one new session`);
      assert.ok(refused > 0);
      assert.ok(took < within(1000) + late(), `it took ${took} ms`);
    }
  }
});

test('a session lost with 401 or 503 is made anew, and nothing is sent twice', options, async (t) => {
  const { faults, surface, add, sessions } = await start(t);
  for (const form of [401, 503]) {
    const name = `${form}`;
    await add(name);
    await surface.fault(name, 'forget', { form, quietly: true });
    const answers = await many(4, () => surface.fault(name, 'duplicate'));
    const failed = answers.filter(({ error }) => error); // the others came after the new session
    for (const { error } of failed) {
      assert.equal(error.code, 'server_unavailable');
      assert.match(error.message, /session/i);
    }
    await until('there is a new session', () => sessions(name) === 2);
    await surface.usable(name);
    const refused = faults.journal(name).entries('lost').filter(({ method }) => method === 'tools/call');
    assert.ok(refused.length > 0);
    assert.equal(failed.length, refused.length, 'what was refused is not sent again');
    assert.equal(faults.journal(name).count('duplicate'), answers.length - refused.length);
    assert.equal(sessions(name), 2, 'and only one');
  }
});

test('the word session in an answer means nothing', options, async (t) => {
  const { faults, surface, add, sessions } = await start(t);
  const error = (id, code, message) =>
    JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  const json = 'application/json';
  const answers = [
    [400, 'text/plain', 'the session of this basket has ended'],
    [400, json, error(null, -32602, 'session_id is missing')],
    [401, json, JSON.stringify({ error: 'the session of the user has ended' })],
    [403, 'text/html', '<p>No session</p>'],
    [503, 'text/html', '<p>The session with the upstream has ended</p>'],
    [500, json, error(null, -32000, 'No valid session ID provided')],
    [200, json, error(null, -32001, 'Session not found')],
    [200, json, error('$id', -32005, 'Session not found').replace('"$id"', () => '$id')],
  ];
  for (const [i, [status, type, body]] of answers.entries()) {
    const name = `words-${i}`;
    await add(name);
    const { error: got } = await surface.fault(name, 'status', { status, type, body });
    t.diagnostic(`${status} ${body}: ${got.code}: ${got.message}`);
    assert.match(got.code, /^server_(refused|unavailable)$/, body);
    assert.match(got.message, /session/i, 'the words of the server are told');
    if (status === 401) assert.match(got.message, /authorization/);
    assert.equal(faults.journal(name).count('status'), 1, 'it ran once');
    assert.equal((await surface.call(name, 'echo', { text: 'on' })).text, 'on');
    assert.equal(sessions(name), 1, 'the session lives');
  }
});

test('calls that run while the session is lost still end', options, async (t) => {
  const { faults, surface, add, sessions } = await start(t);
  await add('remote');
  const running = many(4, () => surface.call('remote', 'sleep', { ms: 300 }));
  const careful = surface.fault('remote', 'drip', { every: 3 });
  await until('they run', () => faults.journal('remote').count('tools/call') >= 5);
  await surface.fault('remote', 'forget', { form: 404 });
  const echo = await surface.call('remote', 'echo', { text: 'after' });
  assert.deepEqual({ error: echo.error, text: echo.text }, { error: null, text: 'after' });
  for (const { error, text } of await settles('they end', running, 5000))
    assert.deepEqual({ error, text }, { error: null, text: 'slept' });
  const { error, text } = await careful;
  assert.deepEqual({ error, text }, { error: null, text: 'right' });
  assert.equal(sessions('remote'), 2);
  assert.equal(faults.journal('remote').count('drip'), 1, 'it ran once');
});

test('a server that loses every session does not make us ask for ever', options, async (t) => {
  const { faults, surface, add, sessions } = await start(t, { requestTimeoutMs: within(300) });
  await add('remote');
  for (let i = 0; i < 10; i += 1) {
    await surface.fault('remote', 'forget', { form: 404 });
    const late = watchLateness();
    const echo = await surface.call('remote', 'echo', { text: 'x' });
    assert.ok(echo.took < within(300 + 250) + late(), `it took ${echo.took} ms`);
  }
  const losses = faults.journal('remote').count('forget');
  t.diagnostic(`${losses} sessions lost, ${sessions('remote')} made`);
  assert.ok(losses >= 2);
  assert.ok(sessions('remote') <= losses + 1, 'never more than one for each that was lost');
  assert.equal(faults.program.ended, undefined);
  await surface.usable('remote');
});

test('a session lost over HTTP+SSE or a broken socket is found again', options, async (t) => {
  const faults = await startFaultServers(t);
  const troupe = await startTroupe(t, {
    mcpServers: Object.fromEntries(
      ['sse', 'websocket', 'stdio'].map((type) => [type, faults.entry(type, type)]),
    ),
  });
  const surface = new McpSurface(troupe.url);
  for (const type of ['sse', 'websocket', 'stdio']) {
    await surface.health(type, 'success');
    await surface.fault(type, 'cut');
    await surface.health(type, 'success');
    assert.equal((await surface.call(type, 'echo', { text: 'back' })).text, 'back');
    const opened = { sse: 'GET', websocket: 'upgrade', stdio: 'start' }[type];
    assert.equal(faults.journal(type).count(opened), 2, `${type}: one new connection`);
  }
});
