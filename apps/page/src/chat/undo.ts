// Takes back what a changed question or another answer has put in the place of something.
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import * as server from '../server/conversations.ts';
import { stopTurn } from '../server/turns.ts';
import { refreshChats } from '../state/chats.ts';
import { moveChosen } from '../state/chosen_files.ts';
import { keepDraft, readDraft } from '../state/drafts.ts';
import { chatHref } from '../state/hrefs.ts';
import { newId } from '../state/new_chats.ts';
import { complain, tell } from '../state/notices.ts';
import type { ChatSession } from './session.ts';

/** A turn that replaces something of its chat. */
interface Replacement {
  text: string; // says what was replaced
  back: string; // the chat before, as a file; '' if it cannot be had back
  answer: string; // id of the message that the turn makes
}

/** What of a chat's file is compared with the chat. */
interface Before {
  info: { title: string };
  overrides: { model: string; limitsServers: boolean; mcpServers: string[] };
}

/** Returns the chat as a file, '' if it cannot be had. */
export const snapshot = (session: ChatSession): Promise<string> => server.exportChat(session.id).catch(() => '');

export function offerUndo(session: ChatSession, { text, back, answer }: Replacement): void {
  if (back === '') return;
  const run = async () => {
    if (session.busy && !session.closed) await session.stop();
    await undo(session.id, back, answer);
  };
  tell(text, { action: { label: t('undo'), run: () => void run() } });
}

/** Brings back what was; only then goes what has replaced it, unless there is more than that in it. */
async function undo(id: string, back: string, answer: string): Promise<void> {
  try {
    const made = await server.importChat(back, newId());
    if (await removeReplaced(id, answer, JSON.parse(back) as Before)) moveDraft(id, made.id);
    else tell(t('undoneBeside'));
    location.hash = chatHref(made.id);
  } catch (error) {
    complain(error);
  }
  await refreshChats();
}

/** What was begun in the one goes on in the other. */
function moveDraft(from: string, to: string): void {
  keepDraft(to, readDraft(from));
  moveChosen(from, to);
}

/** Resolves with false where somebody has gone on with the chat, or changed it. */
async function removeReplaced(id: string, answer: string, before: Before): Promise<boolean> {
  try {
    const now = await whenOver(id, answer);
    if (now.lastTurn?.messageId !== answer || !isAsBefore(before, now)) return false;
    await server.deleteChat(id, now.version);
  } catch (error) {
    if (!(error instanceof ServerError) || ![404, 409, 412].includes(error.status)) throw error;
    return error.status === 404;
  }
  return true;
}

/** Whether the file has all that others may have changed without a turn. */
function isAsBefore({ info, overrides: was }: Before, { title, overrides: is }: server.Conversation): boolean {
  const servers = was.limitsServers ? was.mcpServers : null;
  return info.title === title && (was.model || null) === is.model && JSON.stringify(servers) === JSON.stringify(is.mcpServers);
}

/** Stops the turn if it runs, though this page may have left its chat: no version can be named before it is over. */
async function whenOver(id: string, answer: string): Promise<server.Conversation> {
  for (let wait = 100; ; wait = Math.min(2000, wait * 2)) {
    const now = await server.readChat(id);
    if (now.lastTurn?.messageId !== answer || now.lastTurn.state !== 'running') return now;
    if (wait === 100) await stopTurn(id);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
