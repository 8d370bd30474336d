// A thousand conversations of one owner with the same texts, tools and ids: what a server's tool answered in one of
// them is never told to the model in another, however they are cut, asked again and resumed.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startModelServer } from '../support/model_server.mjs';
import { within } from '../support/patience.mjs';
import { startPlainMcp } from '../support/plain_mcp.mjs';
import { randomFrom } from '../support/random.mjs';
import { connected, startTroupe } from '../support/servers.mjs';

const count = 1000;
const steps = Number(process.env.CONVERSATION_STEPS ?? 4000);
const atOnce = 64;
const question = 'What is my balance?';
const parameters = { type: 'object', properties: {} };
const traceOf = (traceparent) => traceparent.split('-')[1];

/** An MCP server whose tool answers with the conversation that asks, and another number each time. */
function startBank(t) {
  let number = 0;
  return startPlainMcp(t, 'bank', [{ name: 'balance', inputSchema: parameters }], ({ _meta }) => ({
    content: [{ type: 'text', text: `value-${traceOf(_meta.traceparent)}-${(number += 1)}` }],
  }));
}

/**
 * A model that calls both tools twice for each question, and counts its calls in each conversation from 0, as Kimi K2
 * does. Has `strangers`, values of other conversations that it was told, and how often it was told its own.
 */
async function startBanker(t) {
  const seen = { strangers: [], own: 0, none: 0 };
  const send = (response, delta, why = null) =>
    response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: why }] })}\n\n`);
  const url = await startModelServer(t, ({ messages }, response, { headers }) => {
    const values = JSON.stringify(messages).match(/value-[0-9a-f]+/g) ?? [];
    const trace = traceOf(headers.traceparent);
    seen.strangers.push(...values.filter((each) => each !== `value-${trace}`));
    const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
    const shown = since.filter(({ role, content }) => role === 'tool' && content === 'shown').length;
    if (shown > 0) ++seen[JSON.stringify(since).includes('value-') ? 'own' : 'none'];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const called = messages.reduce((sum, { tool_calls: calls }) => sum + (calls?.length ?? 0), 0);
    const call = (index, name) => ({ index, id: `functions.${name}:${called + index}`, type: 'function', function: { name, arguments: '{}' } });
    if (shown < 2) send(response, { content: 'Looking.', tool_calls: [call(0, 'balance'), call(1, 'show')] });
    else send(response, { content: 'Done.' });
    send(response, {}, shown < 2 ? 'tool_calls' : 'stop');
    response.end('data: [DONE]\n\n');
  });
  return { url, seen };
}

/** What a program with each client says: a history is a list of turns, and each turn a list of messages. */
const protocols = [
  {
    path: '/v1/chat/completions',
    body: (messages) => ({ messages, tools: [{ type: 'function', function: { name: 'show', parameters } }] }),
    read: ({ choices: [{ message }] }) => [[message], (message.tool_calls ?? []).map(({ id }) => id)],
    results: (ids) => ids.map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'shown' })),
  },
  {
    path: '/v1/messages',
    body: (messages) => ({ messages, max_tokens: 1000, tools: [{ name: 'show', input_schema: parameters }] }),
    read: ({ content }) => [[{ role: 'assistant', content }], content.filter(({ type }) => type === 'tool_use').map(({ id }) => id)],
    results: (ids) => [{ role: 'user', content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'shown' })) }],
  },
  ...[true, false].map((all) => ({
    path: '/v1/responses',
    body: (input) => ({ input, store: false, tools: [{ type: 'function', name: 'show', parameters, strict: false }] }),
    read: ({ output }) => [
      output.filter(({ type }) => all || type !== 'mcp_call'),
      output.filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id),
    ],
    results: (ids) => ids.map((call_id) => ({ type: 'function_call_output', call_id, output: 'shown' })),
  })),
  {
    path: '/api/chat',
    body: (messages) => ({ messages, stream: false, tools: [{ type: 'function', function: { name: 'show', parameters } }] }),
    read: ({ message }) => [[message], (message.tool_calls ?? []).map(({ id }) => id)],
    results: (ids) => ids.map((tool_call_id) => ({ role: 'tool', tool_call_id, tool_name: 'show', content: 'shown' })),
  },
];

class Conversation {
  constructor(url, number) {
    this.url = url;
    this.talks = protocols[number % protocols.length];
    this.trace = (number + 1).toString(16).padStart(32, '0');
    this.turns = [[{ role: 'user', content: question }]]; // what is said by the client and by the model, in turn
  }

  /** Asks the model with the first turns; returns the turns with the answer, and with what the client says to it. */
  async asked(turns) {
    const answer = await fetch(this.url + this.talks.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${this.trace}-00f067aa0ba902b7-01` },
      body: JSON.stringify({ model: 'banker', ...this.talks.body(turns.flat()) }),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const [said, calls] = this.talks.read(JSON.parse(text));
    return [...turns, said, calls.length > 0 ? this.talks.results(calls) : [{ role: 'user', content: question }]];
  }

  /** Goes on, or from an earlier place, or without the beginning, or asks twice at once and goes on from either. */
  async step(random) {
    const { turns } = this;
    const way = random();
    if (way < 0.15) this.turns = await this.asked(turns.slice(0, 1 + 2 * Math.floor((random() * turns.length) / 2)));
    else if (way < 0.2) this.turns = await this.asked(turns.slice(turns.findLastIndex(([{ content }]) => content === question)));
    else if (way < 0.3) this.turns = (await Promise.all([this.asked(turns), this.asked(turns)]))[Math.floor(random() * 2)];
    else this.turns = await this.asked(turns);
    if (this.turns.length > 24) this.turns = this.turns.slice(0, 1);
  }
}

test('no conversation gets what a tool answered in another one', { timeout: within(60000) + 20 * steps }, async (t) => {
  const banker = await startBanker(t);
  const troupe = await startTroupe(t, {
    models: { banker: { provider: 'openai', base_url: `${banker.url}/v1`, model: 'banker', api_key: 'k' } },
    mcpServers: { bank: await startBank(t) },
  });
  await connected(troupe, 'bank');
  const random = randomFrom(7);
  const free = Array.from({ length: count }, (_, number) => new Conversation(troupe.url, number));
  let left = steps;
  const walk = async () => {
    while (left > 0) {
      left -= 1;
      const [one] = free.splice(Math.floor(random() * free.length), 1);
      await one.step(random);
      free.push(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  const { strangers, own, none } = banker.seen;
  assert.deepEqual(strangers.slice(0, 3), []);
  t.diagnostic(`${own} of ${own + none} times the model knew what its tools had answered`);
  assert.ok(own > 9 * none, `${own} with values, ${none} without`);
});
