// An MCP server over stdio that asks its client: tool `form` (argument `schema`) for a form, tool
// `sample` for a message of a model. Each answers with what it got, as JSON.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema, CreateMessageResultSchema, ElicitResultSchema, ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
const inputSchema = { type: 'object' };

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'form', inputSchema }, { name: 'sample', inputSchema }],
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
  const ask = (method, asked, schema) => extra.sendRequest({ method, params: asked }, schema);
  const got = params.name === 'form'
    ? await ask('elicitation/create', { message: 'Which box?', requestedSchema: params.arguments.schema }, ElicitResultSchema)
    : await ask('sampling/createMessage', {
      maxTokens: 10, messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
    }, CreateMessageResultSchema);
  return { content: [{ type: 'text', text: JSON.stringify(got) }] };
});

await server.connect(new StdioServerTransport());
