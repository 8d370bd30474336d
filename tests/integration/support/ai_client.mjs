// The AI SDK's own client: what it receives, and the message that it builds from it.

let chats = 0;
export const newChat = () => `chat-${process.pid}-${++chats}`;

export const userMessage = (text) => ({
  id: `user-${++chats}`,
  role: 'user',
  parts: [{ type: 'text', text }],
});

/**
 * Sends one user message through DefaultChatTransport of `sdk` (the module `ai`) and reads the
 * answer; a chunk that the SDK's schema does not accept rejects. `onChunk` sees each as it comes.
 * Resolves with {chunks, types, message, errors}.
 */
export async function ask(sdk, base, { model, onChunk, signal, id = newChat(), body, messages }) {
  const transport = new sdk.DefaultChatTransport({ api: `${base}/api/chat` });
  const stream = await transport.sendMessages({
    chatId: id,
    trigger: 'submit-message',
    messages: messages ?? [userMessage(`please ${model}`)],
    body: { model, ...body },
    abortSignal: signal,
  });
  const chunks = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    await onChunk?.(chunk, id);
  }
  return { id, chunks, types: typesOf(chunks), ...(await build(sdk, chunks)) };
}

/** The chunk types in order; neighbours of the same type (deltas) count once. */
export function typesOf(chunks) {
  return chunks.map((chunk) => chunk.type).filter((type, i, all) => type !== all[i - 1]);
}

async function build(sdk, chunks) {
  const errors = [];
  let message;
  const stream = ReadableStream.from(chunks);
  const states = sdk.readUIMessageStream({ stream, onError: (error) => errors.push(error) });
  for await (const state of states) message = state;
  return { message, errors };
}

