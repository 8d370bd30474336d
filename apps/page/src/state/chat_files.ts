// Chats as files: all of them as one, and back.
import { ServerError } from '../server/api.ts';
import * as server from '../server/conversations.ts';
import { refreshChats } from './chats.ts';

/** What became of a file of chats. */
export interface Imported {
  count: number; // chats that were made
  known: number; // chats that are there already
  refused: string[]; // why, for each that was not taken
}

/** Takes in a file of chats, one a line or a whole file; goes on behind one that is refused. */
export async function importChats(text: string): Promise<Imported> {
  const done: Imported = { count: 0, known: 0, refused: [] };
  const all = filesIn(text);
  for (const [at, each] of all.entries())
    try {
      await server.importChat(each);
      ++done.count;
    } catch (error) {
      if (!(error instanceof ServerError) || [0, 401].includes(error.status)) throw error;
      if (error.status === 409) ++done.known;
      else done.refused.push(all.length > 1 ? `${at + 1}: ${error.message}` : error.message);
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
