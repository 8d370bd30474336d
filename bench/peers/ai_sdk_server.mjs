// The peer: Vercel's AI SDK as a server that does the turn that `troupe serve` does, plain and with
// one tool that runs in this process. `ai_sdk_server.mjs MODEL=BASE_URL...`; a turn's `model` says
// where it goes. Prints "listening on URL".
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const packages = createRequire(new URL('../../tests/peers/package.json', import.meta.url));
const { convertToModelMessages, jsonSchema, stepCountIs, streamText, tool } = packages('ai');
const { createOpenAICompatible } = packages('@ai-sdk/openai-compatible');

// MODEL=BASE_URL: the name as `troupe serve` is configured with it; "instant" is the script "text".
const scripts = { instant: 'text' };
const models = Object.fromEntries(process.argv.slice(2).map((argument) => {
  const [name, baseURL] = argument.split('=');
  const provider = createOpenAICompatible({ name, baseURL, apiKey: 'none', includeUsage: true });
  return [name, provider(scripts[name] ?? name)];
}));

const echo = tool({
  description: 'Echoes back the input',
  inputSchema: jsonSchema({
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  }),
  execute: async ({ message }) => `Echo: ${message}`,
});

async function answer(request, response) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const { message, messages = [message], model } = JSON.parse(Buffer.concat(pieces));
  const result = streamText({
    model: models[model],
    messages: await convertToModelMessages(messages),
    ...(model === 'call' && { tools: { echo }, stopWhen: stepCountIs(10) }),
  });
  result.pipeUIMessageStreamToResponse(response);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});
server.listen(0, '127.0.0.1', 4096, () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
