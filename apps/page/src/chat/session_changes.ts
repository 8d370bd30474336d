// What changes a chat beside a new message: again, otherwise, elsewhere, and back.
import type { UIMessage } from 'ai';
import { chatHref } from '../state/hrefs.ts';
import { t } from '../i18n/text.ts';
import * as server from '../server/conversations.ts';
import { ServerError } from '../server/api.ts';
import { chatInfo, refreshChats } from '../state/chats.ts';
import { keepDraft, unsent } from '../state/drafts.ts';
import { modelOfNewChats } from '../state/models.ts';
import { freshChats, newId } from '../state/new_chats.ts';
import { complain, tell } from '../state/notices.ts';
import type { ChatSession } from './session.ts';
import { textOf } from './session_state.ts';
import { take } from './session_sync.ts';
import { noteOverrides, settledSoon } from './session_version.ts';
import { offerUndo, snapshot } from './undo.ts';
import { hasGot, noteKept } from './unsent.ts';

type Parts = UIMessage['parts'];

/** Asks again what got no answer; what the server has already is not sent twice. */
export async function tryAgain(session: ChatSession): Promise<void> {
  const { chat } = session;
  const at = chat.messages.findLastIndex((each) => each.role === 'user');
  const asked = chat.messages[at];
  if (asked === undefined) return;
  session.state.patch({ problem: null, working: true });
  await settledSoon(session); // another model that was chosen is no change of others
  const now = await readOrNothing(session);
  session.state.patch({ working: false });
  if (session.closed) return;
  if (now?.lastTurn?.state === 'running') return take(session, now);
  const known = now ? hasGot(session, now, asked) : session.kept.get(asked.id) === textOf(asked);
  if (now) noteKept(session, now);
  chat.messages = chat.messages.slice(0, at + 1);
  if (known) await chat.regenerate();
  else await chat.sendMessage({ ...asked, messageId: asked.id });
}

/** Has an answer made anew; the old one can be had back. */
export async function regenerate(session: ChatSession, messageId: string): Promise<void> {
  await replace(session, t('answerReplaced'), () => session.chat.regenerate({ messageId }));
}

/** Puts another question in place of one, and of all that follows. */
export async function edit(session: ChatSession, messageId: string, parts: Parts): Promise<void> {
  const run = () => session.chat.sendMessage({ role: 'user', parts, messageId });
  if (await replace(session, t('questionReplaced'), run)) return;
  const returned = textOf({ id: messageId, role: 'user', parts });
  keepDraft(unsent(session.id), returned); // for who has left meanwhile
  session.state.patch({ returned });
}

/**
 * What a turn replaces can be had back from when the server has begun it: one that it refuses replaces nothing. Resolves
 * with false where none was asked for, because somebody was quicker.
 */
async function replace(session: ChatSession, text: string, run: () => Promise<void>): Promise<boolean> {
  if (session.busy) return false;
  session.state.patch({ problem: null, stopped: '', working: true }); // nothing else is asked or shown meanwhile
  await session.settled;
  const back = await snapshot(session);
  const { stopping } = session.state.get();
  session.state.patch({ working: false, stopping: false });
  if (session.closed || stopping) return false;
  const done = run();
  session.onBegun = (answer) => offerUndo(session, { text, back, answer });
  await done;
  return true;
}

/** Copies the chat up to a message and goes there. */
export async function branch(session: ChatSession, messageId: string): Promise<void> {
  try {
    const made = await server.branchChat(session.id, messageId, branchTitle(session));
    void refreshChats();
    location.hash = chatHref(made.id);
    tell(t('branched'));
  } catch (error) {
    complain(error);
  }
}

/** Copies what is before a message; resolves with the id of a chat where it can be asked anew. */
export async function branchBefore(session: ChatSession, messageId: string): Promise<string> {
  const { messages } = session.chat;
  const before = messages[messages.findIndex((each) => each.id === messageId) - 1];
  if (before !== undefined) return (await server.branchChat(session.id, before.id, branchTitle(session))).id;
  const id = newId();
  freshChats.add(id);
  return id;
}

/** A branch must not look like its chat in the list; nor does a branch of a branch say it twice. */
function branchTitle(session: ChatSession): string | undefined {
  const title = chatInfo(session.id)?.title;
  if (title === undefined || title.endsWith(t('branchTitle', { title: '' }).trimEnd())) return title;
  return t('branchTitle', { title: [...title].slice(0, 200).join('') });
}

/** Changes the chat's model or servers: now, or with its first turn. */
export async function override(session: ChatSession, some: Partial<server.Overrides>): Promise<void> {
  session.state.patch({ overrides: { ...session.state.get().overrides, ...some } });
  if (!session.exists) return;
  session.settled = choose(session, some).then(() => noteOverrides(session));
  await session.settled;
}

/** After the first turn the server has the chat, and can keep what was chosen for it and what it was begun with. */
export async function keepOverrides(session: ChatSession): Promise<void> {
  const first = !session.exists;
  session.exists = true;
  if (!first) return;
  const { model, mcpServers } = session.state.get().overrides;
  const overrides = { model: model ?? (modelOfNewChats() || null), mcpServers };
  if (overrides.model === null && mcpServers === null) return;
  session.state.patch({ overrides });
  await choose(session, overrides);
}

/** Tells the server of a choice, when it has the one before. */
function choose(session: ChatSession, some: Partial<server.Overrides>): Promise<unknown> {
  session.chosen = session.chosen.then(() => server.changeOverrides(session.id, some).catch(complain));
  return session.chosen;
}

async function readOrNothing(session: ChatSession): Promise<server.Conversation | undefined> {
  try {
    return await server.readChat(session.id);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return undefined;
  }
}
