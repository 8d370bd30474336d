// A fake model's answers that a test writes piece by piece.
import { respond } from '../../integration/support/fake_model.mjs';

/**
 * For startFakeModel(): `write` sends what `answer` returned, but where that is `{byHand: true}` the
 * test does: `begun()` resolves with `{text, call, args, end}` of the next such answer.
 */
export function handWritten() {
  const open = [];
  const waiting = [];
  return {
    write(response, answer, number) {
      if (!answer.byHand) return respond(response, answer, number);
      const pen = penFor(response, number);
      if (waiting.length > 0) waiting.shift()(pen);
      else open.push(pen);
    },
    begun: () => (open.length > 0 ? Promise.resolve(open.shift()) : new Promise((resolve) => waiting.push(resolve))),
  };
}

function penFor(response, number) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta, finish_reason = null) =>
    response.write(
      `data: ${JSON.stringify({ id: `chatcmpl-${number}`, object: 'chat.completion.chunk', created: 0, model: 'fake', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  const args = (text) => send({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  send({ role: 'assistant', content: null });
  return {
    text: (content) => send({ content }),
    call: (name) => send({ tool_calls: [{ index: 0, id: `call-${number}`, type: 'function', function: { name, arguments: '' } }] }),
    args,
    end(reason) {
      send({}, reason);
      response.end('data: [DONE]\n\n');
    },
  };
}
