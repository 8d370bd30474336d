// What readers hear when an answer is over.
import type { UIMessage } from 'ai';
import { t } from '../i18n/text.ts';
import { textOf, toolOf } from './session_state.ts';

export function endOf(message: UIMessage, stopped: boolean): string {
  if (stopped) return t('stopped');
  const waits = message.parts.find((part) => 'state' in part && part.state === 'approval-requested');
  if (waits) return t('toolWaitsFor', { name: toolOf(waits) });
  return t('answerComplete', { words: textOf(message).trim().slice(0, 80) });
}
