// An MCP server over stdio that puts the text HOSTILE_TEXT wherever a server may put a text. Its tool
// `show` answers with every kind of content, `ask` asks for a form, `visit` for a visit of an address.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema, ElicitResultSchema, GetPromptRequestSchema, ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema, ListResourcesRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const bad = process.env.HOSTILE_TEXT;
const html = { mimeType: 'text/html', blob: Buffer.from(bad).toString('base64') };
const server = new Server(
  { name: bad, title: bad, version: bad },
  { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: bad },
);

const tool = (name) => ({
  name, title: `${bad}${name}`, description: bad,
  inputSchema: { type: 'object', properties: { value: { type: 'string', title: bad, description: bad, enum: [bad] } } },
});
const form = {
  type: 'object',
  properties: {
    a: { type: 'string', title: `${bad}a`, description: bad, enum: ['x'], enumNames: [bad] },
    b: { type: 'boolean', title: `${bad}b`, description: bad },
  },
};

/** What each tool answers. */
const tools = {
  show: () => ({
    content: [
      { type: 'text', text: bad },
      { type: 'image', data: html.blob, mimeType: 'text/html' },
      { type: 'image', data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>window.ran=1</script></svg>').toString('base64'), mimeType: 'image/svg+xml' },
      { type: 'audio', data: html.blob, mimeType: 'text/html' },
      { type: 'resource', resource: { uri: `x://${encodeURIComponent(bad)}`, ...html } },
      { type: 'resource', resource: { uri: 'x://text', mimeType: 'text/html', text: bad } },
      { type: 'resource_link', uri: 'javascript:window.ran=1', name: bad, description: bad },
    ],
  }),
  ask: (ask) => ask({ message: bad, requestedSchema: form }),
  visit: (ask) => ask({ mode: 'url', elicitationId: 'e', url: 'javascript:window.ran=1', message: bad }),
};

server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: Object.keys(tools).map(tool) }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
  const { progressToken } = params._meta ?? {};
  if (progressToken !== undefined)
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, message: bad } });
  const ask = async (asked) => {
    const got = await extra.sendRequest({ method: 'elicitation/create', params: asked }, ElicitResultSchema);
    return { content: [{ type: 'text', text: JSON.stringify(got) }] };
  };
  return tools[params.name](ask);
});
server.setRequestHandler(ListResourcesRequestSchema, () => ({
  resources: [{ uri: 'x://page', name: bad, title: bad, description: bad, mimeType: 'text/html' }],
}));
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: `x://{${bad.replace(/[{}]/g, '')}}`, name: bad, description: bad }],
}));
server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({
  contents: [{ uri: params.uri, mimeType: 'text/html', text: bad }, { uri: params.uri, ...html }],
}));
server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: [{ name: 'told', title: bad, description: bad, arguments: [{ name: bad, description: bad }] }],
}));
server.setRequestHandler(GetPromptRequestSchema, () => ({
  messages: [{ role: 'user', content: { type: 'text', text: bad } }],
}));

console.error(bad);
await server.connect(new StdioServerTransport());
