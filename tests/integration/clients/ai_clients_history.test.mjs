// The Chat class behind useChat sends its whole history with each message. Whatever became of the
// calls of a turn, the model is told of them afterwards what it was told at first.
import assert from 'node:assert/strict';
import test from 'node:test';
import { versions } from '../support/ai_versions.mjs';
import { openChat, settled, toolsOf } from '../support/chat_client.mjs';
import { startHeldModel } from '../support/held_model.mjs';
import { settles, until } from '../support/patience.mjs';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const send = (chat, text = 'please') => settles('it is answered', chat.sendMessage({ text }), 20000);

async function start(t) {
  const [model, held] = [await startModel(t), await startHeldModel(t)];
  const troupe = await startTroupe(t, {
    models: { ...models(model.url), ...models(held.url, ['held']) },
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  return { model, held, troupe };
}

const results = (messages) => messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

for (const [version, sdk, profile] of versions) {
  test(`AI SDK ${version} sends back what became of calls`, { timeout }, async (t) => {
    const { model, held, troupe } = await start(t);
    const open = (name, options = {}) =>
      openChat(sdk, troupe.url, {
        model: name,
        profile,
        ...options,
        body: { whenBusy: 'wait', ...options.body },
      });
    const newest = async () => (await model.requests()).at(-1).body.messages;

    /** Sends one more message; returns what the model was told at first, which it must begin with. */
    const goesOn = async (chat) => {
      const before = await newest();
      const count = (await model.requests()).length;
      await send(chat, 'and now?');
      const { messages } = (await model.requests())[count].body;
      assert.deepEqual(messages.slice(0, before.length), before);
      return messages;
    };

    await t.test('that ran, or could not', async () => {
      for (const name of ['call', 'parallel', 'chain', 'tool-error', 'unknown-tool', 'bad-arguments']) {
        const chat = open(name);
        await send(chat);
        const told = await goesOn(chat);
        assert.ok(results(told).length > 0, name);
      }
    });

    await t.test('that were running when the user stopped', async () => {
      const chat = open('hang-call');
      const sent = send(chat);
      await until('it runs', () => toolsOf(chat.messages.at(-1)).some(({ state }) => state === 'input-available'));
      await chat.stop();
      await sent;
      chat.sendMessage({ text: 'and now?' });
      const told = await until('the model is asked again', async () => {
        const messages = await newest();
        return messages.at(-1).content === 'and now?' && messages;
      });
      assert.deepEqual(results(told), ['The turn was aborted before the tool had answered.']);
      await chat.stop();
    });

    await t.test('that the length of the answer cut', async () => {
      const chat = open('held');
      const count = held.answers.length;
      const sent = send(chat);
      const answer = () => until('the model is asked', () => held.answers[count]);
      (await answer()).call('echo', { message: 'x' }, 'length');
      await sent;
      chat.sendMessage({ text: 'and now?' });
      const { body } = await until('it is asked again', () => held.answers[count + 1]);
      assert.deepEqual(results(body.messages), ['The call was not run: the answer was cut at its maximum length.']);
      held.answers[count + 1].end();
    });

    await t.test('that were only begun when the user stopped', async () => {
      const chat = open('held');
      const count = held.answers.length;
      const sent = send(chat);
      const answer = await until('the model is asked', () => held.answers[count]);
      answer.say('Let me see. ');
      answer.beginCall('echo', '{"mess');
      await until('it is shown', () => toolsOf(chat.messages.at(-1)).length === 1);
      await chat.stop();
      await sent;
      chat.sendMessage({ text: 'and now?' });
      const { body } = await until('it is asked again', () => held.answers[count + 1]);
      assert.ok(body.messages.every((each) => each.tool_calls === undefined), 'none was made');
      assert.deepEqual(body.messages.at(-1).content, 'and now?');
      held.answers[count + 1].end();
    });

    if (profile === 'v5-min') return; // it cannot ask for approval
    await t.test('that the user refused', async () => {
      const chat = open('call', {
        body: { toolApproval: 'always' },
        sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses,
      });
      await send(chat);
      const [asked] = toolsOf(chat.messages.at(-1));
      await chat.addToolApprovalResponse({ id: asked.approval.id, approved: false, reason: 'no' });
      await settled(chat, 2);
      const told = await goesOn(chat);
      assert.match(results(told)[0], /^The user did not allow the call\..*no/);
    });
  });
}
