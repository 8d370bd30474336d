// An OpenAI-compatible model for tests of the store: what it says follows from the user's message,
// and it keeps what it was asked with. A question that arrived here was acknowledged.
import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { here } from './network.mjs';
import { assertValidHistory } from './store_history.mjs';

/** The user's message of a turn with so many rounds of tool calls. */
export const question = (turn, rounds = 0) => `${turn} wants ${rounds} rounds`;

/** The text at the end of that turn. */
export const answerTo = (turn) => `The answer to ${turn}, in a few pieces.`;

/** What the tool `echo` is told by a call; it stands in the log of the tool's server. */
export const runOf = (turn, round, index) => `run ${turn}/${round}/${index}`;

/**
 * Starts the model. Has `url`, `questions` ({turn, messages} in order of arrival), `mistakes` (what
 * no model would accept) and `forget()`. It pauses for up to `pauseMs` before each piece; see hold().
 */
export async function startStoreModel(t, { random = Math.random, pauseMs = 0 } = {}) {
  const model = { questions: [], mistakes: [], forget: () => (model.questions.length = 0) };
  const server = http.createServer(async (request, response) => {
    response.on('error', () => {});
    try {
      let body = '';
      for await (const piece of request.setEncoding('utf8')) body += piece;
      await answer(model, JSON.parse(body), response, async (round) => {
        if (round >= model.heldFrom) await model.held;
        if (pauseMs) await pause(random() * pauseMs);
      });
    } catch (error) {
      if (error.code !== 'ECONNRESET') model.mistakes.push(error);
      response.destroy();
    }
  });
  await new Promise((resolve) => server.listen(0, here, 2048, resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(model, { url: `http://${here}:${server.address().port}` });
}

async function answer(model, { messages, tools = [] }, response, breathe) {
  assertValidHistory(messages);
  const last = messages.findLastIndex((message) => message.role === 'user');
  const [, turn, rounds] = messages[last].content.match(/^(\S+) wants (\d+) rounds$/);
  model.questions.push({ turn, messages });
  const rest = messages.slice(last + 1);
  const round = rest.filter((message) => message.role === 'assistant').length;
  const echo = tools.find((tool) => tool.function.name.endsWith('echo'));
  const send = open(response, () => breathe(round));
  if (!echo || round >= Number(rounds)) await talk(send, turn);
  else await call(send, echo.function.name, turn, round);
  response.end('data: [DONE]\n\n');
}

function open(response, breathe) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return async (delta, reason = null) => {
    await breathe();
    const choices = [{ index: 0, delta, finish_reason: reason }];
    const usage = reason && { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
    const chunk = { id: 'kept', object: 'chat.completion.chunk', created: 0, model: 'store' };
    response.write(`data: ${JSON.stringify({ ...chunk, choices, ...(usage && { usage }) })}\n\n`);
  };
}

async function talk(send, turn) {
  for (const piece of answerTo(turn).match(/.{1,12}/g)) await send({ content: piece });
  await send({}, 'stop');
}

/** Two calls at once in every second round. */
async function call(send, name, turn, round) {
  const made = (index) => ({
    index,
    id: `call-${turn}-${round}-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify({ message: runOf(turn, round, index) }) },
  });
  for (let i = 0; i <= round % 2; i += 1) await send({ tool_calls: [made(i)] });
  await send({}, 'tool_calls');
}

/** Makes answers from that round of a turn on wait until the function that comes back is called. */
export function hold(model, round = 0) {
  let release;
  model.heldFrom = round;
  model.held = new Promise((resolve) => (release = resolve));
  return release;
}

/** Fails when the model was asked what no model would accept. */
export function assertNoMistakes(model) {
  assert.deepEqual(model.mistakes, []);
}
