// What stands where no message is yet.
import { t } from '../i18n/text.ts';
import type { SessionState } from './session_state.ts';

interface Props {
  phase: SessionState['phase'];
  onRetry: () => void;
}

export function EmptyChat({ phase, onRetry }: Props) {
  if (phase === 'loading') return <p class="empty">{t('loading')}</p>;
  if (phase === 'failed')
    return (
      <div class="empty" role="alert">
        <p>{t('chatFailed')}</p>
        <button type="button" onClick={onRetry}>
          {t('readAgain')}
        </button>
      </div>
    );
  return (
    <div class="empty">
      <h1>{t('emptyTitle')}</h1>
      <p>{t('emptyHint')}</p>
    </div>
  );
}
