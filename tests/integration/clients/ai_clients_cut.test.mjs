// The Chat class behind useChat in applications that leave the history to the server: another answer,
// and an edited message, without the messages before.
import assert from 'node:assert/strict';
import test from 'node:test';
import { versions } from '../support/ai_versions.mjs';
import { assertGood, openChat, textOf } from '../support/chat_client.mjs';
import { settles } from '../support/patience.mjs';
import { models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const sends = (chat, what) => settles('it is answered', chat.sendMessage(what), 20000);

/** The bodies of applications whose server has the history: the last message, or what it is about. */
const prepares = {
  'the last message': ({ id, messages, trigger, messageId, body }) =>
    ({ body: { ...body, id, trigger, messageId, message: messages.at(-1) } }),
  'the last message or the id of an answer': ({ id, messages, trigger, messageId, body }) => {
    const what = trigger === 'regenerate-message' ? {} : { message: messages.at(-1) };
    return { body: { ...body, id, trigger, messageId, ...what } };
  },
};

for (const [version, sdk, profile] of versions) {
  test(`AI SDK ${version} without the history`, { timeout }, async (t) => {
    const model = await startModel(t);
    const troupe = await startTroupe(t, { models: models(model.url), defaultModel: 'echo' });
    const roles = async () =>
      (await model.requests()).at(-1).body.messages.map((message) => message.role);

    for (const [what, prepare] of Object.entries(prepares)) {
      await t.test(`${what} is sent alone`, async () => {
        const chat = openChat(sdk, troupe.url, { model: 'echo', profile, prepare });
        const again = (messageId) =>
          settles('it is answered', chat.regenerate({ messageId }), 20000);
        await sends(chat, { text: 'one' });
        await sends(chat, { text: 'two' });
        assert.deepEqual(await roles(), ['user', 'assistant', 'user']);
        await again(chat.messages.at(-1).id);
        assertGood(chat, 'user', 'assistant', 'user', 'assistant');
        assert.equal(textOf(chat.messages.at(-1)), 'two');
        assert.deepEqual(await roles(), ['user', 'assistant', 'user']);
        await again(chat.messages[1].id);
        assertGood(chat, 'user', 'assistant');
        assert.equal(textOf(chat.messages.at(-1)), 'one');
        assert.deepEqual(await roles(), ['user']);
        const edited = { text: 'three', messageId: chat.messages[0].id };
        await sends(chat, edited);
        assertGood(chat, 'user', 'assistant');
        assert.equal(textOf(chat.messages.at(-1)), 'three');
        assert.deepEqual(await roles(), ['user']);
        assert.ok(chat.posts.every((post) => post.messages === undefined));
      });
    }
  });
}
