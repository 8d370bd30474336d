// The list of chats, newest first, as the server has it.
import { ServerError } from '../server/api.ts';
import * as server from '../server/conversations.ts';
import { whenReachable } from './connection.ts';
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

/** What became of a file of chats. */
export interface Imported {
  count: number; // chats that were made
  refused: string[]; // why, for each that was not
}

/** Takes in a file of chats, one a line or a whole file; goes on behind one that is refused. */
export async function importChats(text: string): Promise<Imported> {
  const done: Imported = { count: 0, refused: [] };
  const all = filesIn(text);
  for (const [at, each] of all.entries())
    try {
      await server.importChat(each, newIdIfTaken(each));
      ++done.count;
    } catch (error) {
      if (!(error instanceof ServerError) || [0, 401].includes(error.status)) throw error;
      done.refused.push(all.length > 1 ? `${at + 1}: ${error.message}` : error.message);
    }
  await refreshChats();
  return done;
}

/** Returns all chats as a file, one on each line. */
export async function exportChats(): Promise<string> {
  let text = '';
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof server.listChats>> = await server.listChats(200, cursor);
    for (const { id } of page.conversations) {
      const file = await server.exportChat(id).catch(ifDeleted);
      if (file !== undefined) text += `${JSON.stringify(JSON.parse(file))}\n`;
    }
    cursor = page.next;
  }
  return text;
}

/** Returns the conversations of a file: one JSON text, or one on each line. */
export function filesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const single = lines.length < 2 || !lines.every((line) => /^\s*\{.*\}\s*$/.test(line));
  return single ? [text] : lines;
}

/** A chat that went meanwhile is no fault. */
function ifDeleted(error: unknown): undefined {
  if (!(error instanceof ServerError) || error.status !== 404) throw error;
}

function newIdIfTaken(text: string): string {
  const id = /"info"\s*:\s*\{\s*"id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
  return id !== undefined && chatInfo(id) !== undefined ? newId() : '';
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
