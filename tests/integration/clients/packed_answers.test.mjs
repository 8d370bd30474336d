// Servers that pack their answers: they are asked not to, and what is packed all the same is named.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import zlib from 'node:zlib';
import { McpSurface } from '../support/faults/fault_host.mjs';
import { startTroupe } from '../support/servers.mjs';
import { takeTurn } from '../support/turns.mjs';

const timeout = 60000;
const chunk = (delta, finish) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const streamed = `${chunk({ content: 'hi' })}${chunk({}, 'stop')}data: [DONE]\n\n`;
const refused = JSON.stringify({ error: { message: 'no' } });
const packers = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync };

/** Results of an MCP server with one tool. */
const results = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'packer', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'pack', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'ran' }] }),
};

/** The status, type and text of an answer. */
function answerTo({ method, url, headers }, message) {
  if (url.startsWith('/sse')) return [200, 'text/event-stream', 'event: endpoint\ndata: /x\n\n'];
  if (method !== 'POST') return [405, 'text/plain', ''];
  if (url.startsWith('/bad')) return [400, 'application/json', refused];
  if (url.startsWith('/v1')) return [200, 'text/event-stream', streamed];
  if (message.id === undefined) return [202, 'text/plain', ''];
  const result = results[message.method]?.(message.params) ?? {};
  const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
  return headers['x-events']
    ? [200, 'text/event-stream', `data: ${text}\n\n`]
    : [200, 'application/json', text];
}

/** Packs with `coding` unless the request forbids it; `always` packs in any case. */
async function startPacker(t, coding, always = false) {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const [status, type, text] = answerTo(request, JSON.parse(body || '{}'));
    const accepts = request.headers['accept-encoding'] ?? '*';
    const packs = (always || !/^identity$/.test(accepts)) && text;
    const fields = packs ? { 'content-encoding': coding } : {};
    response.writeHead(status, { 'content-type': type, ...fields });
    return response.end(packs ? packers[coding](text) : text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  return `http://127.0.0.1:${server.address().port}`;
}

async function start(t, url) {
  const model = (path) => ({ provider: 'openai', base_url: `${url}${path}`, model: 'm' });
  const troupe = await startTroupe(t, {
    models: { m: model('/v1'), bad: model('/bad') },
    defaultModel: 'm',
    mcpServers: {
      json: { type: 'http', url: `${url}/mcp` },
      events: { type: 'http', url: `${url}/mcp`, headers: { 'x-events': 'yes' } },
    },
  });
  return { troupe, surface: new McpSurface(troupe.url) };
}

test('a server that packs what it may pack is asked not to', { timeout }, async (t) => {
  const { troupe, surface } = await start(t, await startPacker(t, 'gzip'));
  assert.equal((await takeTurn(troupe.url, { message: 'hello', model: 'm' })).text(), 'hi');
  const bad = await takeTurn(troupe.url, { message: 'hello', model: 'bad' });
  assert.match(bad.of('SESSION_ERROR')[0].errorText, /no/);
  for (const name of ['json', 'events']) {
    await surface.health(name, 'success');
    assert.equal((await surface.call(name, 'pack')).text, 'ran');
  }
});

test('an answer that is packed all the same is named in its error', { timeout }, async (t) => {
  const url = await startPacker(t, 'br', true);
  const { troupe, surface } = await start(t, url);
  for (const model of ['m', 'bad']) {
    const turn = await takeTurn(troupe.url, { message: 'hello', model });
    const [error] = turn.of('SESSION_ERROR');
    t.diagnostic(`${model}: ${error.error}: ${error.errorText}`);
    assert.match(error.errorText, / is br encoded/);
    if (model === 'bad') assert.match(error.errorText, /400/);
  }
  await surface.put('sse', { type: 'sse', url: `${url}/sse` });
  for (const name of ['json', 'events', 'sse']) {
    const server = await surface.health(name, 'error');
    assert.match(server.error.message, / is br encoded/, name);
  }
});
