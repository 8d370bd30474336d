// What stands where no message is yet.
import { t } from '../i18n/text.ts';
import type { SessionState } from './session_state.ts';

export function EmptyChat({ phase }: { phase: SessionState['phase'] }) {
  if (phase === 'loading') return <p class="empty">{t('loading')}</p>;
  if (phase === 'failed') return <p class="empty">{t('chatFailed')}</p>;
  return (
    <div class="empty">
      <h1>{t('emptyTitle')}</h1>
      <p>{t('emptyHint')}</p>
    </div>
  );
}
