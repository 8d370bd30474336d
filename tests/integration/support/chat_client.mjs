// The AI SDK's Chat without a page around it: what useChat does, and what it sent.
import assert from 'node:assert/strict';
import { newChat } from './ai_client.mjs';
import { until } from './patience.mjs';

/** The state of a chat; useChat keeps the same in React. */
class State {
  constructor(messages) {
    this.messages = messages;
  }

  status = 'ready';
  error = undefined;
  snapshot = (value) => structuredClone(value);
  pushMessage = (message) => {
    this.messages = [...this.messages, message];
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index, message) => {
    this.messages = this.messages.with(index, this.snapshot(message));
  };
}

/**
 * Makes a chat of `sdk` (a module `ai`) with the server at `base`, which has `messages` already.
 * `model` and `body` go into each request, `profile` into its headers; `prepare` makes the bodies in
 * place of the SDK. Has `posts` (the bodies sent), `gets` (statuses of attempts to resume) and
 * `failures`.
 */
export function openChat(sdk, base, options = {}) {
  const { id = newChat(), model, profile = 'v6', body, prepare, messages = [], ...init } = options;
  const posts = [];
  const gets = [];
  const failures = [];
  const transport = new sdk.DefaultChatTransport({
    api: `${base}/api/chat`,
    body: { model, ...body },
    headers: { 'x-troupe-ui-profile': profile },
    prepareSendMessagesRequest: prepare,
    fetch: async (url, options) => {
      if (options.method === 'POST') posts.push(JSON.parse(options.body));
      assert.ok(posts.length < 10, 'the chat is sent again and again');
      const answer = await fetch(url, options);
      if (options.method !== 'POST') gets.push(answer.status);
      return answer;
    },
  });
  class Chat extends sdk.AbstractChat {}
  const chat = new Chat({
    id,
    transport,
    state: new State(messages),
    onError: (error) => failures.push(error),
    ...init,
  });
  return Object.assign(chat, { posts, gets, failures });
}

/** Resolves when the chat has sent `posts` requests and the last answer is over. */
export async function settled(chat, posts = 1) {
  await until(
    `${posts} requests and an end`,
    () =>
      chat.posts.length >= posts && chat.status !== 'submitted' && chat.status !== 'streaming',
    20000,
  );
}

export const isTool = (part) => part.type === 'dynamic-tool' || part.type.startsWith('tool-');
export const toolsOf = (message) => message.parts.filter(isTool);
export const textOf = (message) =>
  message.parts.filter((part) => part.type === 'text').map((part) => part.text).join('');

/** Fails unless the chat is at rest, without any error, with messages of these roles. */
export function assertGood(chat, ...roles) {
  assert.deepEqual(chat.failures, []);
  assert.equal(chat.error, undefined);
  assert.equal(chat.status, 'ready');
  assert.deepEqual(chat.messages.map((message) => message.role), roles);
  const open = chat.messages.flatMap((message) => message.parts).filter((part) =>
    ['streaming', 'input-streaming'].includes(part.state));
  assert.deepEqual(open, [], 'every part is closed');
}
