// What was typed and not sent, for each chat; the 50 newest.
import { readJson, writeJson } from './settings.ts';

const name = 'troupe.drafts';
const most = 50;

/** Returns the drafts with one more, the newest last; '' takes it away. */
export function withDraft(all: [string, string][], chat: string, text: string): [string, string][] {
  const others = all.filter(([id]) => id !== chat);
  return (text === '' ? others : [...others, [chat, text] as [string, string]]).slice(-most);
}

/** Where a question is kept that the server did not get. */
export const unsent = (chat: string): string => `${chat}\nunsent`;

const all = (): [string, string][] => readJson<[string, string][]>(name) ?? [];

export const readDraft = (chat: string): string => all().find(([id]) => id === chat)?.[1] ?? '';

export const keepDraft = (chat: string, text: string): void =>
  writeJson(name, withDraft(all(), chat, text));
