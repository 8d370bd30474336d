// Every limit of a turn for once in real time, with models that stream and with ones that do not.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../support/fake_model.mjs';
import { within } from '../support/patience.mjs';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';
import { newSession, takeTurn } from '../support/turns.mjs';

const timeout = 120000;

/** Starts everything with one limit; turn() also asks the chat once more, as any user would. */
async function start(t, limits, more = {}) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url),
    defaultModel: 'text',
    mcpServers: { demo: demoServer() },
    limits,
    ...more,
  });
  await connected(troupe, 'demo');
  const turn = async (name, streaming, options = {}) => {
    const session = newSession();
    const began = performance.now();
    const taken = await takeTurn(
      troupe.url,
      { message: 'hi', model: name, streaming, ...options },
      { session },
    );
    taken.took = performance.now() - began;
    const after = await takeTurn(troupe.url, { message: 'and now?' }, { session });
    assert.equal(after.events.at(-1).finishReason, 'stop', 'the history is one that models accept');
    return taken;
  };
  return { model, troupe, turn };
}

const errorsOf = (turn) => turn.of('MCP_TOOL_ERROR').map(({ error }) => error);

function assertLasted(turn, milliseconds) {
  assert.ok(turn.took >= milliseconds - 5, `${turn.took} ms are less than ${milliseconds}`);
  assert.ok(turn.took < within(milliseconds + 5000), `${turn.took} ms for ${milliseconds}`);
}

/** Runs `check` in both modes of the model. */
function inBothModes(what, limits, check, more) {
  test(what, { timeout }, async (t) => {
    const world = await start(t, limits, more);
    for (const streaming of [true, false])
      await t.test(streaming ? 'streamed' : 'in one piece', () => check(world, streaming));
  });
}

inBothModes(
  'a tool that does not answer costs the turn toolTimeoutMs',
  { toolTimeoutMs: 400 },
  async ({ turn, troupe }, streaming) => {
    const taken = await turn('hang-call', streaming);
    assert.deepEqual(errorsOf(taken), ['tool_timeout']);
    assert.equal(taken.events.at(-1).finishReason, 'stop');
    assertLasted(taken, 400);
    assert.equal((await troupe.status()).activeFlows, 0);
  },
);

inBothModes(
  'an approval that nobody gives is a denial after its time',
  {},
  async ({ turn }, streaming) => {
    const taken = await turn('call', streaming);
    assert.equal(taken.of('TOOL_APPROVAL_REQUEST').length, 1);
    assert.deepEqual(errorsOf(taken), ['tool_denied']);
    assertLasted(taken, 400);
  },
  { toolApproval: { tools: ['demo/*'], timeoutMs: 400 } },
);

inBothModes(
  'a model that always wants tools gets maxToolRoundtrips rounds of them',
  { maxToolRoundtrips: 3, maxIdenticalCalls: 0 },
  async ({ turn }, streaming) => {
    const taken = await turn('loop', streaming);
    assert.equal(taken.of('MCP_TOOL_SUCCESS').length, 3);
    assert.equal(taken.of('MODEL_RESPONSE_WAITING').length, 4);
    const { type, finishReason, roundtrips } = taken.events.at(-1);
    assert.deepEqual([type, finishReason, roundtrips], ['SESSION_END', 'tool-calls', 3]);
  },
);

test('the same call is run maxIdenticalCalls times', { timeout }, async (t) => {
  const same = { name: 'echo', arguments: { message: 'again' } };
  const model = await startFakeModel(t, () => ({ calls: [same] }));
  const troupe = await startTroupe(t, {
    models: models(model.url, ['stubborn']),
    mcpServers: { demo: demoServer() },
    limits: { maxToolRoundtrips: 4, maxIdenticalCalls: 2 },
  });
  await connected(troupe, 'demo');
  for (const streaming of [true, false]) {
    const taken = await takeTurn(troupe.url, { message: 'hi', streaming });
    assert.equal(taken.of('MCP_TOOL_SUCCESS').length, 2);
    assert.deepEqual(errorsOf(taken).slice(0, 2), ['tool_calls_repeated', 'tool_calls_repeated']);
  }
});

inBothModes(
  'of the calls of a round maxCallsPerRound are run',
  { maxCallsPerRound: 1 },
  async ({ turn }, streaming) => {
    const taken = await turn('parallel', streaming);
    assert.equal(taken.of('MCP_TOOL_SUCCESS').length, 1);
    assert.deepEqual(errorsOf(taken), ['too_many_tool_calls']);
    assert.equal(taken.events.at(-1).finishReason, 'stop');
  },
);

for (const [what, limits, name] of [
  ['tokens', { maxTurnTokens: 5 }, 'call'],
  ['bytes', { maxTurnBytes: 16384 }, 'long'],
])
  inBothModes(
    `a turn of too many ${what} ends with an error, and the chat goes on`,
    limits,
    async ({ turn }, streaming) => {
      const { type, error } = (await turn(name, streaming)).events.at(-1);
      assert.deepEqual([type, error], ['SESSION_ERROR', 'turn_limit_reached']);
    },
  );

test('a resumable turn with more events than can be kept ends', { timeout }, async (t) => {
  const { turn } = await start(t, { maxLogBytes: 65536 });
  const { type, error } = (await turn('long', true, { resumable: true })).events.at(-1);
  assert.deepEqual([type, error], ['SESSION_ERROR', 'turn_limit_reached']);
  const whole = await turn('long', false, { resumable: true });
  assert.equal(whole.events.at(-1).type, 'SESSION_END', 'what came at once is there already');
});
