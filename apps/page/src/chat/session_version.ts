// Which version of a chat is shown: the server compares it before it changes anything for this page.
import { chatInfo, refreshChats } from '../state/chats.ts';
import type { ChatSession } from './session.ts';
import { lookAgain } from './session_sync.ts';

const longestWait = 2000; // milliseconds: a question does not wait longer for a list that is slow

/** Waits until the last change of this page is known to be in the version of what is shown, but not for long. */
export const settledSoon = (session: ChatSession): Promise<unknown> =>
  Promise.race([session.settled, new Promise((resolve) => setTimeout(resolve, longestWait))]);

/** Resolves with the version of what is shown. */
export async function shownVersion(session: ChatSession): Promise<number> {
  await settledSoon(session);
  return session.version;
}

/**
 * Has the list know of a turn of this page. The request of a turn names the version, so nothing of others is between
 * what was shown and the turn: all that it added is shown. A turn that the server refused has added nothing, and what
 * the list has then is of others.
 */
export async function noteTurn(session: ChatSession, isTaken: boolean): Promise<void> {
  await refreshChats();
  if (isTaken) session.version = Math.max(session.version, chatInfo(session.id)?.version ?? 0);
}

/** Has the list know of another model or other servers: one version more. What is beyond that is of others. */
export async function noteOverrides(session: ChatSession): Promise<void> {
  await refreshChats();
  const version = chatInfo(session.id)?.version ?? 0;
  if (version > session.version + 1) void lookAgain(session);
  else session.version = Math.max(session.version, version);
}
