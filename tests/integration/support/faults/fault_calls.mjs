// What can go wrong in a tool call. Each fault gets the Call (fault_session.mjs).
import { setTimeout as pause } from 'node:timers/promises';

const text = { type: 'object', properties: { text: { type: 'string' } } };
const object = { type: 'object' };

/** `fault` {kind, times?, ...} misbehaves; `fault-safe` does the same and may be repeated. */
export const tools = [
  { name: 'echo', inputSchema: text, annotations: { readOnlyHint: true } },
  { name: 'sleep', inputSchema: object, annotations: { readOnlyHint: true } },
  { name: 'fault', inputSchema: object },
  { name: 'fault-safe', inputSchema: object, annotations: { idempotentHint: true } },
  { name: 'task', inputSchema: object, execution: { taskSupport: 'required' } },
];

const log = (n) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'debug', data: `flood ${n} ${'x'.repeat(200)}` },
});

/** Sends what `make(n)` returns, in frames, as fast as the client takes it, until `over()`. */
async function flood({ out }, make, over) {
  for (let n = 0; !over() && !out.closed; n += 64) {
    const texts = Array.from({ length: 64 }, (_, i) => JSON.stringify(make(n + i)));
    await out.bytes(Buffer.concat(texts.map((text) => out.frame(Buffer.from(text)))));
    await pause(0); // the cancellation has to be read some time
  }
}

/** Sends a frame whose text is `head`, `size` times `filler`, and `tail`, piece by piece. */
async function sendLong({ out }, head, size, tail, filler = 'x') {
  const frame = out.around(head.length + size + tail.length);
  const piece = Buffer.alloc(1 << 20, filler);
  await out.bytes(Buffer.concat([frame.head, Buffer.from(head)]));
  for (let left = size; left > 0 && !out.closed; left -= piece.length)
    await out.bytes(piece.subarray(0, Math.min(left, piece.length)));
  await out.bytes(Buffer.concat([Buffer.from(tail), frame.tail]));
}

const resultHead = (id) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[`;
const textHead = (id) => `${resultHead(id)}{"type":"text","text":"`;

export const callFaults = {
  /** Never a byte. */
  silence() {},

  /** The stream that carries the answer ends in good order, without it. */
  'early-end': (call) => call.out.hangUp(),

  /** Over HTTP: an event id and the end; who resumes gets the answer, unless `answered: false`. */
  'early-end-resumable': (call) => call.out.keep(call),

  /** The stream breaks off. */
  cut: (call) => call.out.cut(),

  /** The program dies with exit code 1 where there is one, else as `cut`. */
  crash: (call) => call.out.die(),

  /** A message of `bytes` bytes; the right answer follows. */
  async 'long-message'(call) {
    await sendLong(call, textHead(call.id), call.args.bytes, '"}]}}');
    call.out.finish();
  },

  /** Log messages without end; `until: 'cancelled'` stops, and answers too late. */
  async flood(call) {
    await flood(call, log, () => call.args.until === 'cancelled' && call.isCancelled);
  },

  /** Progress without end. */
  async 'endless-progress'(call) {
    const progress = (n) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: call.token, progress: n },
    });
    for (let n = 1; !call.isCancelled && !call.out.closed; n += 1) {
      call.out.message(progress(n));
      await pause(call.args.every ?? 20);
    }
  },

  /** The right answer, one byte every `every` milliseconds. */
  async drip(call) {
    for (const byte of call.framed()) {
      if (call.out.closed) return;
      await call.out.bytes(Buffer.from([byte]));
      await pause(call.args.every);
    }
    call.out.finish();
  },

  /** An answer with the id `id`, then the right one unless `only`. */
  'wrong-id'(call) {
    call.say('wrong', call.args.id);
    if (call.args.only) call.out.finish();
    else call.right();
  },

  /** The right answer, but the id is a string. */
  'id-as-string'(call) {
    call.say('right', String(call.id));
    call.out.finish();
  },

  /** The right answer twice, the second one with another text. */
  duplicate(call) {
    call.say('right');
    call.right('wrong: the second answer');
  },

  /** Nothing until the call is cancelled; then the answer. */
  async late(call) {
    await call.cancelled;
    call.right('wrong: too late');
  },

  /** What is no message at all, then the right answer. */
  async noise(call) {
    await call.text('Debug: about to answer');
    await call.text('{"not": json');
    await call.text('[]');
    await call.text('{}');
    await call.text('null');
    call.right();
  },

  /** An answer that no string of JSON may look like. */
  async 'invalid-utf8'(call) {
    const parts = [Buffer.from(textHead(call.id)), Buffer.from([0xff, 0xc0]), Buffer.from('"}]}}')];
    await call.out.bytes(call.out.frame(Buffer.concat(parts)));
    if (call.args.then) call.right();
    else call.out.finish();
  },

  /** An answer whose text is `head`, the id, and `tail`. */
  async broken(call) {
    const { head = '{"jsonrpc":"2.0","id":', tail } = call.args;
    await call.text(`${head}${call.id}${tail}`);
    call.out.finish();
  },

  /** An error with the id `id`; without any if there is none. */
  'error-without-id'(call) {
    const error = { code: -32603, message: 'the index is being rebuilt' };
    call.out.message({ jsonrpc: '2.0', id: call.args.id, error });
    call.out.finish();
  },

  /** The right answer behind byte order marks, one of them inside its text. */
  async marked(call) {
    const answer = { content: [{ type: 'text', text: '\ufeffright' }] };
    const text = JSON.stringify({ jsonrpc: '2.0', id: call.id, result: answer });
    await call.text(`\ufeff${text}`);
    call.out.finish();
  },

  /** Arrays within arrays, `depth` of them, closed again unless `open`. */
  async 'json-bomb'(call) {
    const { depth, open } = call.args;
    const tail = open ? '' : `${']'.repeat(depth)}]}}`;
    await sendLong(call, resultHead(call.id), depth, tail, '[');
    if (call.args.then) call.right();
    else call.out.finish();
  },

  /** A result that is none. */
  'result-of-wrong-type'(call) {
    call.out.message({ jsonrpc: '2.0', id: call.id, result: call.args.result });
    call.out.finish();
  },

  error(call) {
    const error = { code: -32050, message: 'no, thanks' };
    call.out.message({ jsonrpc: '2.0', id: call.id, error });
    call.out.finish();
  },

  /** Asks the client something and is gone before it can answer. */
  'ask-and-vanish'(call) {
    const { method, params, after = 0 } = call.args;
    call.out.message({ jsonrpc: '2.0', id: 'ask-1', method, params });
    setTimeout(() => call.out.die(), after);
  },

  /** Says that its tools changed, 1000 times a second for `ms`; then the right answer. */
  async 'list-changed-storm'(call) {
    for (let left = call.args.ms; left > 0; left -= 10) {
      for (let i = 0; i < 10; i += 1) call.notify('notifications/tools/list_changed');
      await pause(10);
    }
    call.right();
  },

  /**
   * Answers and forgets every session of this server; what comes then is refused in that form. The
   * streams that are open end, unless `quietly`.
   */
  forget(call) {
    call.right();
    call.session.lose(call.args.form, call.args.quietly);
  },

  /** Over HTTP: an answer that is no MCP; `$id` in it is the id of the call. */
  status(call) {
    const { status, type = 'text/plain', body = '', coding } = call.args;
    call.out.refuse(status, type, body.replace('$id', call.id), coding);
  },
};
