// An MCP server over stdio whose tools are what a file says now: `tools` of tools/list, as JSON.
// Each call of a tool makes it say that its list has changed. Usage: turning_server.mjs FILE
import { readFileSync } from 'node:fs';
import readline from 'node:readline';

const [file] = process.argv.slice(2);
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'turning', version: '1' },
    }),
    'tools/list': () => ({ tools: JSON.parse(readFileSync(file, 'utf8')) }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'noted' }] }),
  };
  send({ id, result: results[method]?.() ?? {} });
  if (method === 'tools/call') send({ method: 'notifications/tools/list_changed' });
}
