// An MCP server over HTTP with a tool that needs no arguments and answers with an image, and one
// that fails with an image.
import http from 'node:http';

/** A picture of one point. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';

const image = { type: 'image', data: png, mimeType: 'image/png' };
const tool = (name, description) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { size: { type: 'number' } } },
});
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'drawing', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool('draw', 'Draws a point.'), tool('fail', 'Cannot draw.')] }),
  'tools/call': ({ name }) => ({
    isError: name === 'fail',
    content: [{ type: 'text', text: name === 'fail' ? 'no ink left' : 'a point' }, image],
  }),
};

/** Starts it; resolves with its `mcpServers` entry. */
export async function startDrawing(t) {
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
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { type: 'http', url: `http://127.0.0.1:${server.address().port}/` };
}
