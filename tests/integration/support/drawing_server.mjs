// An MCP server over HTTP with a tool that needs no arguments and answers with an image, and one
// that fails with an image.
import { startPlainMcp } from './plain_mcp.mjs';

/** A picture of one point. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';

const image = { type: 'image', data: png, mimeType: 'image/png' };
const tool = (name, description) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { size: { type: 'number' } } },
});

/** Starts it; resolves with its `mcpServers` entry. */
export const startDrawing = (t) =>
  startPlainMcp(t, 'drawing', [tool('draw', 'Draws a point.'), tool('fail', 'Cannot draw.')], ({ name }) => ({
    isError: name === 'fail',
    content: [{ type: 'text', text: name === 'fail' ? 'no ink left' : 'a point' }, image],
  }));
