// The side of an MCP server that no transport knows: one client's session, healthy but for a fault.
import { callFaults, tools } from './fault_calls.mjs';
import { startFaults } from './fault_starts.mjs';

/** What a request's answer goes through is an `out`; every transport has one:
 * - message(object): sends one JSON-RPC message that belongs to the request;
 * - frame(buffer): returns the bytes that carry a message whose text is `buffer`;
 * - around(length): returns {head, tail}, the bytes around a message's text of so many bytes;
 * - bytes(buffer): sends bytes as they are; resolves when more may be sent;
 * - finish(): nothing more follows (ends the response where the request has one of its own);
 * - hangUp(): ends the stream that carries the answer in good order;
 * - cut(): breaks it off;
 * - die(): ends the server with exit code 1 where it is a program of its own, else as cut();
 * - closed: whether the client is gone.
 */

const unknownMethod = { code: -32601, message: 'Method not found' };
const capabilities = {
  tools: { listChanged: true },
  logging: {},
  tasks: { requests: { tools: { call: {} } } },
};

const say = (text) => ({ content: [{ type: 'text', text }] });

/** One tools/call, as the faults see it. */
export class Call {
  constructor(session, { id, params }, out) {
    this.session = session;
    this.id = id;
    this.args = params.arguments ?? {};
    this.token = params._meta?.progressToken;
    this.out = out;
    this.cancelled = new Promise((resolve) => session.cancels.set(id, resolve));
    this.cancelled.then(() => (this.isCancelled = true));
  }

  /** Sends `text` as the result of the call, or of another id, without ending the answer. */
  say(text, id = this.id) {
    this.out.message({ jsonrpc: '2.0', id, result: say(text) });
  }

  /** Answers as a healthy server would. */
  right(text = 'right') {
    this.say(text);
    this.out.finish();
  }

  /** Returns the bytes of the right answer with their frame. */
  framed(text = 'right') {
    const answer = { jsonrpc: '2.0', id: this.id, result: say(text) };
    return this.out.frame(Buffer.from(JSON.stringify(answer)));
  }

  notify(method, params) {
    this.out.message({ jsonrpc: '2.0', method, params });
  }

  /** Sends text that does not have to be JSON, in a frame. */
  text(text) {
    return this.out.bytes(this.out.frame(Buffer.from(text)));
  }
}

/** One client's session. */
export class FaultSession {
  /**
   * @param fault name of a start fault, or undefined
   * @param channel the `out` of what the server says on its own initiative
   * @param lose forgets sessions, where the transport has any: lose(form, quietly)
   */
  constructor({ fault, journal, channel, lose = () => {} }) {
    this.fault = startFaults[fault] ?? {};
    if (fault && !startFaults[fault]) throw new Error(`there is no fault '${fault}'`);
    this.journal = journal;
    this.channel = channel;
    this.lose = lose;
    this.cancels = new Map();
    this.tasks = new Map();
    this.answers = 0;
  }

  /** Takes one message of the client; what answers it goes through `out`. */
  async receive(message, out) {
    const hook = this.fault[message.method] ?? this.fault.any;
    const { method, id, result, error } = message;
    if (method) this.journal.note(method, { tool: message.params?.name });
    else this.journal.note('answer', { id, result, error });
    if (hook && (await hook({ session: this, message, out })) !== 'healthy') return;
    if (message.method === undefined) this.answers += 1;
    else if (message.id === undefined) this.#notified(message, out);
    else await this.#asked(message, out);
  }

  reply(message, out, result) {
    out.message({ jsonrpc: '2.0', id: message.id, result });
    out.finish();
  }

  #notified({ method, params }, out) {
    if (method === 'notifications/cancelled') {
      this.journal.note('cancel', { id: params.requestId });
      this.cancels.get(params.requestId)?.();
    }
    out.finish();
  }

  async #asked(message, out) {
    switch (message.method) {
      case 'initialize':
        return this.reply(message, out, {
          protocolVersion: message.params.protocolVersion,
          capabilities,
          serverInfo: { name: 'fault-server', version: '1.0.0' },
        });
      case 'ping':
        return this.reply(message, out, {});
      case 'tools/list':
        return this.reply(message, out, { tools });
      case 'tools/call':
        return this.#called(message, out);
      case 'tasks/get':
      case 'tasks/cancel':
        return this.reply(message, out, this.tasks.get(message.params.taskId));
      case 'tasks/result':
        return undefined; // it never comes
      default:
        out.message({ jsonrpc: '2.0', id: message.id, error: unknownMethod });
        return out.finish();
    }
  }

  async #called(message, out) {
    const call = new Call(this, message, out);
    const { name } = message.params;
    if (name === 'echo') return call.right(String(call.args.text));
    if (name === 'sleep') return setTimeout(() => call.right('slept'), call.args.ms);
    if (name === 'task') return this.reply(message, out, { task: this.#newTask() });
    const { kind, times = Infinity } = call.args;
    if (!callFaults[kind]) return call.right(`there is no fault '${kind}'`);
    if (times < Infinity && this.journal.count(kind) >= times) return call.right();
    this.journal.note(kind);
    await callFaults[kind](call);
    return undefined;
  }

  /** A task that works for ever. */
  #newTask() {
    const now = new Date().toISOString();
    const taskId = `task-${this.tasks.size}`;
    const times = { createdAt: now, lastUpdatedAt: now, ttl: null, pollInterval: 50 };
    const task = { taskId, status: 'working', ...times };
    this.tasks.set(taskId, task);
    return task;
  }
}
