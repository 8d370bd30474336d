// All chats as a file, chats from a file, what was used, and the key.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { apiKey, setApiKey } from '../server/api.ts';
import { exportChat, listChats, readUsage, type UsageRow } from '../server/conversations.ts';
import { importChats } from '../state/chats.ts';
import { complain, tell } from '../state/notices.ts';
import { saveFile } from '../view/save_file.ts';

export function DataSettings() {
  const [working, setWorking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const guarded = (act: () => Promise<void>) => async () => {
    setWorking(true);
    await act().catch(complain);
    setWorking(false);
  };
  const take = async (files: File[]) => {
    let count = 0;
    for (const file of files) count += (await importChats(await file.text())).length;
    tell(t('imported', { count }));
  };
  return (
    <>
      <section
        class="card"
        aria-label={t('chats')}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void guarded(() => take([...(event.dataTransfer?.files ?? [])]))();
        }}
      >
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
      <Usage />
      {apiKey() !== '' && (
        <section class="card" aria-label={t('apiKey')}>
          <h2>{t('apiKey')}</h2>
          <button
            type="button"
            onClick={() => {
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

async function saveAll(): Promise<void> {
  const lines: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof listChats>> = await listChats(200, cursor);
    for (const each of page.conversations) lines.push(JSON.stringify(JSON.parse(await exportChat(each.id))));
    cursor = page.next;
  }
  saveFile('chats.jsonl', `${lines.join('\n')}\n`, 'application/jsonl');
}

function Usage() {
  const [rows, setRows] = useState<UsageRow[]>();
  useEffect(() => void readUsage().then((it) => setRows(it.usage), () => {}), []);
  if (rows === undefined) return null;
  return (
    <section class="card" aria-label={t('usage')}>
      <h2>{t('usage')}</h2>
      {rows.length === 0 ? (
        <p class="note">{t('noUsage')}</p>
      ) : (
        <div class="table" tabIndex={0} role="group" aria-label={t('usage')}>
          <table>
            <thead>
              <tr>
                <th>{t('day')}</th>
                <th>{t('model')}</th>
                <th class="align-right">{t('turns')}</th>
                <th class="align-right">{t('tokensIn')}</th>
                <th class="align-right">{t('tokensOut')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((each) => (
                <tr key={each.day + each.model}>
                  <td>{each.day}</td>
                  <td>{each.model}</td>
                  <td class="align-right">{each.turns}</td>
                  <td class="align-right">{each.usage.inputTokens}</td>
                  <td class="align-right">{each.usage.outputTokens}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
