// Keeps an open chat together with what the server has of it.
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import { readChat, type Conversation } from '../server/conversations.ts';
import { continueTurn } from '../server/turns.ts';
import { whenReachable } from '../state/connection.ts';
import { complain } from '../state/notices.ts';
import { freshChats } from '../state/new_chats.ts';
import type { ChatSession } from './session.ts';
import { keepDraft, unsent } from '../state/drafts.ts';
import { readAttachments } from '../state/mcp_servers.ts';
import { beforeTurn, problemOf, textOf } from './session_state.ts';
import { runToolsLeft } from './session_tools.ts';

/** Reads a chat, and joins the turn that runs in it. */
export async function open(session: ChatSession): Promise<void> {
  session.state.patch({ phase: 'loading' });
  if (freshChats.has(session.id)) return session.state.patch({ phase: 'ready' });
  const found = await readIfThere(session);
  if (found !== undefined) await take(session, found);
  else if (session.state.get().phase === 'loading') session.state.patch({ phase: 'ready' });
}

/** Shows what the server has. */
export async function take(session: ChatSession, from: Conversation): Promise<void> {
  if (session.closed) return;
  session.exists = true;
  session.version = from.version;
  from.messages.forEach((each) => session.kept.add(each.id));
  session.canvas.rebuild(from.messages);
  const turn = from.lastTurn;
  const common = { phase: 'ready' as const, overrides: from.overrides, stopping: false };
  if (turn?.state === 'running') {
    const { messages, held } = beforeTurn(from);
    session.chat.messages = messages;
    session.state.patch({ ...common, held, problem: null });
    return follow(session);
  }
  session.chat.messages = from.messages;
  session.chat.clearError();
  const stopped = turn?.state === 'aborted' ? turn.messageId : '';
  session.state.patch({ ...common, held: null, working: false, stopped, problem: problemOf(turn) });
  runToolsLeft(session);
}

/** Watches the turn that runs on the server until it is over, then shows what was kept. */
export async function follow(session: ChatSession): Promise<void> {
  session.state.patch({ working: true, announcement: t('answering') });
  await session.chat.resumeStream();
  await reread(session);
}

/** Waits until no turn runs any more, and shows what was kept. */
export async function reread(session: ChatSession): Promise<void> {
  for (let wait = 100; !session.closed; wait = Math.min(2000, wait * 2)) {
    const now = await readIfThere(session);
    if (now === undefined) return session.state.patch({ working: false });
    if (now.lastTurn?.state !== 'running') return take(session, now);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** The connection broke in mid-answer, or before the server said anything. */
export async function reconnect(session: ChatSession): Promise<void> {
  session.state.patch({ working: true, problem: null });
  const found = await readIfThere(session);
  if (session.closed) return;
  const asked = session.chat.messages.findLast((each) => each.role === 'user');
  if (found !== undefined && (!asked || found.messages.some((each) => each.id === asked.id)))
    return take(session, found);
  session.state.patch({ working: false, problem: { kind: 'not-sent', text: t('notSent') } });
  keepUnsent(session);
}

/** The server has not got the last question: a reload finds it in the box, and what went with it. */
export function keepUnsent(session: ChatSession): void {
  const asked = session.chat.messages.findLast((each) => each.role === 'user');
  if (asked && !session.kept.has(asked.id)) keepDraft(unsent(session.id), textOf(asked));
  void readAttachments(session.id);
}

/** Has the model go on with the turn that a restart cut off. */
export async function resumeInterrupted(session: ChatSession): Promise<void> {
  const last = session.chat.messages.at(-1);
  const parts = last?.role === 'assistant' ? last.parts : [];
  session.state.patch({ working: true, problem: null });
  try {
    await continueTurn(session.id);
    if (parts.length > 0) session.state.patch({ held: { id: last!.id, parts } });
    await follow(session);
  } catch (error) {
    complain(error);
    session.state.patch({ working: false, problem: { kind: 'interrupted', text: '' } });
  }
}

/** Shows what has changed elsewhere: in another tab, by another program. A question that the server has not stays. */
export async function lookAgain(session: ChatSession): Promise<void> {
  const now = await readIfThere(session);
  const unsent = session.state.get().problem?.kind === 'not-sent';
  if (now && now.version > session.version && !session.busy && !unsent) await take(session, now);
}

/** Resolves with the chat, or nothing where there is none; waits for a server that is away. */
async function readIfThere(session: ChatSession): Promise<Conversation | undefined> {
  for (; !session.closed; await whenReachable()) {
    try {
      return await readChat(session.id);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if ([404, 501].includes(error.status)) return undefined;
      if (error.status !== 0) {
        complain(error);
        session.state.patch({ phase: session.exists ? 'ready' : 'failed' });
        return undefined;
      }
    }
  }
  return undefined;
}
