// An MCP server over stdio whose tool `go` asks for `count` answers of the client's model before it
// answers: {answered, refused, reasons}.
import readline from 'node:readline';

const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }], maxTokens: 100 };
let running; // the call

function ends() {
  const { id, told, refused, reasons } = running;
  const text = JSON.stringify({ answered: told - refused, refused, reasons: [...reasons] });
  send({ id, result: { content: [{ type: 'text', text }] } });
}

/** One request at a time, so that tokens of an answer are known before the next. */
const asks = () => send({ id: `s${running.told}`, method: 'sampling/createMessage', params });

function isTold({ error }) {
  running.told += 1;
  if (error) {
    running.refused += 1;
    running.reasons.add(error.message);
  }
  if (running.told === running.count) ends();
  else asks();
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const { id, method } = message;
  if (method === undefined) isTold(message);
  if (method === undefined || id === undefined) continue;
  if (method === 'tools/call') {
    running = { id, count: message.params.arguments.count, told: 0, refused: 0, reasons: new Set() };
    asks();
    continue;
  }
  const results = {
    initialize: () => ({
      protocolVersion: message.params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'sampling', version: '1' },
    }),
    'tools/list': () => ({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] }),
  };
  send({ id, result: results[method]?.() ?? {} });
}
