// The files that are to go with the next question of each chat, and those that went with one of which nobody knows yet
// whether the server has it. As long as the page lives: who looks elsewhere and comes back finds them beside the draft.
import type { FileUIPart, TextUIPart, UIMessage } from 'ai';
import { dropUploaded, isUploaded } from '../server/uploads.ts';
import { readJson, writeJson } from './settings.ts';
import { createStore } from './store.ts';

export interface Attached {
  name: string;
  size: number; // bytes
  part: FileUIPart | TextUIPart;
  preview?: string; // a blob: of a picture that the server has
}

/** A file that is not read or sent yet. */
export interface Pending {
  name: string;
  size: number;
  share: number; // of it that is sent
  cancel: () => void;
}

export type Chosen = Attached | Pending;

export const isPending = (file: Chosen): file is Pending => !('part' in file);

/** By chat. */
export const chosenFiles = createStore<ReadonlyMap<string, Chosen[]>>(new Map());

const underWay = new Map<string, Attached[]>(); // by chat
const none: Chosen[] = [];
const left = 'troupe.left_files'; // whose deletion may be lost with the page that asked for it

export const chosenFor = (chat: string): Chosen[] => chosenFiles.get().get(chat) ?? none;

export function changeChosen(chat: string, next: (old: Chosen[]) => Chosen[]): void {
  const all = new Map(chosenFiles.get());
  const files = next(chosenFor(chat));
  if (files.length > 0) all.set(chat, files);
  else all.delete(chat);
  chosenFiles.set(all);
}

/** Hands a chat's files over to a question. */
export function takeChosen(chat: string): Attached[] {
  const taken = chosenFor(chat).filter((each): each is Attached => !isPending(each));
  taken.forEach(forgetPreview);
  changeChosen(chat, () => []);
  const files = taken.map(({ preview: _, ...file }) => file);
  underWay.set(chat, [...(underWay.get(chat) ?? []), ...files]);
  return files;
}

/** The server has a question: its files are the server's. */
export function noteArrived(chat: string, { parts }: UIMessage): void {
  const has = (file: Attached) => parts.some((part) => contentOf(part) === contentOf(file.part));
  underWay.set(chat, (underWay.get(chat) ?? []).filter((file) => !has(file)));
}

/** The server has not got the questions that a chat was left with: their files are to go with the next one. */
export function takeBack(chat: string): void {
  const files = underWay.get(chat) ?? [];
  underWay.delete(chat);
  changeChosen(chat, (list) => [...files, ...list]);
}

/** The files are to go with the next question of another chat. */
export function moveChosen(from: string, to: string): void {
  const files = chosenFor(from).filter((each) => !isPending(each));
  changeChosen(from, (list) => list.filter((each) => !files.includes(each)));
  changeChosen(to, (list) => [...list, ...files]);
  dropFiles(from);
}

/** The chat is gone: what was chosen for it goes with no question. */
export function dropFiles(chat: string): void {
  [...chosenFor(chat), ...(underWay.get(chat) ?? [])].forEach(giveUp);
  changeChosen(chat, () => []);
  underWay.delete(chat);
}

/** The page is left, and what was chosen is forgotten. The server may have what is under way. */
export function dropAllChosen(): void {
  const files = [...chosenFiles.get().values()].flat();
  const urls = files.flatMap((each) => urlOf(each) ?? []);
  if (urls.length > 0) writeJson(left, [...(readJson<string[]>(left) ?? []), ...urls]);
  files.forEach(giveUp);
  chosenFiles.set(new Map());
}

/** A page begins: deletes what the one before it was left with. */
export async function dropLeft(): Promise<void> {
  const urls = readJson<string[]>(left) ?? [];
  await Promise.allSettled(urls.map(dropUploaded));
  if (urls.length > 0) writeJson(left, (readJson<string[]>(left) ?? []).filter((each) => !urls.includes(each)));
}

/** The file goes with no question. */
export function giveUp(file: Chosen): void {
  if (isPending(file)) return file.cancel();
  forgetPreview(file);
  const url = urlOf(file);
  if (url !== undefined) void dropUploaded(url).catch(() => {});
}

/** Where the server keeps a file. */
const urlOf = (file: Chosen): string | undefined =>
  !isPending(file) && file.part.type === 'file' && isUploaded(file.part.url) ? file.part.url : undefined;

const forgetPreview = (file: Attached) => file.preview && URL.revokeObjectURL(file.preview);

const contentOf = (part: UIMessage['parts'][number]): string | undefined =>
  part.type === 'file' ? part.url : part.type === 'text' ? part.text : undefined;
