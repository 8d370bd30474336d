// Native clients run tools of their own and decide about calls of the server.
import assert from 'node:assert/strict';
import test from 'node:test';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';
import { Turn, newSession, takeTurn } from '../support/turns.mjs';

const timeout = 60000;
const inputSchema = { type: 'object', properties: { message: { type: 'string' } } };
const tools = [{ name: 'client_echo', inputSchema }];

async function start(t) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url),
    defaultModel: 'call',
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  return { model, troupe };
}

async function post(troupe, session, verb, body, headers = {}) {
  const answer = await fetch(`${troupe.url}/v1/sessions/${session}/${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { status, headers: head } = answer;
  return { status, id: head.get('x-request-id'), text: await answer.text() };
}

test("results of the client's tools go on with the turn", { timeout }, async (t) => {
  const { troupe, model } = await start(t);
  for (const streaming of [true, false]) {
    const session = newSession();
    const options = { tools, mcpServers: [], streaming };
    const asked = await takeTurn(troupe.url, { message: 'please', ...options }, { session });
    const [call] = asked.of('TOOL_ARGS_COMPLETE');
    assert.deepEqual([call.toolName, call.clientSide], ['client_echo', true]);
    assert.equal(asked.events.at(-1).finishReason, 'tool-calls');
    assert.deepEqual(asked.of('MCP_TOOL_START'), []);

    const results = [{ toolCallId: call.toolCallId, output: { answer: 'forty-two' } }];
    const told = await takeTurn(troupe.url, { results, ...options }, {
      session,
      verb: 'tool-results',
    });
    assert.match(told.text(), /forty-two/);
    assert.equal(told.events[0].messageId, asked.events[0].messageId, 'one message');
    const { messages } = (await model.requests()).at(-1).body;
    assert.deepEqual(messages.map((message) => message.role), ['user', 'assistant', 'tool']);
  }
});

test('a call waits for the approval, and runs or is refused', { timeout }, async (t) => {
  const { troupe } = await start(t);
  for (const approved of [true, false]) {
    const turn = new Turn(troupe.url, { message: 'please', toolApproval: 'always' });
    const { approvalId, toolName } = await turn.sees('TOOL_APPROVAL_REQUEST');
    assert.equal(toolName, 'echo');
    assert.deepEqual(turn.of('MCP_TOOL_SUCCESS'), []);
    const reason = approved ? undefined : 'not on a Friday';
    const approvals = [{ approvalId, approved, reason }];
    const answer = await post(troupe, turn.session, 'approvals', { approvals }, {
      'x-request-id': 'mine',
    });
    assert.deepEqual(answer, { status: 202, id: 'mine', text: '{}' });
    await turn.ends();
    assert.equal(turn.of('MCP_TOOL_SUCCESS').length, approved ? 1 : 0);
    assert.equal(turn.of('MCP_TOOL_ERROR').length, approved ? 0 : 1);
    assert.match(turn.text(), approved ? /Echo: please/ : /not on a Friday/);
    assert.equal(turn.events.at(-1).type, 'SESSION_END');
  }
});

test('an approval that nobody waits for has no effect', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const session = newSession();
  const approvals = [{ approvalId: 'appr_unknown', approved: true }];
  assert.equal((await post(troupe, session, 'approvals', { approvals })).status, 202);
  const turn = await takeTurn(troupe.url, { message: 'please' }, { session });
  assert.equal(turn.of('MCP_TOOL_SUCCESS').length, 1);
});

test('a body that is not right is refused with the place', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const refusals = [
    ['tool-results', { results: [{ toolCallId: 'c' }] }, /results\[0\] must have either output/],
    ['approvals', { approvals: [{ approvalId: 'a' }] }, /approvals\[0\]\.approved must be/],
    ['turns', { message: 'x', tools: [{ name: 'a b' }] }, /tools\[0\] must have a name/],
    ['turns', { message: 'x', whenBusy: 'later' }, /whenBusy must be/],
  ];
  for (const [verb, body, text] of refusals) {
    const answer = await post(troupe, newSession(), verb, body);
    assert.equal(answer.status, 400);
    assert.match(JSON.parse(answer.text).error.message, text);
    assert.match(answer.id, /^req_/);
  }
});
