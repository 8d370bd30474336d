// Says that the server cannot be reached, and when it is asked again.
import { useEffect, useState } from 'preact/hooks';
import { t } from './i18n/text.ts';
import { connection, tryNow } from './state/connection.ts';
import { useStore } from './state/store.ts';

export function ConnectionBanner() {
  const { lost, retryAt } = useStore(connection);
  const [, tick] = useState(0);
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [lost]);
  if (!lost) return null;
  const seconds = Math.max(0, Math.ceil((retryAt - performance.now()) / 1000));
  return (
    <div class="banner">
      <span role="alert">{t('connectionLost')}</span> <span>{t('tryingIn', { seconds })}</span>
      <button type="button" onClick={() => void tryNow()}>
        {t('tryNow')}
      </button>
    </div>
  );
}
