// Asks for an API key.
import { useState } from 'preact/hooks';
import { t } from './i18n/text.ts';
import { apiKey, setApiKey } from './server/api.ts';

export function SignIn() {
  const [key, setKey] = useState('');
  const [stay, setStay] = useState(false);
  const refused = apiKey() !== '';
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setApiKey(key.trim(), stay);
          location.reload();
        }}
      >
        <h1>Troupe</h1>
        <p>{t('needsKey')}</p>
        {refused && (
          <p class="bad-text" role="alert">
            {t('keyRefused')}
          </p>
        )}
        <label class="field">
          <span>{t('apiKey')}</span>
          <input
            type="password"
            autocomplete="current-password"
            value={key}
            required
            autoFocus
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={stay} onChange={(event) => setStay(event.currentTarget.checked)} />
          {t('staySignedIn')}
        </label>
        <button type="submit" class="primary">
          {t('signIn')}
        </button>
      </form>
    </main>
  );
}
