// All chats as a file, chats from a file, what was used, and the key.
import { useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { apiKey, setApiKey } from '../server/api.ts';
import { exportChats, importChats, type Imported } from '../state/chat_files.ts';
import { dropAllChosen } from '../state/chosen_files.ts';
import { complain, tell } from '../state/notices.ts';
import { useFileDrop } from '../view/file_drop.ts';
import { saveFile } from '../view/save_file.ts';
import { Usage } from './usage.tsx';

export function DataSettings() {
  const [working, setWorking] = useState(false);
  const [imports, setImports] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const guarded = (act: () => Promise<void>) => async () => {
    setWorking(true);
    await act().catch(complain);
    setWorking(false);
  };
  const take = async (files: File[]) => {
    const done: Imported = { count: 0, known: 0, refused: [] };
    for (const file of files) {
      const { count, known, refused } = await importChats(await file.text());
      done.count += count;
      done.known += known;
      done.refused.push(...refused);
    }
    setImports((before) => before + 1);
    tell(textOf(done), { bad: done.refused.length > 0 });
  };
  const dropping = useFileDrop((files) => void guarded(() => take(files))());
  return (
    <>
      <section class={dropping ? 'card dropping' : 'card'} aria-label={t('chats')}>
        <h2>{t('chats')}</h2>
        <p class="note">{t('dataHint')}</p>
        <div class="row">
          <button type="button" disabled={working} onClick={() => void guarded(saveAll)()}>
            {t('exportAll')}
          </button>
          <button type="button" disabled={working} onClick={() => input.current?.click()}>
            {t('import')}
          </button>
          <input
            ref={input}
            type="file"
            hidden
            multiple
            accept=".json,.jsonl"
            onChange={(event) => {
              const files = [...(event.currentTarget.files ?? [])];
              event.currentTarget.value = ''; // so that the same file can be chosen again
              void guarded(() => take(files))();
            }}
          />
        </div>
      </section>
      <Usage imports={imports} />
      {apiKey() !== '' && (
        <section class="card" aria-label={t('apiKey')}>
          <h2>{t('apiKey')}</h2>
          <button
            type="button"
            onClick={() => {
              dropAllChosen(); // with the key that they came with
              setApiKey('', false);
              location.reload();
            }}
          >
            {t('signOut')}
          </button>
        </section>
      )}
    </>
  );
}

function textOf({ count, known, refused }: Imported): string {
  const taken = t('imported', { count });
  const there = known > 0 ? ` ${t('knownChats', { count: known })}` : '';
  const not = refused.length > 0 ? ` ${t('notImported', { count: refused.length, reason: refused[0]! })}` : '';
  return taken + there + not;
}

const saveAll = async () => saveFile('chats.jsonl', await exportChats(), 'application/jsonl');
