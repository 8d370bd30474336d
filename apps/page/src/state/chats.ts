// The list of chats, newest first, as the server has it.
import { ServerError } from '../server/api.ts';
import * as server from '../server/conversations.ts';
import { dropFiles } from './chosen_files.ts';
import { whenReachable } from './connection.ts';
import { createStore, useStore } from './store.ts';

export interface Chats {
  list: server.ChatInfo[];
  next: string | null; // the cursor of the rest
  read: server.ChatInfo | null; // of the chat that was opened last; the list may not reach down to it
  state: 'loading' | 'ready' | 'not-kept' | 'failed';
  problem: string;
}

export const chats = createStore<Chats>({ list: [], next: null, read: null, state: 'loading', problem: '' });

const pageSize = 50;

let asked = 0; // how often the list was asked for
let shown = 0; // which of these answers is shown

/** Reads the newest chats again; those read further down stay. An answer that a later one has overtaken is dropped. */
export async function refreshChats(): Promise<void> {
  const mine = ++asked;
  try {
    const page = await server.listChats(pageSize);
    if (mine < shown) return;
    shown = mine;
    const old = chats.get();
    const known = new Set(page.conversations.map((each) => each.id));
    const oldest = page.conversations.at(-1)?.updatedAt ?? 0;
    const rest =
      page.next === null
        ? []
        : old.list.filter((each) => !known.has(each.id) && each.updatedAt < oldest);
    const next = rest.length > 0 ? old.next : page.next;
    chats.patch({ list: [...page.conversations, ...rest], next, state: 'ready', problem: '' });
  } catch (error) {
    if (mine > shown) fail(error);
  }
}

/** Reads the next page of the list. */
export async function readMoreChats(): Promise<void> {
  const { next, list } = chats.get();
  if (next === null) return;
  const page = await server.listChats(pageSize, next);
  const known = new Set(list.map((each) => each.id));
  const more = page.conversations.filter((each) => !known.has(each.id));
  chats.patch({ list: [...list, ...more], next: page.next });
}

/** Returns what the list says about a chat, else what was read of it when it was opened. */
export const chatInfo = (id: string): server.ChatInfo | undefined => infoIn(chats.get(), id);

/** As chatInfo(); the component is rendered again when it changes. */
export const useChatInfo = (id: string): server.ChatInfo | undefined => infoIn(useStore(chats), id);

const infoIn = ({ list, read }: Chats, id: string) =>
  list.find((each) => each.id === id) ?? (read?.id === id ? read : undefined);

/** Notes a chat that was read, wherever it is in the list. */
export function noteRead({ id, title, createdAt, updatedAt, messageCount, version }: server.ChatInfo): void {
  chats.patch({ read: { id, title, createdAt, updatedAt, messageCount, version } });
}

/** Renames a chat unless somebody else has changed it; rejects with the server's reason. */
export async function renameChat(id: string, title: string): Promise<void> {
  try {
    await server.renameChat(id, title, chatInfo(id)?.version);
  } finally {
    await refreshChats();
  }
}

/** Has the list know the newest changes; resolves with the version of a chat, 0 if it is not known. */
export async function newestVersion(id: string): Promise<number> {
  await refreshChats();
  return chatInfo(id)?.version ?? 0;
}

/** Deletes a chat for good, unless it is another one than that version; rejects with the server's reason. */
export async function deleteChat(id: string, version: number): Promise<void> {
  await server.deleteChat(id, version);
  dropFiles(id);
  const { list, read } = chats.get();
  chats.patch({ list: list.filter((each) => each.id !== id), read: read?.id === id ? null : read });
}

let waiting = false; // for the server to come back

function fail(error: unknown): void {
  if (error instanceof ServerError && error.status === 0) return readWhenReachable();
  const state = error instanceof ServerError && error.status === 501 ? 'not-kept' : 'failed';
  chats.patch({ state, problem: error instanceof Error ? error.message : String(error) });
}

/** A banner says that the server is away; what was read stays meanwhile. */
function readWhenReachable(): void {
  if (waiting) return;
  waiting = true;
  void whenReachable().then(() => {
    waiting = false;
    void refreshChats();
  });
}
