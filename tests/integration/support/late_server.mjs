// An MCP server over stdio that begins when the address LATE_URL answers, and whose tool `grow` gives
// it one more tool, `grown`.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'late', version: '1' }, { capabilities: { tools: { listChanged: true } } });
const tools = [{ name: 'grow', inputSchema: { type: 'object' } }];

server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  if (params.name === 'grow') {
    tools.push({ name: 'grown', inputSchema: { type: 'object' } });
    await server.sendToolListChanged();
  }
  return { content: [{ type: 'text', text: `${params.name} is done.` }] };
});

await fetch(process.env.LATE_URL);
await server.connect(new StdioServerTransport());
