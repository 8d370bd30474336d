// SIGTERM, SIGINT and SIGHUP: new turns are refused, running ones finish, nothing hangs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startHeldModel } from '../support/held_model.mjs';
import { settles, until, watchLateness, within } from '../support/patience.mjs';
import { Program, binary } from '../support/program.mjs';
import { announcement, connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';
import { Turn, assertWellFormed } from '../support/turns.mjs';

const timeout = 120000;

async function start(t, drainSeconds, scheduler = 'loop') {
  const model = await startModel(t);
  const held = await startHeldModel(t, (answer) => answer.say('one'));
  const troupe = await startTroupe(t, {
    models: { ...models(model.url, ['text', 'hang-call']), ...models(held.url, ['held']) },
    defaultModel: 'text',
    mcpServers: { demo: demoServer() },
    limits: { drainSeconds },
    scheduler,
  });
  await connected(troupe, 'demo');
  return { held, troupe };
}

async function lets100Finish(t, scheduler) {
  const { troupe, held } = await start(t, 60, scheduler);
  const turns = Array.from({ length: 100 }, () => new Turn(troupe.url, { message: 'go', model: 'held' }));
  await Promise.all(turns.map((turn) => turn.sees('TEXT', 20000)));

  troupe.program.signal('SIGTERM');
  const refused = await until('a new turn is refused', async () => {
    const late = await new Turn(troupe.url, { message: 'late' }).ends();
    return late.status === 503 && late;
  }, 1000);

  assert.ok(refused.errorText.length > 0, 'with a reason');
  assert.equal((await fetch(`${troupe.url}/readyz`)).status, 503, 'it is not ready any more');
  assert.equal((await fetch(`${troupe.url}/healthz`)).status, 200, 'it is still alive');
  held.answers.forEach((answer) => answer.end());
  await Promise.all(turns.map((turn) => turn.ends(60000)));
  for (const turn of turns) {
    assertWellFormed(turn.events);
    assert.equal(turn.events.at(-1).finishReason, 'stop');
  }
  const ended = await settles('it exits', troupe.program.exit);
  assert.deepEqual(ended, { code: 0, signal: null }, String(troupe.program));
}

for (const scheduler of ['loop', 'sharing', 'stealing'])
  test(`SIGTERM lets 100 running turns finish and refuses new ones: ${scheduler}`, { timeout },
    (t) => lets100Finish(t, scheduler));

test('a hung tool ends at the drain limit with its terminal events', { timeout }, async (t) => {
  const { troupe } = await start(t, 2);
  const turn = new Turn(troupe.url, { message: 'go', model: 'hang-call' });
  await turn.sees('MCP_TOOL_START');

  const late = watchLateness();
  const asked = performance.now();
  troupe.program.signal('SIGTERM');
  const ended = await settles('it exits', troupe.program.exit, 25000);
  const took = performance.now() - asked;

  assert.deepEqual(ended, { code: 0, signal: null }, String(troupe.program));
  assert.ok(took >= 1900, `it waited for the drain limit: ${took} ms`);
  assert.ok(took < 2000 + within(1500) + late(), `and no longer: ${took} ms`);
  await turn.ends();
  assertWellFormed(turn.events);
  assert.equal(turn.of('MCP_TOOL_ERROR').length, 1);
});

test('a terminal that is closed ends it in order, too', { timeout }, async (t) => {
  const { troupe, held } = await start(t, 60);
  const turn = new Turn(troupe.url, { message: 'go', model: 'held' });
  await turn.sees('TEXT');
  troupe.program.signal('SIGHUP');
  await until('it drains', async () => (await fetch(`${troupe.url}/readyz`)).status === 503);
  troupe.program.signal('SIGHUP'); // as the end of the shell in the terminal has it
  held.answers[0].end();
  assert.deepEqual(await settles('it exits', troupe.program.exit, 10000), { code: 0, signal: null });
  await turn.ends();
  assertWellFormed(turn.events);
  assert.equal(turn.events.at(-1).finishReason, 'stop');
});

test('under nohup a terminal that is closed means nothing', { timeout }, async (t) => {
  const started = 'trap "" HUP; exec "$0" serve --data "" --listen 127.0.0.1:0';
  const program = new Program('/bin/sh', ['-c', started, binary('troupe')]);
  t.after(() => program.end());
  const [, url] = await program.prints(announcement);
  program.signal('SIGHUP');
  assert.equal((await new Turn(url, { message: 'go', model: 'text' }).ends()).status, 200);
  program.signal('SIGTERM'); // a second signal would end it with 130
  assert.deepEqual(await settles('it exits', program.exit, 10000), { code: 0, signal: null });
});

test('a second signal ends it at once', { timeout }, async (t) => {
  const { troupe } = await start(t, 60);
  const turn = new Turn(troupe.url, { message: 'go', model: 'hang-call' });
  await turn.sees('MCP_TOOL_START');
  troupe.program.signal('SIGINT');
  await until('it drains', async () => (await fetch(`${troupe.url}/readyz`)).status === 503);
  troupe.program.signal('SIGINT');
  const late = watchLateness();
  const asked = performance.now();
  const ended = await settles('it exits', troupe.program.exit, 20000);
  assert.ok(performance.now() - asked < within(3000) + late());
  assert.notDeepEqual(ended, { code: 0, signal: null }, 'the exit code says that it was cut');
  troupe.judged = true;
});

test('without turns it exits at once', { timeout }, async (t) => {
  const { troupe } = await start(t, 60);
  const idle = await fetch(`${troupe.url}/healthz`); // leaves a keep-alive connection open
  await idle.text();
  const late = watchLateness();
  const asked = performance.now();
  troupe.program.signal('SIGINT');
  const ended = await settles('it exits', troupe.program.exit, 20000);
  assert.ok(performance.now() - asked < within(3000) + late());
  assert.deepEqual(ended, { code: 0, signal: null }, String(troupe.program));
});
