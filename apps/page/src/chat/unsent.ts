// What was asked here, and whether the server has it.
import type { UIMessage } from 'ai';
import type { Conversation } from '../server/conversations.ts';
import { noteArrived } from '../state/chosen_files.ts';
import { keepDraft, unsent } from '../state/drafts.ts';
import { readAttachments } from '../state/attachments.ts';
import type { ChatSession } from './session.ts';
import { promptOf, textOf } from './session_state.ts';

export const lastAsked = (session: ChatSession): UIMessage | undefined =>
  session.chat.messages.findLast((each) => each.role === 'user');

/** Returns what the server has not got: new questions, and others that were put in place of old ones. */
export const textUnsent = (session: ChatSession): string =>
  session.chat.messages
    .filter((each) => each.role === 'user' && session.kept.get(each.id) !== textOf(each))
    .map(textOf)
    .filter(Boolean)
    .join('\n\n');

/** A reload finds in the box what the server has not got. */
export const keepUnsent = (session: ChatSession): void => keepDraft(unsent(session.id), textUnsent(session));

/** Notes which questions the server has, and as what. */
export const noteKept = (session: ChatSession, { messages }: Conversation): void =>
  messages.filter((each) => each.role === 'user').forEach((each) => noteOne(session, each));

function noteOne(session: ChatSession, asked: UIMessage): void {
  session.kept.set(asked.id, textOf(asked));
  noteArrived(session.id, asked);
}

/** The server has begun a turn: it has what was asked. */
export function noteBegun(session: ChatSession): void {
  session.isTaken = true;
  const asked = lastAsked(session);
  if (asked) session.keptBefore = [asked.id, session.kept.get(asked.id)];
  if (asked) noteOne(session, asked);
  keepUnsent(session);
}

/** The server has refused a turn; where it had begun, what was noted then is void. */
export function noteRefused(session: ChatSession): void {
  const [id, text] = session.keptBefore;
  if (session.isTaken && text === undefined) session.kept.delete(id);
  else if (session.isTaken) session.kept.set(id, text!);
  session.isTaken = false;
}

/** The last question did not arrive, nor did what should go with it. */
export function notSent(session: ChatSession): void {
  keepUnsent(session);
  void readAttachments(session.id);
}

/** Whether the chat, as the server has it, has a question as it was asked. */
export function hasGot(session: ChatSession, chat: Conversation, asked: UIMessage): boolean {
  if (promptOf(asked) === undefined)
    return chat.messages.some((each) => each.id === asked.id && textOf(each) === textOf(asked));
  // The messages of a prompt have other ids.
  const news = chat.messages.some((each) => each.role === 'user' && !session.kept.has(each.id));
  return session.kept.has(asked.id) && (news || chat.lastTurn?.state === 'running');
}
