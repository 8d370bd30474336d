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
  done: Promise<void>; // the stream of the turn is over
}

/** A chat whose last turn made the message that is asked about. */
interface Left {
  version: number;
  runs: boolean;
  beside: string; // what others may have changed without a turn
}

/** Returns the chat as a file, '' if it cannot be had. */
export const snapshot = (session: ChatSession): Promise<string> => server.exportChat(session.id).catch(() => '');

export function offerUndo(session: ChatSession, { text, back, answer, done }: Replacement): void {
  if (back === '') return;
  const { id } = session;
  let runs = true;
  const left = done
    .catch(() => {})
    .then(() => ((runs = false), leftBy(answer, id)))
    .catch(() => undefined); // nothing is known: both stay
  const run = async () => {
    if (runs) await session.stop();
    await undo(id, back, async () => removeReplaced(id, answer, await left));
  };
  tell(text, { action: { label: t('undo'), run: () => void run() } });
}

/** Resolves with what a turn, and those that went on with its message, left; nothing where others went on. */
async function leftBy(answer: string, id: string): Promise<Left | undefined> {
  const { lastTurn, version, title, overrides } = await server.readChat(id);
  if (lastTurn?.messageId !== answer) return undefined;
  return { version, runs: lastTurn.state === 'running', beside: JSON.stringify([title, overrides]) };
}

/** Brings back what was; only then goes what has replaced it, unless there is more than that in it. */
async function undo(id: string, back: string, remove: () => Promise<boolean>): Promise<void> {
  try {
    const made = await server.importChat(back, newId());
    if (await remove()) moveDraft(id, made.id);
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
async function removeReplaced(id: string, answer: string, left?: Left): Promise<boolean> {
  try {
    const now = await whenOver(id, answer);
    if (now === undefined || now.beside !== left?.beside) return false;
    await server.deleteChat(id, now.version);
  } catch (error) {
    if (!(error instanceof ServerError) || ![404, 409, 412].includes(error.status)) throw error;
    return error.status === 404;
  }
  return true;
}

/** Stops the turn if it runs, though this page may have left its chat: no version can be named before it is over. */
async function whenOver(id: string, answer: string): Promise<Left | undefined> {
  for (let wait = 100; ; wait = Math.min(2000, wait * 2)) {
    const now = await leftBy(answer, id);
    if (!now?.runs) return now;
    if (wait === 100) await stopTurn(id);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
