// The files that are to go with the next question, those on their way to the server included.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { dropUploaded, isUploaded } from '../server/uploads.ts';
import { complain } from '../state/notices.ts';
import { attachedFile, attachedText, FileRefused, type Attached } from './files.ts';

export interface Pending {
  name: string;
  size: number;
  share: number; // of it that is sent
  cancel: () => void;
}

export type Chosen = Attached | Pending;

export const isPending = (file: Chosen): file is Pending => !('part' in file);

/** @param owner what the files belong to: with another one the list is empty */
export function useFiles(owner: unknown) {
  const [files, setFiles] = useState<Chosen[]>([]);
  const all = useRef(files);
  const change = useCallback((next: (old: Chosen[]) => Chosen[]) => {
    all.current = next(all.current);
    setFiles(all.current);
  }, []);
  useEffect(() => () => (all.current.forEach(giveUp), change(() => [])), [owner]);

  const addOne = async (file: File) => {
    const ending = new AbortController();
    let mine: Chosen = { name: file.name, size: file.size, share: 0, cancel: () => ending.abort() };
    const become = (next: Chosen) => {
      const old = mine;
      mine = next;
      change((list) => list.map((each) => (each === old ? next : each)));
    };
    change((list) => [...list, mine]);
    try {
      const onProgress = (share: number) => become({ ...(mine as Pending), share });
      const made = await attachedFile(file, { onProgress, signal: ending.signal });
      if (ending.signal.aborted) giveUp(made);
      else become(made);
    } catch (error) {
      change((list) => list.filter((each) => each !== mine));
      if (ending.signal.aborted) return;
      complain(error instanceof FileRefused ? new Error(t(error.why, { name: error.file })) : error);
    }
  };
  const add = useCallback(async (list: Iterable<File>) => {
    for (const file of list) await addOne(file);
  }, []);
  const addText = (text: string) =>
    change((list) => [...list, attachedText(`pasted-${list.length + 1}.txt`, text)]);
  const remove = (file: Chosen) => {
    giveUp(file);
    change((list) => list.filter((each) => each !== file));
  };
  /** Hands the files over to a question. */
  const take = (): Attached[] => {
    const taken = all.current.filter((each): each is Attached => !isPending(each));
    taken.forEach(forgetPreview);
    change(() => []);
    return taken;
  };
  return { files, add, addText, remove, take };
}

const forgetPreview = (file: Attached) => file.preview && URL.revokeObjectURL(file.preview);

/** The file goes with no question. */
function giveUp(file: Chosen): void {
  if (isPending(file)) return file.cancel();
  forgetPreview(file);
  if (file.part.type === 'file' && isUploaded(file.part.url)) void dropUploaded(file.part.url).catch(() => {});
}
