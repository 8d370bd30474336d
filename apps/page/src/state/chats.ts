// The list of chats, newest first, as the server has it.
import { ServerError } from '../server/api.ts';
import * as server from '../server/conversations.ts';
import { newId } from './new_chats.ts';
import { createStore } from './store.ts';

export interface Chats {
  list: server.ChatInfo[];
  next: string | null; // the cursor of the rest
  state: 'loading' | 'ready' | 'not-kept' | 'failed';
  problem: string;
}

export const chats = createStore<Chats>({ list: [], next: null, state: 'loading', problem: '' });

const pageSize = 50;

/** Reads the newest chats again; those read further down stay. */
export async function refreshChats(): Promise<void> {
  try {
    const page = await server.listChats(pageSize);
    const old = chats.get();
    const known = new Set(page.conversations.map((each) => each.id));
    const oldest = page.conversations.at(-1)?.updatedAt ?? 0;
    const rest =
      page.next === null
        ? []
        : old.list.filter((each) => !known.has(each.id) && each.updatedAt < oldest);
    const next = rest.length > 0 ? old.next : page.next;
    chats.set({ list: [...page.conversations, ...rest], next, state: 'ready', problem: '' });
  } catch (error) {
    fail(error);
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

/** Returns what the list says about a chat. */
export const chatInfo = (id: string) => chats.get().list.find((each) => each.id === id);

/** Renames a chat unless somebody else has changed it; rejects with the server's reason. */
export async function renameChat(id: string, title: string): Promise<void> {
  try {
    await server.renameChat(id, title, chatInfo(id)?.version);
  } finally {
    await refreshChats();
  }
}

/** Deletes a chat for good. */
export async function deleteChat(id: string): Promise<void> {
  await server.deleteChat(id);
  chats.patch({ list: chats.get().list.filter((each) => each.id !== id) });
}

/** Takes in files of chats, one a line or a whole file each; returns how many, or rejects. */
export async function importChats(text: string): Promise<server.ChatInfo[]> {
  const made: server.ChatInfo[] = [];
  try {
    for (const each of filesIn(text)) made.push(await server.importChat(each, newIdIfTaken(each)));
  } finally {
    await refreshChats();
  }
  return made;
}

/** Returns the conversations of a file: one JSON text, or one on each line. */
export function filesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const single = lines.length < 2 || !lines.every((line) => /^\s*\{.*\}\s*$/.test(line));
  return single ? [text] : lines;
}

function newIdIfTaken(text: string): string {
  const id = /"info"\s*:\s*\{\s*"id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
  return id !== undefined && chatInfo(id) !== undefined ? newId() : '';
}

function fail(error: unknown): void {
  const state = error instanceof ServerError && error.status === 501 ? 'not-kept' : 'failed';
  chats.patch({ state, problem: error instanceof Error ? error.message : String(error) });
}
