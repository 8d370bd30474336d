// An MCP server over HTTP that a test writes in a few lines.
import http from 'node:http';
import { here } from './network.mjs';

/**
 * Starts a server with tools; resolves with its `mcpServers` entry.
 * @param tools as `tools/list` answers them
 * @param call gets the params of `tools/call` and returns its result
 */
export async function startPlainMcp(t, name, tools, call) {
  const answers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version: '1' } }),
    'tools/list': () => ({ tools }),
    'tools/call': call,
  };
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(text);
    if (id === undefined) return response.writeHead(202).end();
    const result = answers[method]?.(params) ?? {};
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise((resolve) => server.listen(0, here, resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { type: 'http', url: `http://${here}:${server.address().port}/` };
}
