// What the soak asks for: one troupe-bench for each kind of user, and a model of many moods.
import http from 'node:http';

/**
 * One kind of user: `rate` sessions a second bring `tokens` a second, at a load of 30,000 tokens a
 * second in all. `mayFail`: its turns meet faults by design.
 */
export const users = [
  { name: 'web', rate: 30, tokens: 5700, args: ['--model', 'text', '--session-turns', '4',
    '--cancel', '0.1:0s-1ms', '--slow', '0.02:50ms'] },
  { name: 'native, comes back', rate: 25, tokens: 3700, args: ['--target', 'native', '--model',
    'text', '--session-turns', '3', '--think', '6s', '--cancel', '0.1:0s-1ms'] },
  { name: 'completions', rate: 40, tokens: 1900, args: ['--target', 'openai', '--model', 'text',
    '--cancel', '0.1:0s-1ms'] },
  { name: 'long', rate: 0.1, tokens: 9500, args: ['--model', 'long', '--slow', '0.2:10ms',
    '--cancel', '0.1:10ms-400ms'] },
  { name: 'paced', rate: 24, tokens: 5500, args: ['--model', 'paced', '--cancel', '0.1:0.1s-4s',
    '--slow', '0.05:300ms'] },
  { name: 'leaves', rate: 16, tokens: 3200, args: ['--target', 'ai-sdk', '--model', 'paced',
    '--cancel', '0.2:0.1s-4s'] },
  { name: 'tools', rate: 15, tokens: 300, args: ['--model', 'call', '--session-turns', '2',
    '--cancel', '0.1:0s-1ms'] },
  { name: 'two servers', rate: 5, tokens: 100, args: ['--target', 'native', '--model', 'chain',
    '--cancel', '0.1:0s-1ms'] },
  { name: 'faults', rate: 12, tokens: 100, mayFail: true, args: ['--model', 'moody', '--cancel',
    '0.1:0s-1s'] },
];

/** Scripts of `troupe model` that `moody` takes by lot; `reset` and `503` are its own. */
const moods = ['error-500', 'error-500', '503', 'error-429', 'cut', 'cut-clean', 'reset', 'stall',
  'silent', 'slow-start', 'html', 'html-502', 'empty', 'length', 'reasoning', 'bad-arguments',
  'unknown-tool', 'tool-error', 'hang-call', 'loop', 'parallel', 'error-400'];

/** The models, servers and limits under which all of that is over soon. */
export function soakConfig(bin, models, moody) {
  const model = (script, url) => ({ base_url: `${url}/v1`, model: script });
  return {
    listen: '127.0.0.1:0',
    models: {
      ...Object.fromEntries(['text', 'long', 'call', 'chain'].map((s) => [s, model(s, models)])),
      paced: model('paced-50-250', models),
      moody: { ...model('moody', moody), maxAttempts: 2, retryDelayMs: 50, maxConcurrent: 64,
        timeouts: { firstTokenMs: 3000, idleMs: 1000, totalMs: 8000 } },
    },
    defaultModel: 'text',
    mcpServers: {
      demo: { command: `${bin}/troupe-demo-mcp`, maxParallel: 64 },
      shaky: { command: `${bin}/troupe-demo-mcp` },
    },
    mcpAlwaysPrefix: true,
    limits: { sessionIdleMs: 4000, toolTimeoutMs: 1000 },
    logs: { level: 'off' },
  };
}

/** Numbers from 0 to 1, the same in each run. */
function drawer(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The way back from tools stays with the script that asked for them, as far as it matters. */
function scriptFor(body, draw) {
  if (body.messages.at(-1).role !== 'tool') return moods[Math.floor(draw() * moods.length)];
  return body.messages.filter(({ role }) => role === 'tool').length < 12 ? 'call' : 'text';
}

function begins(response, how) {
  if (how === '503') {
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"not now"}}');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('data: {"choices":[{"index":0,"delta":{"content":"Well"}}]}\n\n', () =>
    response.socket?.resetAndDestroy());
}

/** Starts it before the models at that URL; resolves with {url, close, asked}. */
export async function startMoody(models) {
  const draw = drawer(7);
  const asked = {};
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const body = JSON.parse(text);
    const script = scriptFor(body, draw);
    asked[script] = (asked[script] ?? 0) + 1;
    if (script === 'reset' || script === '503') return begins(response, script);
    const onward = http.request(`${models}/v1/chat/completions`, { method: 'POST' }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    return onward.end(JSON.stringify({ ...body, model: script }));
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    asked,
    close: () => { server.close(); server.closeAllConnections(); },
  };
}
