// The MCP host's two surfaces with the same calls: HTTP, and `troupe mcp`.
import assert from 'node:assert/strict';
import { within } from './patience.mjs';
import { binary, run } from './program.mjs';

/** Reads an event stream; resolves with [{event, data}]. */
async function events(answer) {
  const text = await answer.text();
  return text.split('\n\n').flatMap((block) => {
    const event = block.match(/^event: (.*)$/m)?.[1];
    const data = block.match(/^data: (.*)$/m)?.[1];
    return data === undefined ? [] : [{ event, data: JSON.parse(data) }];
  });
}

/** Calls over HTTP. Everything resolves with the parsed JSON of an answer with status 200. */
export function overHttp(url) {
  const send = async (method, path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(within(30000)),
    });
    return answer;
  };
  const json = async (...call) => {
    const answer = await send(...call);
    const text = await answer.text();
    assert.ok(answer.ok, `${call[0]} ${call[1]}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const only = (server) => (server ? `?server=${encodeURIComponent(server)}` : '');
  return {
    name: 'HTTP',
    send,
    json,
    servers: async () => (await json('GET', '/v1/mcp/servers')).servers,
    tools: async (server) => (await json('GET', `/v1/mcp/tools${only(server)}`)).tools,
    resources: (server) => json('GET', `/v1/mcp/resources${only(server)}`),
    prompts: async (server) => (await json('GET', `/v1/mcp/prompts${only(server)}`)).prompts,
    /** Resolves with {error, text, result, progress}. */
    async call(server, tool, args, more = {}) {
      const body = { server, tool, arguments: args, ...more };
      const answer = await send('POST', '/v1/mcp/tools/call', body, { accept: 'text/event-stream' });
      const all = await events(answer);
      const results = all.filter((each) => each.event === 'result');
      assert.equal(results.length, 1, JSON.stringify(all));
      assert.equal(all.at(-1).event, 'result', 'progress comes before the result');
      return { ...results[0].data, progress: all.slice(0, -1).map((each) => each.data) };
    },
    read: (server, uri) => json('POST', '/v1/mcp/resources/read', { server, uri }),
    prompt: (server, name, args) => json('POST', '/v1/mcp/prompts/get', { server, name, arguments: args }),
    complete: (server, ref, name, value, known) =>
      json('POST', '/v1/mcp/complete', {
        server, ref, argument: { name, value }, ...(known && { context: { arguments: known } }),
      }),
    logLevel: (server, level) => json('POST', '/v1/mcp/log-level', { server, level }),
    ping: (server) => json('POST', `/v1/mcp/servers/${encodeURIComponent(server)}/ping`),
  };
}

/** The same through `troupe mcp --server URL`, or with `--config` when `options` say so. */
export function overCommandLine(options) {
  const mcp = async (verb, ...args) => {
    const { code, stdout, stderr } = await run(binary('troupe'), ['mcp', verb, ...options, '--json', ...args], {
      milliseconds: 60000,
    });
    return { code, stdout, stderr };
  };
  const json = async (...args) => {
    const { code, stdout, stderr } = await mcp(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const only = (server) => (server ? [server] : []);
  const pairs = (values = {}) => Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return {
    name: 'troupe mcp',
    mcp,
    servers: async () => (await json('list')).servers,
    tools: async (server) => (await json('tools', ...only(server))).tools,
    resources: (server) => json('resources', ...only(server)),
    prompts: async (server) => (await json('prompts', ...only(server))).prompts,
    async call(server, tool, args) {
      const { code, stdout, stderr } = await mcp('call', server, tool, JSON.stringify(args));
      const error = code === 0 ? null : { code: 'tool_failed', message: stderr };
      const result = stdout ? JSON.parse(stdout) : null;
      const text = result?.content.map((part) => part.text ?? part.uri ?? part.resource?.uri ?? part.type).join('\n');
      return { error, text, result, progress: [] };
    },
    read: (server, uri) => json('read', server, uri),
    prompt: (server, name, args) => json('prompt', server, name, ...pairs(args)),
    complete: (server, ref, name, value, known) =>
      json('complete', server, name, value,
        ...(ref.type === 'ref/prompt' ? ['--prompt', ref.name] : ['--template', ref.uri]),
        ...pairs(known).flatMap((pair) => ['--with', pair])),
    logLevel: (server, level) => json('log-level', server, level),
    ping: (server) => json('ping', server),
  };
}

/**
 * Follows GET /v1/mcp/events; `next(kind, fits)` resolves with the data of the first such event,
 * also one that came before.
 */
export async function followEvents(t, url, { answers = false } = {}) {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const answer = await fetch(`${url}/v1/mcp/events${answers ? '?answers=true' : ''}`, { signal: stop.signal });
  assert.equal(answer.status, 200);
  const seen = [];
  let wake = () => {};
  const reading = (async () => {
    let rest = '';
    for await (const bytes of answer.body.pipeThrough(new TextDecoderStream())) {
      rest += bytes;
      const blocks = rest.split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        const event = block.match(/^event: (.*)$/m)?.[1];
        if (event) seen.push({ event, data: JSON.parse(block.match(/^data: (.*)$/m)[1]) });
      }
      wake();
    }
  })();
  reading.catch(() => {});
  return {
    seen,
    async next(kind, fits = () => true, milliseconds = 10000) {
      const deadline = AbortSignal.timeout(within(milliseconds));
      for (;;) {
        const found = seen.findIndex(({ event, data }) => event === kind && fits(data));
        if (found >= 0) return seen.splice(found, 1)[0].data;
        if (deadline.aborted) throw new Error(`no ${kind} event; seen: ${JSON.stringify(seen)}`);
        await new Promise((resolve) => {
          wake = resolve;
          deadline.addEventListener('abort', resolve, { once: true });
        });
      }
    },
  };
}

/** Accepts every form and URL that servers ask for, until the test ends; strings become `word`. */
export async function answerForms(t, url, word) {
  const events = await followEvents(t, url, { answers: true });
  const http = overHttp(url);
  const answering = (async () => {
    for (;;) {
      const { requestId, params } = await events.next('clientRequest', undefined, 100000);
      const content = params.requestedSchema && filled(params.requestedSchema, word);
      const answer = { action: 'accept', ...(content && { content }) };
      await http.json('POST', `/v1/mcp/requests/${requestId}`, answer);
    }
  })();
  answering.catch(() => {}); // the events end with the test
}

/** Returns what a form's required fields hold: the first choice, the default, or `word`. */
function filled({ properties, required = [] }, word) {
  const value = (field) =>
    field.default ?? field.enum?.[0] ?? field.oneOf?.[0].const ?? (field.type === 'string' ? word : 1);
  return Object.fromEntries(required.map((name) => [name, value(properties[name])]));
}
