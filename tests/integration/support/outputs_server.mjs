// An MCP server over stdio whose tool `give` (argument `kind`) answers with every kind of result.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const text = (said) => ({ type: 'text', text: said });
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'image', data: png, mimeType: 'image/png' };

/** What `give` answers, by kind. */
const results = {
  text: { content: [text('two\nlines "quoted" é \u{1F600}')] },
  said: { content: [text('yes')], isError: false },
  texts: { content: [text('one'), text('two')] },
  none: { content: [] },
  blank: { content: [text('')] },
  image: { content: [text('a dot'), image, text('behind it')] },
  marked: { content: [{ ...image, annotations: { audience: ['user'] } }] },
  structured: { content: [text('{"n":1}')], structuredContent: { n: 1, deep: [{ a: null }] } },
  linked: { content: [{ type: 'resource_link', uri: 'x://b', name: 'b' }], _meta: { a: 1 } },
  long: { content: [text('long '.repeat(30000))] },
  failed: { content: [text('disk is full')], isError: true },
  silent: { content: [], isError: true },
};

const server = new Server({ name: 'outputs', version: '1' }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    { name: 'give', inputSchema: { type: 'object' } },
    { name: 'guarded', inputSchema: { type: 'object' } },
    { name: 'never', inputSchema: { type: 'object' } },
    // Models are told other names of these.
    { name: '給 圖', title: 'Gives "it"', inputSchema: { type: 'object' } },
    { name: 'guarded/圖', inputSchema: { type: 'object' } },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.name === 'never') return new Promise(() => {});
  return results[params.arguments.kind] ?? results.text;
});

await server.connect(new StdioServerTransport());
