// Keeps an open chat together with what the server has of it.
import type { UIMessage } from 'ai';
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import { readChat, type Conversation } from '../server/conversations.ts';
import { continueTurn } from '../server/turns.ts';
import { whenReachable } from '../state/connection.ts';
import { noteRead } from '../state/chats.ts';
import { complain } from '../state/notices.ts';
import { freshChats } from '../state/new_chats.ts';
import type { ChatSession } from './session.ts';
import { beforeTurn, problemOf, promptOf } from './session_state.ts';
import { goesOn, runToolsLeft } from './session_tools.ts';
import { hasGot, lastAsked, noteKept, notSent } from './unsent.ts';

interface Reading {
  isWanted?: (now: Conversation) => boolean;
  behind?: UIMessage[]; // what the server has not
}

/** Reads a chat, and joins the turn that runs in it. */
export async function open(session: ChatSession): Promise<void> {
  if (freshChats.has(session.id)) return session.state.patch({ phase: 'ready' });
  session.state.patch({ phase: 'loading' });
  const found = await readIfThere(session);
  if (found !== undefined) await take(session, found);
  else if (session.state.get().phase === 'loading') session.state.patch({ phase: 'ready' });
}

/** Shows what the server has, and behind it what it has not. */
export async function take(session: ChatSession, from: Conversation, behind: UIMessage[] = []): Promise<void> {
  if (session.closed) return;
  session.exists = true;
  session.version = from.version;
  noteRead(from);
  noteKept(session, from);
  session.canvas.rebuild(from.messages);
  const turn = from.lastTurn;
  const common = { phase: 'ready' as const, overrides: from.overrides, stopping: false };
  if (turn?.state === 'running') {
    const { messages, held } = beforeTurn(from);
    session.chat.messages = messages;
    session.state.patch({ ...common, held, problem: null });
    return follow(session);
  }
  session.onBegun = null;
  session.chat.messages = [...from.messages, ...behind];
  session.chat.clearError();
  const stopped = turn?.state === 'aborted' ? turn.messageId : '';
  session.state.patch({ ...common, held: null, working: false, stopped, problem: problemOf(from) });
  runToolsLeft(session);
}

/** Watches the turn that runs on the server until it is over, then shows what was kept. */
export async function follow(session: ChatSession): Promise<void> {
  session.state.patch({ working: true, announcement: t('answering') });
  await session.chat.resumeStream();
  await reread(session);
}

/**
 * Waits until no turn runs any more, and shows what was kept, if it is what is waited for. Resolves with it, or nothing
 * where the server has no such chat.
 */
export async function reread(session: ChatSession, { isWanted = () => true, behind = [] }: Reading = {}): Promise<Conversation | undefined> {
  session.state.patch({ working: true }); // what would be sent now was lost in what is shown then
  for (let wait = 100; !session.closed; wait = Math.min(2000, wait * 2)) {
    const now = await readIfThere(session);
    const over = now?.lastTurn?.state !== 'running';
    if (over) {
      if (now !== undefined && isWanted(now)) await take(session, now, behind);
      else session.state.patch({ working: false, stopping: false });
      return now;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return undefined;
}

/** The connection broke in mid-answer, or before the server said anything. */
export async function reconnect(session: ChatSession): Promise<void> {
  session.state.patch({ working: true, problem: null });
  const found = await readIfThere(session);
  if (session.closed) return;
  const asked = lastAsked(session);
  if (found !== undefined && (!asked || hasGot(session, found, asked))) return take(session, found);
  session.onBegun = null;
  session.state.patch({ working: false, stopping: false, problem: { kind: 'not-sent', text: t('notSent') } });
  notSent(session);
}

/** Shows the messages of a prompt of an MCP server in place of the one that stood for them, once its turn is over. */
export async function rereadPrompt(session: ChatSession, isError: boolean): Promise<void> {
  const asked = lastAsked(session);
  const { working } = session.state.get(); // whoever works shows them
  if (working || !asked || promptOf(asked) === undefined || goesOn(session.chat.messages)) return;
  await reread(session, { isWanted: (now) => !isError || hasGot(session, now, asked) });
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
    session.state.patch({ working: false, stopping: false, problem: { kind: 'interrupted', text: '' } });
  }
}

/** Shows what has changed elsewhere: in another tab, by another program. A question that the server has not stays. */
export async function lookAgain(session: ChatSession): Promise<void> {
  await session.settled; // what is changed here is on its way, and was not in what is read now
  const before = session.chat.messages;
  const now = await readIfThere(session);
  const unsent = session.state.get().problem?.kind === 'not-sent';
  const stays = session.busy || unsent || session.chat.messages !== before; // what came meanwhile is newer
  if (now && now.version > session.version && !stays) await take(session, now);
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
