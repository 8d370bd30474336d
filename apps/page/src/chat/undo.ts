// Takes back what a changed question or another answer has put in the place of something.
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import * as server from '../server/conversations.ts';
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
  done: Promise<void>; // the turn is over
}

/** Returns the chat as a file, '' if it cannot be had. */
export const snapshot = (session: ChatSession): Promise<string> => server.exportChat(session.id).catch(() => '');

export function offerUndo(session: ChatSession, { text, back, done }: Replacement): void {
  if (back === '') return;
  let runs = true;
  const versionAfter = done
    .catch(() => {})
    .then(() => ((runs = false), session.settled))
    .then(() => session.version);
  const run = async () => {
    if (runs) await session.stop(); // no version can be named before
    await undo(session.id, back, await versionAfter);
  };
  tell(text, { action: { label: t('undo'), run: () => void run() } });
}

/** Brings back what was; only then goes what has replaced it, unless there is more than that in it. */
async function undo(id: string, back: string, version: number): Promise<void> {
  try {
    const made = await server.importChat(back, newId());
    if (await removeReplaced(id, version)) moveDraft(id, made.id);
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

/** Resolves with false where somebody has gone on with the chat, or may have. */
async function removeReplaced(id: string, version: number): Promise<boolean> {
  if (version === 0) return false;
  try {
    await server.deleteChat(id, version);
  } catch (error) {
    if (!(error instanceof ServerError) || ![404, 409, 412].includes(error.status)) throw error;
    return error.status === 404;
  }
  return true;
}
