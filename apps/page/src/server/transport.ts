// How useChat's messages reach this server: the last message only, the server has the rest.
import { DeltaGatherer } from './gathered_deltas.ts';
import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { ask } from './api.ts';
import { ifMatch } from './conversations.ts';
import { LateRefusal } from './late_refusal.ts';

/** What the page tells with each turn, and what it is told of each stream. */
export interface TurnSides {
  /** Members of the body beside the message: tools, model, ... */
  options: () => Record<string, unknown>;
  /** A prompt of an MCP server in place of the message, for a message that stands for one. */
  promptOf: (message: UIMessage) => unknown;
  /** Whether the server has a user's message already, so that another may take its place. */
  isKept: (messageId: string) => boolean;
  /** The version of what is shown, once it is known; 0: the server has nothing of the chat, or keeps none. */
  shownVersion: () => Promise<number>;
  onChunk: (chunk: UIMessageChunk) => void;
}

/** A stream of POST /api/chat and GET /api/chat/{id}/stream; rejects with a ServerError. */
export class ChatTransport extends DefaultChatTransport<UIMessage> {
  private readonly onChunk: TurnSides['onChunk'];

  constructor(sides: TurnSides) {
    super({
      api: '/api/chat',
      fetch: (input, init) => ask(String(input), init),
      prepareSendMessagesRequest: async ({ id, messages, trigger, messageId }) => ({
        headers: goesOn(messages, trigger) ? {} : ifMatch(await sides.shownVersion()),
        body: turnBody(id, messages, trigger, messageId, sides),
      }),
      prepareReconnectToStreamRequest: ({ id }) => ({
        api: `/api/chat/${encodeURIComponent(id)}/stream`,
        headers: { 'x-troupe-ui-profile': 'v7' },
      }),
    });
    this.onChunk = sides.onChunk;
  }

  protected override processResponseStream(
    stream: ReadableStream<Uint8Array<ArrayBufferLike>>,
  ): ReadableStream<UIMessageChunk> {
    const { onChunk } = this;
    const gatherer = new DeltaGatherer();
    const refusal = new LateRefusal();
    return super.processResponseStream(stream).pipeThrough(
      new TransformStream({
        transform(chunk, to) {
          onChunk(chunk);
          for (const each of refusal.take(chunk)) gatherer.take(each, performance.now()).forEach((one) => to.enqueue(one));
        },
        flush: (to) => refusal.left().forEach((each) => to.enqueue(each)),
      }),
    );
  }
}

/** Results and approvals are for calls at the chat's end; the server refuses them where it has none such. */
const goesOn = (messages: UIMessage[], trigger: string): boolean =>
  trigger !== 'regenerate-message' && messages.at(-1)?.role === 'assistant';

/** The body of one turn; see docs/chat.md. */
function turnBody(
  id: string,
  messages: UIMessage[],
  trigger: string,
  messageId: string | undefined,
  sides: Pick<TurnSides, 'options' | 'promptOf' | 'isKept'>,
): Record<string, unknown> {
  const message = messages[messages.length - 1]!;
  const rest = { resumable: true, uiProfile: 'v7', clientRequests: true, ...sides.options() };
  const prompt = sides.promptOf(message);
  if (prompt !== undefined) return { id, prompt, ...rest };
  if (trigger === 'regenerate-message') return { id, trigger, message, ...rest };
  const edited = message.role === 'user' && messageId === message.id && sides.isKept(message.id);
  return { id, message, ...(edited ? { messageId } : {}), ...rest };
}
