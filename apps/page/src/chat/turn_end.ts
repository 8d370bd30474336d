// What the end of an answer leaves beside it: what readers hear, and why it is not what was hoped for.
import type { FinishReason, UIMessage } from 'ai';
import { t } from '../i18n/text.ts';
import { hasSomething, textOf, toolOf, type SessionState } from './session_state.ts';

interface End {
  message: UIMessage;
  isError: boolean;
  isStopped: boolean;
  finishReason: FinishReason | undefined;
}

export function stateAfter({ message, isError, isStopped, finishReason }: End): Partial<SessionState> {
  if (isError) return { announcement: '' };
  if (isStopped) return { announcement: t('stopped') };
  if (!hasSomething(message)) return { announcement: '', problem: { kind: 'failed', text: t('answerEmpty') } };
  const isCut = finishReason === 'length' || finishReason === 'content-filter';
  const isTold = message.parts.some((part) => part.type === 'data-limit');
  return { announcement: wordsFor(message), cut: isCut && !isTold ? { id: message.id, reason: finishReason } : null };
}

function wordsFor(message: UIMessage): string {
  const waits = message.parts.find((part) => 'state' in part && part.state === 'approval-requested');
  if (waits) return t('toolWaitsFor', { name: toolOf(waits) });
  return t('answerComplete', { words: textOf(message).trim().slice(0, 80) });
}
