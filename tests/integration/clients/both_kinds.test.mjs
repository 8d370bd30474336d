// Answers that call tools of the client and of a server, over every API: what the server's tools
// answered is with the model when the client's results come, and stays there.
import assert from 'node:assert/strict';
import test from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, streamText } from 'ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const max_tokens = 2000;
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const about = { name: 'weather', description: 'The weather of a city' };
const weather = ({ city: name }) => `${name}: sunny, 21 degrees`;
const own = (name) => `call weather {"city": "${name}"}`;
const ours = (a, b) => `call get-sum {"a": ${a}, "b": ${b}}`;

/** Orders of calls, and what the tools answer, in that order. */
const orders = {
  'the server first': [`${ours(40, 2)}\nand ${own('Bern')}`, [/is 42/, /Bern: sunny/]],
  'the client first': [`${own('Bern')}\nand ${ours(40, 2)}`, [/Bern: sunny/, /is 42/]],
  'one after the other': [`${ours(40, 2)}\n${own('Bern')}\n${ours(1, 2)}`, [/is 42/, /Bern: sunny/, /is 3\b/]],
  'again and again': [
    `${ours(1, 2)}\n${ours(3, 4)}\nand ${own('Bern')}\nand ${own('Rome')}\n${own('Oslo')}\nand ${ours(40, 2)}\n${own('Paris')}`,
    [/is 3\b/, /is 7\b/, /Bern/, /Rome/, /Oslo/, /is 42/, /Paris/],
  ],
};

async function start(t, config = {}) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['told']),
    defaultModel: 'told',
    mcpServers: { demo: demoServer() },
    ...config,
  });
  await connected(troupe, 'demo');
  return { model, troupe, base: `${troupe.url}/v1` };
}

/** The messages of the model's requests, oldest first. */
async function asked(model) {
  const all = (await model.requests()).map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body));
  return all.map(({ messages }) => messages);
}

/** Checks the talk as the model saw it: all results in their order, and nothing before them ever changed. */
async function assertSeen(model, text, answers) {
  const seen = await asked(model);
  const results = seen.at(-1).filter(({ role }) => role === 'tool');
  assert.equal(results.length, answers.length, JSON.stringify(seen.at(-1), null, 1));
  answers.forEach((each, i) => {
    assert.match(results[i].content, each);
    assert.match(text, each);
  });
  for (let i = 1; i < seen.length; i += 1)
    assert.deepEqual(seen[i].slice(0, seen[i - 1].length), seen[i - 1], 'the beginning is the same');
}

/** Each takes a question to its end, as a program with the client would, and returns the text. */
const clients = {
  'openai, chat completions': async ({ base }, content, stream) => {
    const client = new OpenAI({ baseURL: base, apiKey: 'any', maxRetries: 0 });
    const tools = [{ type: 'function', function: { ...about, parameters: city } }];
    const messages = [{ role: 'user', content }];
    for (;;) {
      const body = { model: 'told', messages, tools };
      const answer = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      const [{ message }] = answer.choices;
      messages.push(message);
      if (!message.tool_calls?.length) return message.content;
      for (const { id, function: call } of message.tool_calls)
        messages.push({ role: 'tool', tool_call_id: id, content: weather(JSON.parse(call.arguments)) });
    }
  },
  '@anthropic-ai/sdk': async ({ troupe }, content, stream) => {
    const client = new Anthropic({ baseURL: troupe.url, apiKey: 'any', maxRetries: 0 });
    const tools = [{ ...about, input_schema: city }];
    const messages = [{ role: 'user', content }];
    for (;;) {
      const body = { model: 'told', messages, tools, max_tokens };
      const answer = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
      messages.push({ role: 'assistant', content: answer.content });
      const calls = answer.content.filter(({ type }) => type === 'tool_use');
      if (!calls.length) return answer.content.map(({ text }) => text).join('');
      const results = calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: weather(input) }));
      messages.push({ role: 'user', content: results });
    }
  },
  ollama: async ({ troupe }, content, stream) => {
    const client = new Ollama({ host: troupe.url });
    const tools = [{ type: 'function', function: { ...about, parameters: city } }];
    const messages = [{ role: 'user', content }];
    for (;;) {
      const answer = await client.chat({ model: 'told', messages, tools, stream });
      const message = { role: 'assistant', content: '', tool_calls: [] };
      for await (const { message: piece } of stream ? answer : [answer]) {
        message.content += piece.content;
        message.tool_calls.push(...(piece.tool_calls ?? []));
      }
      messages.push(message);
      if (!message.tool_calls.length) return message.content;
      for (const { function: call } of message.tool_calls)
        messages.push({ role: 'tool', tool_name: call.name, content: weather(call.arguments) });
    }
  },
  'openai, responses': (it, content, stream) => overResponses(it, content, stream, { all: true }),
  'openai, responses without items of the server': (it, content, stream) => overResponses(it, content, stream, {}),
  'openai, stored responses': (it, content, stream) => overResponses(it, content, stream, { store: true }),
  'ai, chat completions': (it, content, stream) => overAi(createOpenAI({ baseURL: it.base, apiKey: 'any' }).chat('told'), content, stream),
  'ai, responses': (it, content, stream) =>
    overAi(createOpenAI({ baseURL: it.base, apiKey: 'any' })('told'), content, stream, { openai: { store: false } }),
  'ai, messages': (it, content, stream) => overAi(createAnthropic({ baseURL: it.base, apiKey: 'any' })('told'), content, stream),
};

async function overResponses({ base }, content, stream, { all = false, store = false }) {
  const client = new OpenAI({ baseURL: base, apiKey: 'any', maxRetries: 0 });
  const tools = [{ type: 'function', ...about, parameters: city, strict: false }];
  let input = [{ role: 'user', content }];
  let previous_response_id;
  for (;;) {
    const body = { model: 'told', input, tools, store, previous_response_id };
    const answer = stream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
    const calls = answer.output.filter(({ type }) => type === 'function_call');
    if (!calls.length) return answer.output_text;
    const results = calls.map(({ call_id, arguments: args }) => ({
      type: 'function_call_output', call_id, output: weather(JSON.parse(args)),
    }));
    previous_response_id = store ? answer.id : undefined;
    input = store ? results : [...input, ...answer.output.filter(({ type }) => all || type !== 'mcp_call'), ...results];
  }
}

async function overAi(model, prompt, stream, providerOptions) {
  const tools = { weather: { description: about.description, inputSchema: jsonSchema(city), execute: weather } };
  const body = { model, prompt, tools, providerOptions, stopWhen: stepCountIs(10) };
  if (!stream) return (await generateText(body)).text;
  return streamText(body).text;
}

for (const [name, talk] of Object.entries(clients))
  test(`${name}: both kinds of tools`, { timeout }, async (t) => {
    const it = await start(t);
    for (const [order, [text, answers]] of Object.entries(orders))
      for (const stream of [false, true])
        await t.test(`${order}, ${stream ? 'streamed' : 'whole'}`, async () => {
          await it.model.forget();
          await assertSeen(it.model, await talk(it, text, stream), answers);
        });
  });

// What was stored is told by items, which do not say which calls were of one answer.
test('ai, stored responses: both kinds of tools', { timeout }, async (t) => {
  const it = await start(t);
  const model = createOpenAI({ baseURL: it.base, apiKey: 'any' })('told');
  for (const order of ['the client first', 'one after the other'])
    for (const stream of [false, true]) {
      await it.model.forget();
      const [prompt, answers] = orders[order];
      const text = await overAi(model, prompt, stream);
      const results = (await asked(it.model)).at(-1).filter(({ role }) => role === 'tool');
      assert.equal(results.length, answers.length);
      answers.forEach((each, i) => {
        assert.match(results[i].content, each);
        assert.match(text, each);
      });
    }
});

test('what the history says otherwise is not put back, nor anything where none may be kept', { timeout }, async (t) => {
  const talks = async (it, change) => {
    const client = new OpenAI({ baseURL: it.base, apiKey: 'any', maxRetries: 0 });
    const tools = [{ type: 'function', function: { ...about, parameters: city } }];
    const messages = [{ role: 'user', content: `${ours(40, 2)}\nand ${own('Bern')}` }];
    const { choices } = await client.chat.completions.create({ model: 'told', messages, tools });
    const { message } = choices[0];
    messages.push(message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'rain' });
    change(messages);
    const answer = await client.chat.completions.create({ model: 'told', messages, tools });
    return [answer.choices[0].message.content, (await asked(it.model)).at(-1)];
  };
  const it = await start(t);
  const [changed, seen] = await talks(it, (messages) => {
    messages[1].tool_calls[0].function.arguments = '{"city":"Rome"}';
  });
  assert.match(changed, /is 42.*rain/s);
  assert.match(JSON.stringify(seen[1]), /Rome/, 'a person has changed the call');
  const [other] = await talks(it, (messages) => {
    messages[1].content = 'I will not add.';
  });
  assert.doesNotMatch(other, /is 42/);
  const [none] = await talks(await start(t, { limits: { maxHiddenRoundBytes: 0 } }), () => {});
  assert.doesNotMatch(none, /is 42/);
});
