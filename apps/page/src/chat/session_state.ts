// What the page knows of an open chat beside its messages.
import type { UIMessage } from 'ai';
import { t } from '../i18n/text.ts';
import type { Conversation, Overrides } from '../server/conversations.ts';
import { retryAfterIn } from '../server/retry_after.ts';

/** Why there is no (whole) answer. */
export interface Problem {
  kind: 'failed' | 'interrupted' | 'not-sent';
  text: string;
  retryAt?: number; // before that it is in vain, as performance.now() has it
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface SessionState {
  phase: 'loading' | 'ready' | 'failed';
  problem: Problem | null;
  working: boolean; // a turn is looked for, or goes on without useChat
  stopping: boolean;
  stopped: string; // the answer that was stopped
  cut: { id: string; reason: 'length' | 'content-filter' } | null; // the answer that the model has cut
  held: { id: string; parts: UIMessage['parts'] } | null; // what an answer had before this turn
  progress: Record<string, Progress>; // of tool calls
  overrides: Overrides;
  returned: string; // a text that comes back into the box
  announcement: string;
}

export const firstState: SessionState = {
  phase: 'loading',
  problem: null,
  working: false,
  stopping: false,
  stopped: '',
  cut: null,
  held: null,
  progress: {},
  overrides: { model: null, mcpServers: null },
  returned: '',
  announcement: '',
};

/** A turn that failed before it said anything, or said nothing, leaves a message without anything to see. */
export const hasSomething = (message: UIMessage): boolean => message.parts.some((part) => part.type !== 'step-start');

/** Returns what a turn that is over has to say. */
export function problemOf({ lastTurn: turn, messages }: Conversation): Problem | null {
  const last = messages.at(-1);
  if (turn?.state === 'interrupted') return { kind: 'interrupted', text: '' };
  if (turn?.state === 'ended' && last?.id === turn.messageId && !hasSomething(last))
    return { kind: 'failed', text: t('answerEmpty') };
  if (turn?.state !== 'failed') return null;
  const text = turn.error?.message ?? '';
  const past = Date.now() - (turn.endedAt ?? 0);
  return { kind: 'failed', text, retryAt: performance.now() + retryAfterIn(text) - past };
}

/** What is shown while a turn runs whose stream begins anew: not the message that it builds. */
export function beforeTurn(chat: Conversation): Pick<SessionState, 'held'> & {
  messages: UIMessage[];
} {
  const id = chat.lastTurn?.messageId;
  const building = chat.messages.find((each) => each.id === id);
  const messages = chat.messages.filter((each) => each.id !== id);
  const parts = building === undefined ? [] : partsBefore(building.parts);
  return { messages, held: parts.length > 0 ? { id: id!, parts } : null };
}

/** A turn that goes on with results of the page's tools repeats nothing of what was before them. */
function partsBefore(parts: UIMessage['parts']): UIMessage['parts'] {
  const isClients = (part: UIMessage['parts'][number]) =>
    part.type.startsWith('tool-') && 'state' in part && part.state?.startsWith('output-') === true;
  const last = parts.map(isClients).lastIndexOf(true);
  return parts.slice(0, last + 1);
}

/** Returns the text of a message, as one types or copies it. */
export const textOf = (message: UIMessage): string =>
  message.parts
    .filter((part) => part.type === 'text' && fileOfText(part) === undefined)
    .map((part) => (part as { text: string }).text)
    .join('\n\n');

/** Returns the prompt of an MCP server that a message stands for, if it does. */
export const promptOf = (message: UIMessage): unknown => (message.metadata as { prompt?: unknown } | undefined)?.prompt;

/** Returns the name of a call's tool, as the model called it. */
export const toolOf = (part: { type: string; toolName?: string }): string =>
  part.type === 'dynamic-tool' ? (part.toolName ?? '') : part.type.slice('tool-'.length);

/** Returns which text file a part of a user's message is, if it is one. */
export function fileOfText(part: object): { name: string; size: number } | undefined {
  const meta = (part as { providerMetadata?: { troupe?: { file?: unknown } } }).providerMetadata;
  return meta?.troupe?.file as { name: string; size: number } | undefined;
}
