// How a server is reached: a program with its arguments, or an address with its headers.
import { t } from '../i18n/text.ts';
import type { ServerFields } from './server_config.ts';

interface Props {
  fields: ServerFields;
  onChange: (fields: ServerFields) => void;
}

export function TransportFields({ fields, onChange }: Props) {
  const set = (name: keyof ServerFields) => (event: { currentTarget: { value: string } }) =>
    onChange({ ...fields, [name]: event.currentTarget.value });
  return (
    <>
      <label class="field">
        <span>{t('transport')}</span>
        <select value={fields.type} onChange={set('type')}>
          <option value="stdio">stdio</option>
          <option value="http">HTTP</option>
          <option value="sse">HTTP+SSE</option>
          <option value="websocket">WebSocket</option>
        </select>
      </label>
      {fields.type === 'stdio' ? (
        <>
          <label class="field">
            <span>{t('command')}</span>
            <input value={fields.command} required spellcheck={false} onInput={set('command')} />
          </label>
          <label class="field">
            <span>{t('argsHint')}</span>
            <textarea rows={3} value={fields.args} spellcheck={false} onInput={set('args')} />
          </label>
          <label class="field">
            <span>{t('envHint')}</span>
            <textarea rows={2} value={fields.env} spellcheck={false} onInput={set('env')} />
          </label>
        </>
      ) : (
        <>
          <label class="field">
            <span>URL</span>
            <input type="url" value={fields.url} required spellcheck={false} onInput={set('url')} />
          </label>
          <label class="field">
            <span>{t('headersHint')}</span>
            <textarea rows={3} value={fields.headers} spellcheck={false} onInput={set('headers')} />
          </label>
        </>
      )}
    </>
  );
}
