// The files of a chat's box, those on their way to the server included.
import { useMemo } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import { changeChosen, chosenFiles, giveUp, type Chosen, type Pending } from '../state/chosen_files.ts';
import { complain } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { attachedFile, attachedText, FileRefused } from './files.ts';

const none: Chosen[] = [];

/** The list of one chat's box. */
export function useFiles(chat: string) {
  const files = useStore(chosenFiles).get(chat) ?? none;
  return { files, ...useMemo(() => listOf(chat), [chat]) };
}

const listOf = (chat: string) => ({
  /** All are listed at once, and sent one after the other. */
  add: async (list: Iterable<File>) => {
    const begun = [...list].map((file) => beginOne(chat, file));
    for (const send of begun) await send();
  },
  addText: (text: string) =>
    changeChosen(chat, (list) => [...list, attachedText(`pasted-${list.length + 1}.txt`, text)]),
  remove: (file: Chosen) => {
    giveUp(file);
    changeChosen(chat, (list) => list.filter((each) => each !== file));
  },
});

/** Lists a file; returns what reads and sends it. */
function beginOne(chat: string, file: File): () => Promise<void> {
  const ending = new AbortController();
  let mine: Chosen = { name: file.name, size: file.size, share: 0, cancel: () => ending.abort() };
  const become = (next: Chosen) => {
    const old = mine;
    mine = next;
    changeChosen(chat, (list) => list.map((each) => (each === old ? next : each)));
  };
  changeChosen(chat, (list) => [...list, mine]);
  return async () => {
    try {
      if (ending.signal.aborted) return;
      const onProgress = (share: number) => become({ ...(mine as Pending), share });
      const made = await attachedFile(file, { onProgress, signal: ending.signal });
      if (ending.signal.aborted) giveUp(made);
      else become(made);
    } catch (error) {
      changeChosen(chat, (list) => list.filter((each) => each !== mine));
      if (ending.signal.aborted) return;
      complain(reasonOf(error, file.name));
    }
  };
}

function reasonOf(error: unknown, name: string): unknown {
  if (error instanceof FileRefused) return new Error(t(error.why, { name: error.file }));
  return error instanceof ServerError && error.status === 0 ? new Error(t('notUploaded', { name })) : error;
}
