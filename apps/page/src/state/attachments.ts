// A mirror of the resources that go with the next message of each chat.
import { listAttachments, type Attachment } from '../server/mcp.ts';
import { createStore } from './store.ts';

/** By chat. */
export const attachments = createStore<ReadonlyMap<string, Attachment[]>>(new Map());

const told = new Map<string, number>(); // events about each chat

/** Reads what is attached to a chat's next message; again if an event has said more than the answer knows. */
export async function readAttachments(chat: string): Promise<void> {
  const before = told.get(chat);
  const list = await listAttachments(chat).catch(() => []);
  if (told.get(chat) !== before) return readAttachments(chat);
  setAttachments(chat, list);
}

export const setAttachments = (chat: string, list: Attachment[]): void =>
  attachments.set(new Map(attachments.get()).set(chat, list));

/** Puts one attachment into its chat's list. */
export function noteAttachment(chat: string, one: Attachment): void {
  const old = attachments.get().get(chat) ?? [];
  const known = old.some((each) => each.id === one.id);
  setAttachments(chat, known ? old.map((e) => (e.id === one.id ? one : e)) : [...old, one]);
}

export function onAttachment(one: Attachment & { sessionId: string }): void {
  noteEventAbout(one.sessionId);
  const old = attachments.get().get(one.sessionId)?.find((each) => each.id === one.id);
  if (old) noteAttachment(one.sessionId, { ...old, ...one });
}

export function onAttachmentRemoved(chat: string, id: string): void {
  noteEventAbout(chat);
  const list = attachments.get().get(chat);
  if (list) setAttachments(chat, list.filter((each) => each.id !== id));
}

function noteEventAbout(chat: string): void {
  told.set(chat, (told.get(chat) ?? 0) + 1);
}
