// One MCP server: how it is, and what can be done about it.
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { enableServer, retryServer, type McpServer } from '../server/mcp.ts';
import { askAbout, mcp } from '../state/mcp_servers.ts';
import { complain } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { Health } from './health.tsx';
import { RemoveServer } from './remove_server.tsx';
import { ServerDetails } from './server_details.tsx';
import { ServerForm } from './server_form.tsx';

/** @param locked it can be looked at only */
export function ServerCard({ server, locked }: { server: McpServer; locked: boolean }) {
  const [open, setOpen] = useState(false);
  const [changing, setChanging] = useState(false);
  const [removing, setRemoving] = useState(false);
  const { changed } = useStore(mcp);
  const { name } = server;
  const hasNews = [...changed].some((each) => each.startsWith(`${name} `));
  const change = (act: () => Promise<McpServer>) => void askAbout(name, act).catch(complain);
  const setEnabled = (enabled: boolean) => change(() => enableServer(name, enabled));
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
          disabled={locked}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
      </div>
      <p class="note">
        {server.type} · {t('toolCount', { count: server.tools })} · {t('resourceCount', { count: server.resources })} ·{' '}
        {t('promptCount', { count: server.prompts })}
        {hasNews && <span class="badge">{t('changed')}</span>}
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
        <button type="button" aria-label={t('retryNamed', { name })} disabled={locked || !server.enabled} onClick={() => change(() => retryServer(name))}>
          {t('retry')}
        </button>
        <button type="button" aria-label={t('changeNamed', { name })} disabled={locked} onClick={() => setChanging(true)}>
          {t('change')}
        </button>
        <button type="button" class="danger" aria-label={t('removeNamed', { name })} disabled={locked} onClick={() => setRemoving(true)}>
          {t('remove')}
        </button>
      </div>
      {open && <ServerDetails server={server} />}
      {changing && <ServerForm name={name} onClose={() => setChanging(false)} />}
      {removing && <RemoveServer name={name} onClose={() => setRemoving(false)} />}
    </li>
  );
}
