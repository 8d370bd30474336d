// Libraries for agents, set up as their users do it: turns with their own tools and with those of
// the server, histories that they keep themselves, streams, structured answers.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents';
import { generateText, jsonSchema, stepCountIs } from 'ai';
import { createAgent, tool as langchainTool } from 'langchain';
import OpenAI from 'openai';
import { connected, demoServer, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 120000;
const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const about = { name: 'weather', description: 'The weather of a city' };
const weather = ({ city: name }) => `${name}: sunny, 21 degrees`;
const ownTool = (name) => `call weather {"city": "${name}"}`;
const ourTool = 'call get-sum {"a": 40, "b": 2}';

async function start(t, mcpServers = { demo: demoServer() }) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url), defaultModel: 'told', mcpServers });
  if (mcpServers.demo) await connected(troupe, 'demo');
  return { model, troupe, base: `${troupe.url}/v1` };
}

/** What the tools have answered in the model's last request. */
async function seenResults(model) {
  const { body } = (await model.requests()).at(-1);
  const { messages } = typeof body === 'string' ? JSON.parse(body) : body;
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

test("OpenAI's agents run with their tools and the server's", { timeout }, async (t) => {
  const { base, model } = await start(t);
  setDefaultOpenAIClient(new OpenAI({ baseURL: base, apiKey: 'any', maxRetries: 0 }));
  setTracingDisabled(true);
  const agent = new Agent({
    name: 'Helper',
    instructions: 'Be brief.',
    model: 'told',
    tools: [tool({ ...about, parameters: city, strict: true, execute: weather })],
  });
  const first = await run(agent, ownTool('Bern'));
  assert.match(first.finalOutput, /Bern: sunny/);
  const second = await run(agent, [...first.history, { role: 'user', content: ourTool }]);
  assert.match(second.finalOutput, /is 42/);
  const third = await run(agent, [...second.history, { role: 'user', content: ownTool('Rome') }]);
  assert.match(third.finalOutput, /Rome: sunny/);
  // The library sends the call of the server's tool back without what it answered.
  const seen = await seenResults(model);
  assert.equal(seen.length, 3);
  assert.match(seen[1], /is 42/);

  const stream = await run(agent, `${ownTool('Oslo')}\nand ${ourTool}`, { stream: true });
  let text = '';
  for await (const piece of stream.toTextStream()) text += piece;
  await stream.completed;
  assert.match(stream.finalOutput, /Oslo: sunny.*is 42/s);
  assert.equal(text, stream.finalOutput);
});

test("OpenAI's agents go on behind a response, hand over and answer in a form", { timeout }, async (t) => {
  const { base, model } = await start(t);
  // The client that was set first stays the default one of the process.
  const openAIClient = new OpenAI({ baseURL: base, apiKey: 'any', maxRetries: 0 });
  const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient }), tracingDisabled: true });
  const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', model: 'told' });
  const first = await runner.run(agent, ourTool);
  const second = await runner.run(agent, 'And now?', { previousResponseId: first.lastResponseId });
  assert.match(second.finalOutput, /no line that orders a call/);
  assert.match((await seenResults(model))[0], /is 42/);

  const other = new Agent({ name: 'Other', instructions: 'You are the other one.', model: 'told' });
  const desk = new Agent({ name: 'Desk', model: 'told', handoffs: [other] });
  const handed = await runner.run(desk, 'call transfer_to_Other {}');
  assert.equal(handed.lastAgent.name, 'Other');
  assert.match(handed.finalOutput, /transfer_to_Other answered/);

  const schema = { ...city, additionalProperties: false };
  const form = new Agent({
    name: 'Form',
    model: 'echo',
    outputType: { type: 'json_schema', name: 'place', strict: true, schema },
  });
  assert.deepEqual((await runner.run(form, '{"city": "Bern"}')).finalOutput, { city: 'Bern' });
});

/** langchain's models, by the API that they speak. */
const langchainModels = {
  'chat completions': (url, model) =>
    new ChatOpenAI({ model, apiKey: 'any', maxRetries: 0, configuration: { baseURL: `${url}/v1` } }),
  responses: (url, model) =>
    new ChatOpenAI({
      model,
      apiKey: 'any',
      maxRetries: 0,
      useResponsesApi: true,
      configuration: { baseURL: `${url}/v1` },
    }),
  messages: (url, model) =>
    new ChatAnthropic({ model, apiKey: 'any', maxRetries: 0, maxTokens: 500, anthropicApiUrl: url }),
};

for (const [api, make] of Object.entries(langchainModels)) {
  test(`langchain over ${api}: agents, streams, structured answers`, { timeout }, async (t) => {
    const { troupe, model } = await start(t);
    const whole = await make(troupe.url, 'reasoning').invoke('hello');
    assert.match(whole.text, /^Every chat is an actor/);
    assert.ok(whole.usage_metadata.output_tokens > 0);
    let streamed = '';
    for await (const piece of await make(troupe.url, 'reasoning').stream('hello')) streamed += piece.text;
    assert.equal(streamed, whole.text);

    const tools = [langchainTool(weather, { ...about, schema: city })];
    const agent = createAgent({ model: make(troupe.url, 'told'), tools, systemPrompt: 'Be brief.' });
    let messages = [];
    const ask = async (content) => {
      ({ messages } = await agent.invoke({ messages: [...messages, { role: 'user', content }] }));
      return messages.at(-1).text;
    };
    assert.match(await ask(ownTool('Bern')), /Bern: sunny/);
    assert.match(await ask(ourTool), /is 42/);
    const both = await ask(`${ourTool}\nand ${ownTool('Rome')}`);
    assert.match(both, /is 42/);
    assert.match(both, /Rome: sunny/);
    assert.ok((await seenResults(model)).some((seen) => /Bern: sunny/.test(seen)));
  });

  test(`langchain over ${api}: a structured answer`, { timeout }, async (t) => {
    const { troupe } = await start(t, {});
    const asked = make(troupe.url, 'call').withStructuredOutput(city, { name: 'place', method: 'functionCalling' });
    assert.deepEqual(await asked.invoke('Where?'), { city: 'troupe' });
  });
}

test("the AI SDK's responses refer to items that were stored", { timeout }, async (t) => {
  const { base, model } = await start(t);
  const sent = [];
  const watched = (url, request) => {
    sent.push(request.body);
    return fetch(url, request);
  };
  const openai = createOpenAI({ baseURL: base, apiKey: 'any', fetch: watched });
  const tools = { weather: { description: about.description, inputSchema: jsonSchema(city), execute: weather } };
  const messages = [];
  const ask = async (name, content) => {
    messages.push({ role: 'user', content });
    const answer = await generateText({
      model: openai.responses(name),
      tools,
      messages,
      maxRetries: 0,
      stopWhen: stepCountIs(5),
    });
    messages.push(...answer.responseMessages);
    return answer.text;
  };
  assert.match(await ask('told', `${ownTool('Bern')}\n${ownTool('Rome')}`), /Bern: sunny.*Rome: sunny/s);
  assert.match(await ask('reasoning', 'think'), /^Every chat is an actor/);
  assert.match(await ask('told', ourTool), /is 42/);
  assert.match(await ask('told', ownTool('Oslo')), /Oslo: sunny/);
  for (const prefix of ['msg', 'mcp']) assert.match(sent.at(-1), new RegExp(`"item_reference","id":"${prefix}_`));
  const seen = await seenResults(model);
  for (const part of [/Bern/, /Rome/, /is 42/, /Oslo/])
    assert.ok(seen.some((text) => part.test(text)), `${part}: ${seen}`);
  assert.match(JSON.stringify((await model.requests()).at(-1).body), /Every chat is an actor/);
});
