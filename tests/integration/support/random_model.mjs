// An OpenAI-compatible model that says and calls what comes, the same for the same seed.
import { startModelServer } from './model_server.mjs';

const texts = ['a', 'word ', 'line\nend', '"quoted" \\', 'é', '\u{1F600}', '  ', '中文'];
const kinds = [
  'text', 'said', 'texts', 'none', 'blank', 'image', 'marked', 'structured', 'linked', 'failed', 'silent',
];

/** Starts it; has `url`. `calls` says how likely calls are in its next answers (0 to 1). */
export async function startRandomModel(t, random) {
  let number = 0;
  const model = { calls: 0.4, failures: 0.08, endless: 0, hung: () => {} };
  const chance = (share) => random() < share;
  const one = (all) => all[Math.floor(random() * all.length)];

  function call() {
    const kind = random();
    if (kind < 0.5) return ['give', JSON.stringify({ kind: one(kinds) })];
    if (kind < 0.6) return ['guarded', '{"kind":"said"}'];
    if (kind < 0.75) return ['draw', JSON.stringify({ xml: one(texts), n: 1.5, big: 12345678901 })];
    if (kind < 0.82) return ['nobody has this', '{"a": 1}'];
    if (kind < 0.88) return [one(['draw', 'give']), one(['{"cut": ', 'no json', '[1]'])];
    return [one(['draw', 'give']), '{}'];
  }

  /** The deltas of an answer, and its finish reason. */
  function answer() {
    const deltas = [];
    let calls = 0;
    for (let left = Math.floor(random() * 4); left > 0; left -= 1) {
      if (chance(0.3)) deltas.push({ reasoning_content: one(texts) });
      else if (chance(model.calls)) {
        const [name, args] = call();
        const half = Math.floor(args.length / 2);
        const id = `call_${number}_${calls}`;
        deltas.push({ tool_calls: [{ index: calls, id, type: 'function', function: { name, arguments: '' } }] });
        if (chance(0.2)) deltas.push({ content: one(texts) });
        for (const piece of [args.slice(0, half), args.slice(half)]) {
          deltas.push({ tool_calls: [{ index: calls, function: { arguments: piece } }] });
        }
        calls += 1;
      } else deltas.push({ content: one(texts) });
    }
    return { deltas, reason: chance(0.1) ? 'length' : calls > 0 ? 'tool_calls' : 'stop' };
  }

  async function respond(response) {
    number += 1;
    if (chance(model.failures / 2)) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end('{"error":{"message":"no"}}');
    }
    const { deltas, reason } = answer();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta, finish_reason = null) =>
      response.write(`data: ${JSON.stringify({ id: `c${number}`, object: 'chat.completion.chunk', created: 0, model: 'm',
        choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    send({ role: 'assistant' });
    deltas.forEach((delta) => send(delta));
    if (chance(model.endless)) return model.hung(); // the test stops the turn
    if (chance(model.failures)) return response.destroy();
    send({}, reason);
    response.write(`data: ${JSON.stringify({ id: `c${number}`, choices: [],
      usage: { prompt_tokens: number, completion_tokens: 2, total_tokens: number + 2 } })}\n\n`);
    return response.end('data: [DONE]\n\n');
  }

  return Object.assign(model, { url: await startModelServer(t, (_, response) => respond(response)) });
}
