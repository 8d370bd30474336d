// The official clients of model providers, and the AI SDK's, all of them asked in the same way:
// each answers { text, reasoning, calls: [{ name, input }], finish, usage: { input, output } } for
// a streamed or a whole answer, and throws what the client throws.
import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { GoogleGenAI } from '@google/genai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { Ollama } from 'ollama';
import { createOllama } from 'ollama-ai-provider-v2';
import OpenAI from 'openai';

const description = 'Repeats a message';
export const schema = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
};
const sum = {
  name: 'get-sum',
  description: 'Adds two numbers',
  schema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};
export const tools = [{ name: 'echo', description, schema }, sum];
const max_tokens = 1000;
const question = 'hello';

function anthropic(url) {
  const client = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 });
  const body = (model) => ({
    model,
    max_tokens,
    messages: [{ role: 'user', content: question }],
    tools: tools.map((each) => ({
      name: each.name,
      description: each.description,
      input_schema: each.schema,
    })),
  });
  return {
    answer: async (model, stream) =>
      stream
        ? client.messages.stream(body(model)).finalMessage()
        : client.messages.create(body(model)),
    read: ({ content, stop_reason, usage }) => ({
      text: content.map((block) => block.text ?? '').join(''),
      reasoning: content.map((block) => block.thinking ?? '').join(''),
      calls: content
        .filter((block) => block.type === 'tool_use')
        .map(({ name, input }) => ({ name, input })),
      finish: stop_reason,
      usage: { input: usage.input_tokens, output: usage.output_tokens },
    }),
    finishes: { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens' },
  };
}

function responses(url) {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });
  const body = (model) => ({
    model,
    store: false,
    input: [{ role: 'user', content: question }],
    tools: tools.map((each) => ({
      type: 'function',
      name: each.name,
      description: each.description,
      parameters: each.schema,
      strict: false,
    })),
  });
  return {
    answer: async (model, stream) => {
      if (!stream) return client.responses.create(body(model));
      const answer = await client.responses.stream(body(model)).finalResponse();
      if (answer.error) throw new Error(answer.error.message);
      return answer;
    },
    read: ({ output, status, incomplete_details, usage }) => ({
      text: output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => part.text)
        .join(''),
      reasoning: output
        .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
        .map((part) => part.text)
        .join(''),
      calls: output
        .filter((item) => item.type === 'function_call')
        .map((item) => ({ name: item.name, input: JSON.parse(item.arguments) })),
      finish: incomplete_details?.reason ?? status,
      usage: { input: usage.input_tokens, output: usage.output_tokens },
    }),
    finishes: { stop: 'completed', calls: 'completed', length: 'max_output_tokens' },
  };
}

/** Adds up the chunks of a stream of Gemini, whose parts are deltas. */
async function joined(stream) {
  const parts = [];
  let last;
  for await (const chunk of stream) {
    last = chunk;
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
  }
  return { ...last, candidates: [{ ...last?.candidates?.[0], content: { parts } }] };
}

function gemini(url) {
  const client = new GoogleGenAI({
    apiKey: 'any',
    httpOptions: { baseUrl: url, retryOptions: { attempts: 1 } },
  });
  const body = (model) => ({
    model,
    contents: question,
    config: {
      tools: [
        {
          functionDeclarations: tools.map((each) => ({
            name: each.name,
            description: each.description,
            parametersJsonSchema: each.schema,
          })),
        },
      ],
    },
  });
  return {
    answer: async (model, stream) =>
      stream
        ? joined(await client.models.generateContentStream(body(model)))
        : client.models.generateContent(body(model)),
    read: ({ candidates, usageMetadata }) => {
      const parts = candidates[0].content.parts;
      const texts = (thought) =>
        parts
          .filter((part) => Boolean(part.thought) === thought)
          .map((part) => part.text ?? '')
          .join('');
      return {
        text: texts(false),
        reasoning: texts(true),
        calls: parts
          .filter((part) => part.functionCall)
          .map(({ functionCall: { name, args } }) => ({ name, input: args })),
        finish: candidates[0].finishReason,
        usage: {
          input: usageMetadata.promptTokenCount,
          output: usageMetadata.candidatesTokenCount + (usageMetadata.thoughtsTokenCount ?? 0),
        },
      };
    },
    finishes: { stop: 'STOP', calls: 'STOP', length: 'MAX_TOKENS' },
  };
}

function ollama(url) {
  const client = new Ollama({ host: url });
  const body = (model) => ({
    model,
    messages: [{ role: 'user', content: question }],
    tools: tools.map((each) => ({
      type: 'function',
      function: { name: each.name, description: each.description, parameters: each.schema },
    })),
  });
  return {
    answer: async (model, stream) => {
      if (!stream) return [await client.chat(body(model))];
      const lines = [];
      for await (const line of await client.chat({ ...body(model), stream: true }))
        lines.push(line);
      return lines;
    },
    read: (lines) => ({
      text: lines.map(({ message }) => message.content).join(''),
      reasoning: lines.map(({ message }) => message.thinking ?? '').join(''),
      calls: lines
        .flatMap(({ message }) => message.tool_calls ?? [])
        .map((call) => ({ name: call.function.name, input: call.function.arguments })),
      finish: lines.at(-1).done_reason,
      usage: { input: lines.at(-1).prompt_eval_count, output: lines.at(-1).eval_count },
    }),
    finishes: { stop: 'stop', calls: 'stop', length: 'length' },
  };
}

/** The AI SDK with one of its providers: all finish reasons are in its own words. */
function aiSdk(modelOf, providerOptions) {
  const set = Object.fromEntries(
    tools.map((each) => [
      each.name,
      tool({ description: each.description, inputSchema: jsonSchema(each.schema) }),
    ]),
  );
  const asked = (model, more) => ({
    model: modelOf(model),
    prompt: question,
    tools: set,
    maxRetries: 0,
    providerOptions,
    ...more,
  });
  return {
    answer: async (model, stream) => {
      if (!stream) return generateText(asked(model));
      const failed = [];
      const answer = streamText(asked(model, { onError: ({ error }) => failed.push(error) }));
      await answer.consumeStream({ onError: (error) => failed.push(error) });
      if (failed.length) throw failed[0];
      return {
        text: await answer.text,
        reasoningText: await answer.reasoningText,
        toolCalls: await answer.toolCalls,
        finishReason: await answer.finishReason,
        usage: await answer.usage,
      };
    },
    read: ({ text, reasoningText, toolCalls, finishReason, usage }) => ({
      text,
      reasoning: reasoningText ?? '',
      calls: toolCalls.map(({ toolName, input }) => ({ name: toolName, input })),
      finish: finishReason,
      usage: { input: usage.inputTokens, output: usage.outputTokens },
    }),
    /** Runs the tools until the model is done; resolves with the text and the number of steps. */
    converse: async (model) => {
      const runs = {};
      for (const each of tools)
        runs[each.name] = tool({
          description: each.description,
          inputSchema: jsonSchema(each.schema),
          execute: async (input) => `ran with ${JSON.stringify(input)}`,
        });
      const { text, steps } = await generateText(
        asked(model, { tools: runs, stopWhen: stepCountIs(6) }),
      );
      return { text, steps: steps.length };
    },
    finishes: { stop: 'stop', calls: 'tool-calls', length: 'length' },
  };
}

/** Returns every client, by its name; `url` is where the model listens. */
export function officialClients(url) {
  const ollamaModel = createOllama({ baseURL: `${url}/api` });
  return {
    '@anthropic-ai/sdk': anthropic(url),
    openai: responses(url),
    '@google/genai': gemini(url),
    ollama: ollama(url),
    '@ai-sdk/anthropic': aiSdk(createAnthropic({ baseURL: `${url}/v1`, apiKey: 'any' })),
    '@ai-sdk/openai': aiSdk(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).responses, {
      openai: { store: false, include: ['reasoning.encrypted_content'] },
    }),
    '@ai-sdk/google': aiSdk(createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'any' })),
    'ollama-ai-provider-v2': aiSdk((name) => ollamaModel(name)),
  };
}
