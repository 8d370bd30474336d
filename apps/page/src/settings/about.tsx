// Which server this is.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { readVersion } from '../server/turns.ts';

export function About() {
  const [version, setVersion] = useState('Troupe');
  useEffect(() => void readVersion().then(setVersion, () => {}), []);
  return (
    <section class="card" aria-label={t('about')}>
      <h2>{version}</h2>
      <p>{t('aboutText')}</p>
      <p class="note">{t('keysHint')}</p>
    </section>
  );
}
