// The server refused a turn, because its chat is another one than is shown here, or is gone.
import type { UIMessage } from 'ai';
import { t } from '../i18n/text.ts';
import { complain } from '../state/notices.ts';
import type { ChatSession } from './session.ts';
import { reread } from './session_sync.ts';
import { keepUnsent, noteRefused, notSent, textUnsent } from './unsent.ts';

/** Shows what the chat is now. A new question stays at its end; what was to change the chat goes into the box. */
export async function showOthers(session: ChatSession): Promise<void> {
  noteRefused(session);
  const { stopping } = session.state.get();
  keepUnsent(session); // for who leaves meanwhile
  const { chat } = session;
  chat.messages = chat.messages.slice(0, chat.messages.findLastIndex((each) => each.role === 'user') + 1);
  const asked = chat.lastMessage;
  if (asked && !session.kept.has(asked.id)) return askBehind(session, asked, stopping);
  const returned = textUnsent(session);
  const now = await reread(session);
  session.state.patch({ returned });
  if (now === undefined) return complain(t('chatGone'));
  complain(t(returned === '' ? 'changedElsewhere' : 'changedAndReturned'));
}

/** A new title or model is nothing that a question must wait for; other messages are for its writer to read first. */
async function askBehind(session: ChatSession, asked: UIMessage, wasStopped: boolean): Promise<void> {
  const before = session.chat.messages.slice(0, -1);
  const now = await reread(session, { behind: [asked] }); // it is shown all the time
  if (session.closed) return;
  if (!wasStopped && now !== undefined && isSame(before, now.messages) && session.sentAgain !== asked.id) {
    session.sentAgain = asked.id; // once: nobody knows what else the server has against it
    return session.chat.sendMessage({ ...asked, messageId: asked.id });
  }
  const text = t(now === undefined ? 'chatGone' : 'changedAndUnsent');
  session.state.patch({ problem: { kind: 'not-sent', text } });
  notSent(session);
}

const isSame = (some: UIMessage[], others: UIMessage[]): boolean =>
  some.length === others.length && some.every((each, at) => each.id === others[at]!.id);
