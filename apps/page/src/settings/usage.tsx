// What was used on each day, and how much is kept.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { readUsage, type Kept } from '../server/conversations.ts';
import { sizeOf } from '../view/save_file.ts';

/** @param imports how often chats were taken in: each time more is kept */
export function Usage({ imports }: { imports: number }) {
  const [now, setNow] = useState<Awaited<ReturnType<typeof readUsage>>>();
  useEffect(() => void readUsage().then(setNow, () => {}), [imports]);
  if (now === undefined) return null;
  const { usage: rows, kept } = now;
  return (
    <section class="card" aria-label={t('usage')}>
      <h2>{t('usage')}</h2>
      {kept && <p class="note">{keptText(kept)}</p>}
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

function keptText({ conversations, bytes, maxConversations, maxBytes }: Kept): string {
  const kept = t('kept', { count: conversations, size: sizeOf(bytes) });
  const most = [
    ...(maxConversations > 0 ? [t('chatCount', { count: maxConversations })] : []),
    ...(maxBytes > 0 ? [sizeOf(maxBytes)] : []),
  ];
  return most.length === 0 ? kept : `${kept} ${t('keptMost', { most: most.join(', ') })}`;
}
