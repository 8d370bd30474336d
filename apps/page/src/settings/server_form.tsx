// Adds an MCP server, or changes one. What is typed here is sent and not kept by the page.
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { putServer } from '../server/mcp.ts';
import { askAbout } from '../state/mcp_servers.ts';
import { tell } from '../state/notices.ts';
import { FormDialog } from '../view/form_dialog.tsx';
import { configOf, FieldError, pastedServers, type ServerFields } from './server_config.ts';
import { TransportFields } from './transport_fields.tsx';

interface Props {
  name?: string; // of a server that is changed
  onClose: () => void;
}

const empty: ServerFields = { type: 'stdio', command: '', args: '', env: '', url: '', headers: '' };

export function ServerForm({ name: known, onClose }: Props) {
  const [name, setName] = useState(known ?? '');
  const [fields, setFields] = useState(empty);
  const [json, setJson] = useState('');
  const [problem, setProblem] = useState('');
  const save = async () => {
    setProblem('');
    try {
      const all = json.trim() === '' ? [[name.trim(), configOf(fields)] as const] : pastedServers(json);
      for (const [each, config] of all) await askAbout(each, () => putServer(each, config));
      tell(t('serversSaved', { names: all.map(([each]) => each).join(', ') }));
      onClose();
    } catch (error) {
      setProblem(
        error instanceof FieldError ? t('lineWrong', { where: error.where, line: error.line }) : (error as Error).message,
      );
    }
  };
  return (
    <FormDialog
      title={known === undefined ? t('addServer') : t('changeNamed', { name: known })}
      submit={t('saveServer')}
      onSubmit={() => void save()}
      onClose={onClose}
      problem={problem}
      wide
    >
      {known !== undefined && <p class="note">{t('changeHint')}</p>}
      {json.trim() === '' && (
        <>
          <label class="field">
            <span>{t('name')}</span>
            <input value={name} required disabled={known !== undefined} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <TransportFields fields={fields} onChange={setFields} />
        </>
      )}
      {known === undefined && (
        <details>
          <summary>{t('pasteJson')}</summary>
          <label class="field">
            <span>{t('pasteJsonHint')}</span>
            <textarea rows={6} value={json} spellcheck={false} onInput={(event) => setJson(event.currentTarget.value)} />
          </label>
        </details>
      )}
    </FormDialog>
  );
}
