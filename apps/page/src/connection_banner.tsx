// Says that the server cannot be reached, and when it is asked again.
import { t } from './i18n/text.ts';
import { connection, tryNow } from './state/connection.ts';
import { useStore } from './state/store.ts';
import { useCountdown } from './view/countdown.ts';

export function ConnectionBanner() {
  const { lost, retryAt } = useStore(connection);
  const seconds = useCountdown(lost ? retryAt : 0);
  if (!lost) return null;
  return (
    <div class="banner">
      <span role="alert">{t('connectionLost')}</span> <span>{t('tryingIn', { seconds })}</span>
      <button type="button" onClick={() => void tryNow()}>
        {t('tryNow')}
      </button>
    </div>
  );
}
