// How chats look and behave in this browser.
import { t } from '../i18n/text.ts';
import { changeSettings, settings, type Settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';

export function ChatSettings() {
  const now = useStore(settings);
  return (
    <section class="card" aria-label={t('chatSettings')}>
      <Choice
        name="theme"
        label={t('theme')}
        options={[['system', t('asSystem')], ['light', t('light')], ['dark', t('dark')]]}
      />
      <Choice
        name="language"
        label={t('language')}
        options={[['system', t('asSystem')], ['en', 'English'], ['zh', '中文']]}
      />
      <Choice
        name="sendWith"
        label={t('sendWith')}
        options={[['enter', 'Enter'], ['ctrl-enter', 'Ctrl+Enter']]}
      />
      <Choice
        name="follow"
        label={t('whileAnswering')}
        options={[['end', t('followEnd')], ['beginning', t('stayAtBeginning')]]}
      />
      <Switch label={t('streaming')} hint={t('streamingHint')} on={now.streaming} set={(streaming) => changeSettings({ streaming })} />
      <Switch label={t('canvasTools')} hint={t('canvasToolsHint')} on={now.canvas} set={(canvas) => changeSettings({ canvas })} />
    </section>
  );
}

interface ChoiceProps {
  name: 'theme' | 'language' | 'sendWith' | 'follow';
  label: string;
  options: [string, string][];
}

function Choice({ name, label, options }: ChoiceProps) {
  const now = useStore(settings);
  return (
    <label class="setting">
      <span>{label}</span>
      <select
        value={now[name]}
        onChange={(event) => changeSettings({ [name]: event.currentTarget.value } as Partial<Settings>)}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SwitchProps {
  label: string;
  hint: string;
  on: boolean;
  set: (on: boolean) => void;
}

function Switch({ label, hint, on, set }: SwitchProps) {
  return (
    <label class="setting">
      <span>
        {label}
        <span class="note">{hint}</span>
      </span>
      <input type="checkbox" role="switch" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
    </label>
  );
}
