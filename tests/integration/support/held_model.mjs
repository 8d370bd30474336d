// An OpenAI-compatible model that says what the test says, when the test says it.
import { startModelServer } from './model_server.mjs';

/** One streamed answer under way. */
class HeldAnswer {
  constructor(body, response) {
    this.body = body;
    this.response = response;
    this.closedAt = undefined;
    response.on('close', () => {
      if (!response.writableFinished) this.closedAt = performance.now();
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  }

  /** The text of the last message of the user. */
  get question() {
    return this.body.messages.findLast((message) => message.role === 'user').content;
  }

  get over() {
    return this.response.writableFinished || this.closedAt !== undefined;
  }

  say(text) {
    return this.#send({ content: text });
  }

  /** Calls a tool and ends. */
  call(name, args, reason = 'tool_calls') {
    this.beginCall(name, JSON.stringify(args));
    this.end(reason);
  }

  /** Calls a tool with the beginning of a text of arguments, or all of it. */
  beginCall(name, text) {
    const made = { name, arguments: text };
    this.#send({ tool_calls: [{ index: 0, id: `call-${name}`, type: 'function', function: made }] });
  }

  end(reason = 'stop') {
    this.#send({}, reason);
    this.response.end('data: [DONE]\n\n');
  }

  #send(delta, reason = null) {
    const choices = [{ index: 0, delta, finish_reason: reason }];
    const chunk = { id: 'held', object: 'chat.completion.chunk', created: 0, model: 'held' };
    return this.response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`);
  }
}

/**
 * Starts the model. Has `url` and `answers`, those of all requests in order of arrival; `asked`, if
 * given, is called with each. The test fails if a request says what OpenAI refuses.
 */
export async function startHeldModel(t, asked = () => {}) {
  const answers = [];
  const url = await startModelServer(t, (body, response) => {
    const answer = new HeldAnswer(body, response);
    answers.push(answer);
    asked(answer);
  });
  return { url, answers };
}
