// The files that are to go with the next question, those on their way to the server included.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
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

/** The list of one chat's box; what is in it when that goes away is given up. */
export function useFiles() {
  const [files, setFiles] = useState<Chosen[]>([]);
  const all = useRef(files);
  const left = useRef(false);
  const change = useCallback((next: (old: Chosen[]) => Chosen[]) => {
    all.current = next(all.current);
    setFiles(all.current);
  }, []);
  useEffect(
    () => () => {
      left.current = true;
      all.current.forEach(giveUp);
    },
    [],
  );

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
      complain(reasonOf(error, file.name));
    }
  };
  const add = useCallback(async (list: Iterable<File>) => {
    for (const file of list) if (!left.current) await addOne(file);
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
