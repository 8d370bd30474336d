// The routes of what is kept: docs/conversations.md.
import type { UIMessage } from 'ai';
import { ask, askJson, at, send, ServerError } from './api.ts';

/** One line of the list. */
export interface ChatInfo {
  id: string;
  title: string;
  createdAt: number; // milliseconds since 1970
  updatedAt: number;
  messageCount: number;
  version: number;
}

/** What a chat has of its own; null: as everywhere. */
export interface Overrides {
  model: string | null;
  mcpServers: string[] | null;
}

/** What became of the last turn. */
export interface LastTurn {
  turnId: string;
  messageId: string;
  state: 'running' | 'ended' | 'aborted' | 'failed' | 'interrupted';
  error: { code: string; message: string } | null;
  endedAt: number | null; // milliseconds since 1970
}

/** A chat with all its messages. */
export interface Conversation extends ChatInfo {
  messages: UIMessage[];
  overrides: Overrides;
  lastTurn: LastTurn | null;
}

/** A place where a search found something. */
export interface Hit {
  conversationId: string;
  title: string;
  messageId: string;
  role: string;
  snippet: { text: string; match: boolean }[];
}

/** What was used in a day with a model. */
export interface UsageRow {
  day: string;
  model: string;
  turns: number;
  usage: { inputTokens: number; outputTokens: number; totalTokens: number };
}

/** Has a change refused (412) where the chat has another version; 0 or nothing: whatever it has. */
export const ifMatch = (version?: number): Record<string, string> => (version ? { 'if-match': `"v${version}"` } : {});

/** Whether the server refused a change because the chat is another one than was named. */
export const isChanged = (error: unknown): boolean => error instanceof ServerError && error.status === 412;

export const listChats = (limit: number, cursor = '') =>
  askJson<{ conversations: ChatInfo[]; next: string | null }>(
    `/v1/conversations?limit=${limit}&cursor=${encodeURIComponent(cursor)}`,
  );

export const searchChats = (words: string, cursor: string, signal: AbortSignal) =>
  askJson<{ hits: Hit[]; next: string | null }>(
    `/v1/conversations/search?limit=40&cursor=${encodeURIComponent(cursor)}&q=${encodeURIComponent(words)}`,
    { signal },
  );

export const readChat = (id: string) => askJson<Conversation>(at`/v1/conversations/${id}`);

export const renameChat = (id: string, title: string, version?: number) =>
  askJson<ChatInfo>(at`/v1/conversations/${id}`, send('PATCH', { title }, ifMatch(version)));

export const deleteChat = (id: string, version: number) =>
  ask(at`/v1/conversations/${id}`, { method: 'DELETE', headers: ifMatch(version) });

export const branchChat = (id: string, messageId: string, title?: string) =>
  askJson<ChatInfo>(at`/v1/conversations/${id}/branch`, send('POST', { messageId, title }));

export const exportChat = async (id: string): Promise<string> =>
  (await ask(at`/v1/conversations/${id}/export`)).text();

export const importChat = (text: string, id = '') =>
  askJson<ChatInfo>(
    `/v1/conversations/import${id === '' ? '' : `?id=${encodeURIComponent(id)}`}`,
    { method: 'POST', body: text },
    true,
  );

/** Changes some of what a chat has of its own; the rest stays, also where another place changes it meanwhile. */
export async function changeOverrides(id: string, some: Partial<Overrides>): Promise<void> {
  const path = at`/v1/conversations/${id}/overrides`;
  for (let left = 3; ; --left) {
    const now = await ask(path);
    const all: Overrides = { ...(await now.json()), ...some };
    try {
      return void (await ask(path, send('PUT', all, { 'if-match': now.headers.get('etag') ?? '*' })));
    } catch (error) {
      if (left === 0 || !isChanged(error)) throw error;
    }
  }
}

/** How much this owner keeps, and how much that may be; 0: no limit. */
export interface Kept {
  conversations: number;
  bytes: number;
  maxConversations: number;
  maxBytes: number;
}

export const readUsage = () => askJson<{ usage: UsageRow[]; kept?: Kept }>('/v1/usage');
