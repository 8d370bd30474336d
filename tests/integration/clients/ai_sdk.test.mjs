// The real AI SDK client, version 7 and 6, reads every kind of answer of POST /api/chat.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as sdk6 from 'ai6';
import * as sdk7 from 'ai';
import { ask, newChat, userMessage } from '../support/ai_client.mjs';
import { settles, until } from '../support/patience.mjs';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const callChunks = ['tool-input-start', 'tool-input-delta', 'tool-input-available'];
const textStep = ['start-step', 'text-start', 'text-delta', 'text-end', 'finish-step'];

async function start(t) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: {
      ...models(model.url),
      'paced-20-100000': models(model.url, ['paced-20-100000'])['paced-20-100000'],
    },
    defaultModel: 'text',
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  return { model, troupe };
}

const toolParts = (message) =>
  message.parts.filter((part) => part.type === 'dynamic-tool' || part.type.startsWith('tool-'));
const textOf = (message) =>
  message.parts.filter((part) => part.type === 'text').map((part) => part.text).join('');

for (const [version, sdk] of [['7', sdk7], ['6', sdk6]]) {
  test(`AI SDK ${version} reads answers with text and tools`, { timeout }, async (t) => {
    const { troupe, model } = await start(t);
    const chat = (name, more) => ask(sdk, troupe.url, { model: name, ...more });

    await t.test('plain text', async () => {
      const { types, message, errors, chunks } = await chat('text');
      assert.deepEqual(types, ['start', ...textStep, 'finish']);
      assert.deepEqual(errors, []);
      assert.ok(textOf(message).length > 0);
      assert.equal(chunks.at(-1).finishReason, 'stop');
    });

    await t.test('reasoning comes before the text and is closed', async () => {
      const { types, message } = await chat('reasoning');
      const reasoning = ['reasoning-start', 'reasoning-delta', 'reasoning-end'];
      assert.deepEqual(types.slice(2, 5), reasoning);
      assert.ok(message.parts.every((part) => part.state !== 'streaming'), JSON.stringify(message));
    });

    await t.test('one call', async () => {
      const { types, message, errors } = await chat('call');
      assert.deepEqual(errors, []);
      const [part] = toolParts(message);
      assert.equal(part.state, 'output-available');
      assert.deepEqual(
        types.filter((type) => type.startsWith('tool-')),
        [...callChunks, 'tool-output-available'],
      );
      assert.deepEqual(types.slice(-textStep.length - 1), [...textStep, 'finish']);
    });

    await t.test('chained calls are steps of their own', async () => {
      const { types, message } = await chat('chain');
      assert.deepEqual(toolParts(message).map((part) => part.state), [
        'output-available',
        'output-available',
      ]);
      assert.equal(types.filter((type) => type === 'start-step').length, 3);
      assert.equal(types.filter((type) => type === 'finish-step').length, 3);
      const { body } = (await model.requests()).at(-1);
      assert.equal(body.messages.filter((one) => one.role === 'tool').length, 2);
    });

    await t.test('parallel calls share a step', async () => {
      const { types, message } = await chat('parallel');
      const parts = toolParts(message);
      assert.ok(parts.length >= 2);
      assert.ok(parts.every((part) => part.state === 'output-available'), JSON.stringify(parts));
      assert.equal(types.filter((type) => type === 'start-step').length, 2);
    });

    await t.test('a failing tool', async () => {
      const { message, errors, chunks } = await chat('tool-error');
      assert.deepEqual(errors, []);
      assert.equal(toolParts(message)[0].state, 'output-error');
      assert.ok(toolParts(message)[0].errorText.length > 0);
      assert.equal(chunks.at(-1).type, 'finish');
    });

    await t.test('an unknown tool and unreadable arguments', async () => {
      for (const name of ['unknown-tool', 'bad-arguments']) {
        const { message, errors, chunks } = await chat(name);
        assert.deepEqual(errors, [], name);
        assert.equal(toolParts(message).length, 1, `${name}: ${JSON.stringify(message)}`);
        assert.equal(toolParts(message)[0].state, 'output-error', name);
        assert.equal(chunks.at(-1).type, 'finish', name);
      }
    });

    await t.test('what the model sees next time holds the calls and their results', async () => {
      const id = newChat();
      const question = userMessage('please call');
      const { message } = await chat('call', { id, messages: [question] });
      const messages = [question, message, userMessage('and now?')];
      await chat('text', { id, messages });
      const { body } = (await model.requests()).at(-1);
      const roles = body.messages.map((one) => one.role);
      assert.deepEqual(roles, ['user', 'assistant', 'tool', 'assistant', 'user']);
      assert.equal(body.messages[1].tool_calls[0].id, body.messages[2].tool_call_id);
    });
  });

  test(`AI SDK ${version} reads answers that fail or are stopped`, { timeout }, async (t) => {
    const { troupe, model } = await start(t);
    const chat = (name, more) => ask(sdk, troupe.url, { model: name, ...more });

    for (const name of ['error-400', 'error-401', 'error-429', 'error-500', 'html', 'html-502']) {
      await t.test(`the model answers ${name}`, async () => {
        const { chunks, errors, types } = await chat(name);
        assert.equal(errors.length, 1);
        assert.equal(chunks.filter((chunk) => chunk.type === 'error').length, 1);
        assert.ok(!/<html|<body/i.test(errors[0].message), errors[0].message);
        assert.deepEqual(types, ['start', 'start-step', 'error', 'finish-step', 'finish']);
        assert.equal(chunks.at(-1).finishReason, 'error');
      });
    }

    for (const name of ['cut', 'cut-clean']) {
      await t.test(`the model's stream is ${name} in the middle`, async () => {
        const { chunks, errors, types } = await chat(name);
        assert.equal(errors.length, 1);
        assert.ok(types.includes('text-delta'));
        assert.ok(types.indexOf('text-end') < types.indexOf('error'), 'parts close first');
        assert.equal(chunks.at(-1).finishReason, 'error');
      });
    }

    await t.test('stopped from elsewhere, the stream says abort and ends', async () => {
      let asked = false;
      const { types, message } = await chat('paced-20-100000', {
        onChunk: async (chunk, id) => {
          if (chunk.type !== 'text-delta' || asked) return;
          asked = true;
          const stop = await fetch(`${troupe.url}/api/chat/${id}/stop`, { method: 'POST' });
          assert.ok(stop.ok, `stop answered ${stop.status}`);
        },
      });
      assert.equal(types.at(-1), 'abort');
      assert.ok(types.includes('text-end'), 'the open part was closed');
      assert.ok(textOf(message).length > 0);
    });

    await t.test('its abort signal closes the upstream connection', async () => {
      const before = (await model.stats()).aborted;
      const controller = new AbortController();
      const cut = chat('paced-20-100000', {
        signal: controller.signal,
        onChunk: (chunk) => chunk.type === 'text-delta' && controller.abort(),
      });
      await settles('the client gives up', cut.catch(() => {}));
      await until('the model saw it', async () => (await model.stats()).aborted > before, 2000);
    });
  });
}

test('the answer has the headers and the last line of the protocol', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const answer = await fetch(`${troupe.url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: newChat(), message: userMessage('hello') }),
  });
  const body = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type'), /^text\/event-stream/);
  assert.equal(answer.headers.get('x-vercel-ai-ui-message-stream'), 'v1');
  assert.equal(answer.headers.get('cache-control'), 'no-cache');
  assert.equal(answer.headers.get('x-accel-buffering'), 'no');
  assert.ok(body.endsWith('data: [DONE]\n\n'));
  assert.equal(body.match(/\[DONE\]/g).length, 1);
  assert.ok(!body.includes('null'), 'an optional key is left out, never null');
});
