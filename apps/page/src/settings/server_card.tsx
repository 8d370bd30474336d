// One MCP server: how it is, and what can be done about it.
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { enableServer, removeServer, retryServer, type McpServer } from '../server/mcp.ts';
import { askAbout, forgetServer } from '../state/mcp_servers.ts';
import { complain } from '../state/notices.ts';
import { FormDialog } from '../view/form_dialog.tsx';
import { Health } from './health.tsx';
import { ServerDetails } from './server_details.tsx';
import { ServerForm } from './server_form.tsx';

export function ServerCard({ server }: { server: McpServer }) {
  const [open, setOpen] = useState(false);
  const [changing, setChanging] = useState(false);
  const [removing, setRemoving] = useState(false);
  const { name } = server;
  const change = (act: () => Promise<McpServer>) => void askAbout(name, act).catch(complain);
  const setEnabled = (enabled: boolean) => change(() => enableServer(name, enabled));
  const remove = async () => {
    setRemoving(false);
    try {
      await removeServer(name);
      forgetServer(name);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <li class="card server" aria-label={name}>
      <div class="server-head">
        <h3>{name}</h3>
        <Health server={server} />
        <input
          type="checkbox"
          role="switch"
          aria-label={t('enableNamed', { name })}
          checked={server.enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
      </div>
      <p class="note">
        {server.type} · {t('toolCount', { count: server.tools })} · {t('resourceCount', { count: server.resources })} ·{' '}
        {t('promptCount', { count: server.prompts })}
      </p>
      {server.error && (
        <p class="bad-text">
          {server.error.message} <code>{server.error.code}</code>
        </p>
      )}
      <div class="row">
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('less') : t('details')}
        </button>
        <button type="button" aria-label={t('retryNamed', { name })} disabled={!server.enabled} onClick={() => change(() => retryServer(name))}>
          {t('retry')}
        </button>
        <button type="button" aria-label={t('changeNamed', { name })} onClick={() => setChanging(true)}>
          {t('change')}
        </button>
        <button type="button" class="danger" aria-label={t('removeNamed', { name })} onClick={() => setRemoving(true)}>
          {t('remove')}
        </button>
      </div>
      {open && <ServerDetails server={server} />}
      {changing && <ServerForm name={name} onClose={() => setChanging(false)} />}
      {removing && (
        <FormDialog
          title={t('removeTitle', { name })}
          submit={t('remove')}
          onSubmit={() => void remove()}
          onClose={() => setRemoving(false)}
          danger
        >
          <p>{t('removeAsks')}</p>
        </FormDialog>
      )}
    </li>
  );
}
