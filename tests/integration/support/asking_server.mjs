// An MCP server over stdio that asks its client: tool `form` (argument `schema`) for a form, tool
// `sample` for a message of a model. Each answers with what it got, as JSON; tool `give` answers with
// its argument `result`. Its prompt `parts` has a resource and a link.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema, CreateMessageResultSchema, ElicitResultSchema, GetPromptRequestSchema,
  ListPromptsRequestSchema, ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'asking', version: '1' }, { capabilities: { prompts: {}, tools: {} } });
const inputSchema = { type: 'object' };

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: ['form', 'sample', 'give'].map((name) => ({ name, inputSchema })),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
  if (params.name === 'give') return params.arguments.result;
  const ask = (method, asked, schema) => extra.sendRequest({ method, params: asked }, schema);
  const got = params.name === 'form'
    ? await ask('elicitation/create', { message: 'Which box?', requestedSchema: params.arguments.schema }, ElicitResultSchema)
    : await ask('sampling/createMessage', {
      maxTokens: 10, messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
    }, CreateMessageResultSchema);
  return { content: [{ type: 'text', text: JSON.stringify(got) }] };
});

server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ name: 'parts' }] }));

server.setRequestHandler(GetPromptRequestSchema, () => ({
  messages: [
    { type: 'resource', resource: { uri: 'x://a', text: 'the text' } },
    { type: 'resource_link', uri: 'x://b', name: 'b' },
  ].map((content) => ({ role: 'user', content })),
}));

await server.connect(new StdioServerTransport());
