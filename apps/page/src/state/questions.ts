// What MCP servers ask of the person before the page, oldest first.
import type { ClientRequest } from '../server/mcp.ts';
import { createStore } from './store.ts';

export const questions = createStore<ClientRequest[]>([]);

const over = new Set<string>(); // a stream that is replayed repeats what was answered long ago

/** Adds a question, once. */
export function takeQuestion(one: ClientRequest): void {
  const all = questions.get();
  if (over.has(one.requestId) || all.some((each) => each.requestId === one.requestId)) return;
  questions.set([...all, one]);
}

/** Takes a question away: it was answered, withdrawn, or came too late. */
export function dropQuestion(requestId: string): void {
  over.add(requestId);
  questions.set(questions.get().filter((each) => each.requestId !== requestId));
}

/** Takes the questions of a chat's turn away, which is over. */
export function dropQuestionsOf(chat: string): void {
  const all = questions.get();
  all.filter((each) => each.sessionId === chat).forEach((each) => dropQuestion(each.requestId));
}
