// Approvals that are given late: after the page was closed, and after the server had ended.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { newChat } from '../support/ai_client.mjs';
import { versions } from '../support/ai_versions.mjs';
import { assertGood, openChat, settled, textOf, toolsOf } from '../support/chat_client.mjs';
import { settles, until } from '../support/patience.mjs';
import { connected, demoServer, folder, models, startModel } from '../support/servers.mjs';
import { StoreServer } from '../support/store_server.mjs';

const timeout = 60000;

async function start(t, limits = {}) {
  const model = await startModel(t);
  const log = path.join(folder(t), 'calls.log');
  const server = new StoreServer(t, {
    models: models(model.url),
    mcpServers: { demo: demoServer(log) },
    toolApproval: 'always',
    limits,
  });
  await back(server);
  return { server, log };
}

async function back(server) {
  await server.ready();
  await connected({ status: () => server.json('/v1/status') }, 'demo');
}

/** A page of the chat, with the messages that the server has of it. */
async function openPage(server, [, sdk, profile], id) {
  const { messages } = await server.json(`/v1/conversations/${id}`);
  return openChat(sdk, server.url, {
    id,
    profile,
    model: 'call',
    messages,
    sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses,
  });
}

/** Has the model call a tool that waits for the user; resolves with the id of the chat. */
async function ask(server, [, sdk, profile]) {
  const chat = openChat(sdk, server.url, { id: newChat(), profile, model: 'call' });
  await settles('it is asked', chat.sendMessage({ text: 'please' }), 20000);
  assert.deepEqual(toolsOf(chat.messages.at(-1)).map(({ state }) => state), ['approval-requested']);
  return chat.id;
}

const leavings = [
  ['the chat has left the memory', { sessionIdleMs: 200 }, async (server) => {
    await until('its session is gone', async () =>
      (await server.json('/v1/status')).sessions === 0);
  }],
  ['the server was ended', {}, async (server) => {
    await server.stop();
    await back(server);
  }],
  ['kill -9', {}, async (server) => {
    await server.kill();
    await back(server);
  }],
];

for (const version of versions.slice(1)) {
  for (const [when, limits, leave] of leavings) {
    test(`AI SDK ${version[0]}: a new page approves after ${when}`, { timeout }, async (t) => {
      const { server, log } = await start(t, limits);
      const [given, refused] = [await ask(server, version), await ask(server, version)];
      await leave(server);

      for (const [id, approved] of [[given, true], [refused, false]]) {
        const chat = await openPage(server, version, id);
        const [call] = toolsOf(chat.messages.at(-1));
        assert.equal(call.state, 'approval-requested');
        await chat.addToolApprovalResponse({ id: call.approval.id, approved });
        await settled(chat);
        assertGood(chat, 'user', 'assistant');
        const [ended] = toolsOf(chat.messages.at(-1));
        assert.equal(ended.state, approved ? 'output-available' : 'output-denied');
        assert.match(textOf(chat.messages.at(-1)), /answered/);
        const again = await openPage(server, version, id);
        assert.deepEqual(toolsOf(again.messages.at(-1)).map(({ state }) => state),
          [approved ? 'output-available' : 'output-denied']);
      }
      assert.equal(readFileSync(log, 'utf8').split('"tools/call"').length - 1, 1, 'it ran once');
    });
  }
}
