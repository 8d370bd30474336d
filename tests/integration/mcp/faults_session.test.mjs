// A server that lost the session: callers do not notice, and however many calls meet it, there is
// exactly one new session.
import assert from 'node:assert/strict';
import test from 'node:test';
import { McpSurface, startFaultServers } from '../support/fault_host.mjs';
import { settles, until, within } from '../support/patience.mjs';
import { startTroupe } from '../support/servers.mjs';

const options = { timeout: 120000 };
const forms = [404, 400, 401, 503];

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
      assert.ok(took < within(1000), `it took ${took} ms`);
    }
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
  const { faults, surface, add, sessions } = await start(t, { requestTimeoutMs: 300 });
  await add('remote');
  let losses = 0;
  for (let i = 0; i < 10; i += 1) {
    const { error } = await surface.fault('remote', 'forget', { form: 404 });
    if (error === null) losses += 1;
    const echo = await surface.call('remote', 'echo', { text: 'x' });
    assert.ok(echo.took < within(300 + 250), `it took ${echo.took} ms`);
  }
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
