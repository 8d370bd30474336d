// The files that are to go with the next question, those on their way to the server included.
import { useMemo } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import { dropUploaded, isUploaded } from '../server/uploads.ts';
import { complain } from '../state/notices.ts';
import { createStore, useStore } from '../state/store.ts';
import { attachedFile, attachedText, FileRefused, type Attached } from './files.ts';

export interface Pending {
  name: string;
  size: number;
  share: number; // of it that is sent
  cancel: () => void;
}

export type Chosen = Attached | Pending;

export const isPending = (file: Chosen): file is Pending => !('part' in file);

/** By chat, as long as the page lives: who looks elsewhere and comes back finds them beside the draft. */
const chosen = createStore<ReadonlyMap<string, Chosen[]>>(new Map());
const none: Chosen[] = [];
const chosenFor = (chat: string): Chosen[] => chosen.get().get(chat) ?? none;

function change(chat: string, next: (old: Chosen[]) => Chosen[]): void {
  const all = new Map(chosen.get());
  const files = next(chosenFor(chat));
  if (files.length > 0) all.set(chat, files);
  else all.delete(chat);
  chosen.set(all);
}

/** The list of one chat's box. */
export function useFiles(chat: string) {
  const files = useStore(chosen).get(chat) ?? none;
  return { files, ...useMemo(() => listOf(chat), [chat]) };
}

const listOf = (chat: string) => ({
  add: async (list: Iterable<File>) => {
    for (const file of list) await addOne(chat, file);
  },
  addText: (text: string) =>
    change(chat, (list) => [...list, attachedText(`pasted-${list.length + 1}.txt`, text)]),
  remove: (file: Chosen) => {
    giveUp(file);
    change(chat, (list) => list.filter((each) => each !== file));
  },
  /** Hands the files over to a question. */
  take: (): Attached[] => {
    const taken = chosenFor(chat).filter((each): each is Attached => !isPending(each));
    taken.forEach(forgetPreview);
    change(chat, () => []);
    return taken;
  },
});

async function addOne(chat: string, file: File): Promise<void> {
  const ending = new AbortController();
  let mine: Chosen = { name: file.name, size: file.size, share: 0, cancel: () => ending.abort() };
  const become = (next: Chosen) => {
    const old = mine;
    mine = next;
    change(chat, (list) => list.map((each) => (each === old ? next : each)));
  };
  change(chat, (list) => [...list, mine]);
  try {
    const onProgress = (share: number) => become({ ...(mine as Pending), share });
    const made = await attachedFile(file, { onProgress, signal: ending.signal });
    if (ending.signal.aborted) giveUp(made);
    else become(made);
  } catch (error) {
    change(chat, (list) => list.filter((each) => each !== mine));
    if (ending.signal.aborted) return;
    complain(reasonOf(error, file.name));
  }
}

function reasonOf(error: unknown, name: string): unknown {
  if (error instanceof FileRefused) return new Error(t(error.why, { name: error.file }));
  return error instanceof ServerError && error.status === 0 ? new Error(t('notUploaded', { name })) : error;
}

const forgetPreview = (file: Attached) => file.preview && URL.revokeObjectURL(file.preview);

/** The file goes with no question. */
function giveUp(file: Chosen): void {
  if (isPending(file)) return file.cancel();
  forgetPreview(file);
  if (file.part.type === 'file' && isUploaded(file.part.url)) void dropUploaded(file.part.url).catch(() => {});
}
