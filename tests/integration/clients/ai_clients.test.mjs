// The Chat class behind useChat, of the first and the newest versions of the AI SDK, in every kind
// of turn. A chunk that a version does not accept ends its chat with an error.
import assert from 'node:assert/strict';
import test from 'node:test';
import { newChat } from '../support/ai_client.mjs';
import { versions } from '../support/ai_versions.mjs';
import { assertGood, openChat, settled, textOf, toolsOf } from '../support/chat_client.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { settles, until } from '../support/patience.mjs';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const echoSchema = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
};
const clientEcho = { client_echo: { description: 'Echoes.', inputSchema: echoSchema } };
const ready = ['output-available'];

async function start(t) {
  const model = await startModel(t);
  const held = await startHeldModel(t);
  const troupe = await startTroupe(t, {
    models: {
      ...models(model.url),
      ...models(model.url, ['paced-20-100000']),
      ...models(held.url, ['held']),
    },
    defaultModel: 'text',
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  return { model, held, troupe };
}

/** Runs the client's tool as soon as it is called, as an application does. */
function answering(sdk, base, options) {
  const chat = openChat(sdk, base, {
    ...options,
    sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall: ({ toolCall: { toolName, toolCallId } }) => {
      if (toolName !== 'client_echo') return;
      const add = chat.addToolOutput ?? chat.addToolResult;
      add({ tool: toolName, toolCallId, output: 'the client was here' });
    },
  });
  return chat;
}

const states = (message) => toolsOf(message).map((part) => part.state);
const send = (chat, text = 'please') =>
  settles('it is answered', chat.sendMessage({ text }), 20000);
const assistantOf = (chat) => chat.messages.at(-1);

for (const [version, sdk, profile] of versions) {
  test(`AI SDK ${version} chats`, { timeout }, async (t) => {
    const { troupe, model } = await start(t);
    const open = (name) => openChat(sdk, troupe.url, { model: name, profile });
    const answers = (name, body) => answering(sdk, troupe.url, { model: name, profile, body });
    const roles = async () =>
      (await model.requests()).at(-1).body.messages.map((message) => message.role);

    await t.test('text', async () => {
      const chat = open('text');
      await send(chat);
      assertGood(chat, 'user', 'assistant');
      assert.ok(textOf(assistantOf(chat)).length > 0);
      assert.ok(assistantOf(chat).metadata.usage.totalTokens > 0);
      assert.equal(assistantOf(chat).metadata.model, 'text');
    });

    await t.test('chained calls', async () => {
      const chat = open('chain');
      await send(chat);
      assertGood(chat, 'user', 'assistant');
      assert.deepEqual(states(assistantOf(chat)), [...ready, ...ready]);
      assert.equal(assistantOf(chat).parts.filter((part) => part.type === 'step-start').length, 3);
    });

    await t.test('parallel calls', async () => {
      const chat = open('parallel');
      await send(chat);
      assertGood(chat, 'user', 'assistant');
      assert.deepEqual(states(assistantOf(chat)), [...ready, ...ready]);
    });

    await t.test('tools that fail, do not exist or are called wrongly', async () => {
      for (const name of ['tool-error', 'unknown-tool', 'bad-arguments']) {
        const chat = open(name);
        await send(chat);
        assertGood(chat, 'user', 'assistant');
        assert.deepEqual(states(assistantOf(chat)), ['output-error'], name);
      }
    });

    await t.test('a tool of the client: two requests, one assistant message', async () => {
      const chat = answers('call', { tools: clientEcho, mcpServers: [] });
      await send(chat);
      await settled(chat, 2);
      assert.equal(chat.posts.length, 2);
      assertGood(chat, 'user', 'assistant');
      assert.deepEqual(states(assistantOf(chat)), ready);
      assert.match(textOf(assistantOf(chat)), /the client was here/);
      assert.deepEqual(await roles(), ['user', 'assistant', 'tool']);
    });

    await t.test('a tool of the client and one of a server in one step', async () => {
      const chat = answers('parallel', { tools: clientEcho });
      await send(chat);
      await settled(chat, 2);
      assert.equal(chat.posts.length, 2);
      assertGood(chat, 'user', 'assistant');
      const kinds = toolsOf(assistantOf(chat)).map((part) => part.type);
      assert.deepEqual(kinds, ['tool-client_echo', 'dynamic-tool']);
      assert.deepEqual(states(assistantOf(chat)), [...ready, ...ready]);
      assert.match(textOf(assistantOf(chat)), /the client was here/);
      assert.match(textOf(assistantOf(chat)), /sum of 2 and 3 is 5/);
      assert.deepEqual(await roles(), ['user', 'assistant', 'tool', 'tool']);
    });

    await t.test('without rounds on the server the client runs its tools', async () => {
      const chat = answers('call', { tools: clientEcho, mcpServers: [], maxToolRoundtrips: 0 });
      await send(chat);
      await settled(chat, 2);
      assert.equal(chat.posts.length, 2);
      assertGood(chat, 'user', 'assistant');
    });

    await t.test('the limit of rounds does not make it send again', async () => {
      const chat = answers('loop', { maxToolRoundtrips: 2 });
      await send(chat);
      await settled(chat);
      assert.equal(chat.posts.length, 1);
      assertGood(chat, 'user', 'assistant');
      assert.equal(assistantOf(chat).parts.at(-1).type, 'data-limit');
    });

    await t.test('an error before the stream', async () => {
      const chat = open('no-such-model');
      await send(chat);
      assert.equal(chat.status, 'error');
      assert.match(chat.error.message, /no model called 'no-such-model'/);
      assert.doesNotMatch(chat.error.message, /[{<]/, 'the reason alone');
    });

    await t.test('an error in the stream', async () => {
      const chat = open('cut');
      await send(chat);
      assert.equal(chat.status, 'error');
      assert.match(chat.error.message, /broke off/);
      assert.ok(textOf(assistantOf(chat)).length > 0, 'what came before it stays');
      assert.deepEqual(assistantOf(chat).parts.at(-1).state, 'done');
    });

    await t.test('stopped by the client, the model is told', async () => {
      const before = (await model.stats()).aborted;
      const chat = open('paced-20-100000');
      const sent = send(chat);
      await until('text comes', () => chat.status === 'streaming' && textOf(assistantOf(chat)));
      await chat.stop();
      await sent;
      assert.deepEqual([chat.status, chat.failures], ['ready', []]);
      await until('the model saw it', async () => (await model.stats()).aborted > before, 2000);
    });

    await t.test('stopped on the server, the stream ends in order', async () => {
      const chat = open('paced-20-100000');
      const sent = send(chat);
      await until('text comes', () => chat.status === 'streaming' && textOf(assistantOf(chat)));
      await fetch(`${troupe.url}/api/chat/${chat.id}/stop`, { method: 'POST' });
      await sent;
      assertGood(chat, 'user', 'assistant');
    });

    await t.test('another answer to the same message', async () => {
      const chat = open('echo');
      await send(chat, 'one');
      await send(chat, 'two');
      await settles('it is answered', chat.regenerate(), 20000);
      assertGood(chat, 'user', 'assistant', 'user', 'assistant');
      assert.equal(textOf(assistantOf(chat)), 'two');
      assert.equal(chat.posts.at(-1).trigger, 'regenerate-message');
      assert.deepEqual(await roles(), ['user', 'assistant', 'user']);
    });

    await t.test('an edited message', async () => {
      const chat = open('echo');
      await send(chat, 'one');
      await send(chat, 'two');
      const messageId = chat.messages[0].id;
      await settles('it is answered', chat.sendMessage({ text: 'three', messageId }), 20000);
      assertGood(chat, 'user', 'assistant');
      assert.equal(textOf(assistantOf(chat)), 'three');
      assert.deepEqual(await roles(), ['user']);
    });
  });

  test(`AI SDK ${version} comes back to a running turn`, { timeout }, async (t) => {
    const { troupe, held } = await start(t);
    const id = newChat();
    const open = (more) => openChat(sdk, troupe.url, { id, profile, model: 'held', ...more });
    const shows = (chat) =>
      until('text comes', () => chat.status === 'streaming' && textOf(assistantOf(chat)) === 'one ');
    const first = open({ body: { resumable: true } });
    const sent = send(first);
    await until('the model is asked', () => held.answers.length === 1);
    const [answer] = held.answers;
    answer.say('one ');
    await shows(first);
    await first.stop();
    await sent;
    const second = open();
    const read = second.resumeStream();
    await shows(second);
    answer.say('two');
    answer.end();
    await settles('it is read to its end', read, 20000);
    assertGood(second, 'assistant');
    assert.deepEqual([second.posts.length, second.gets], [0, [200]]);
    assert.equal(assistantOf(second).id, assistantOf(first).id);
    assert.deepEqual([assistantOf(second), assistantOf(first)].map(textOf), ['one two', 'one ']);
    const third = open();
    await third.resumeStream();
    assert.deepEqual([third.gets, third.messages, third.failures], [[204], [], []]);
  });
}

for (const [version, sdk, profile] of versions.slice(1)) {
  test(`AI SDK ${version} asks the user for approval`, { timeout }, async (t) => {
    const { troupe, model } = await start(t);
    const open = (name) =>
      openChat(sdk, troupe.url, {
        model: name,
        profile,
        body: { toolApproval: 'always' },
        sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses,
      });

    await t.test('and runs the call when it is given', async () => {
      const chat = open('call');
      await send(chat);
      assertGood(chat, 'user', 'assistant');
      const [asked] = toolsOf(assistantOf(chat));
      assert.equal(asked.state, 'approval-requested');
      await chat.addToolApprovalResponse({ id: asked.approval.id, approved: true });
      await settled(chat, 2);
      assert.equal(chat.posts.length, 2);
      assertGood(chat, 'user', 'assistant');
      assert.deepEqual(states(assistantOf(chat)), ready);
      assert.match(textOf(assistantOf(chat)), /answered/);
      const steps = assistantOf(chat).parts.filter((part) => part.type === 'step-start');
      assert.equal(steps.length, 2, 'one step for each answer of the model');
    });

    await t.test('and does not when it is refused', async () => {
      const chat = open('call');
      await send(chat);
      const [asked] = toolsOf(assistantOf(chat));
      await chat.addToolApprovalResponse({ id: asked.approval.id, approved: false, reason: 'no' });
      await settled(chat, 2);
      assert.equal(chat.posts.length, 2);
      assertGood(chat, 'user', 'assistant');
      assert.deepEqual(states(assistantOf(chat)), ['output-denied']);
      const told = (await model.requests()).at(-1).body.messages.at(-1);
      assert.equal(told.role, 'tool');
      assert.match(told.content, /no/);
    });

    await t.test('of two calls at once, for each', async () => {
      const chat = open('parallel');
      await send(chat);
      const asked = toolsOf(assistantOf(chat)).map((part) => part.approval.id);
      assert.equal(new Set(asked).size, 2);
      await chat.addToolApprovalResponse({ id: asked[0], approved: true });
      assert.equal(chat.posts.length, 1);
      await chat.addToolApprovalResponse({ id: asked[1], approved: false });
      await settled(chat, 2);
      assertGood(chat, 'user', 'assistant');
      assert.deepEqual(states(assistantOf(chat)), ['output-available', 'output-denied']);
    });
  });
}
