// All MCP servers, and the form that adds one.
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { mcp } from '../state/mcp_servers.ts';
import { useStore } from '../state/store.ts';
import { ServerCard } from './server_card.tsx';
import { ServerForm } from './server_form.tsx';

export function Servers() {
  const { servers, problem } = useStore(mcp);
  const [adding, setAdding] = useState(false);
  return (
    <section aria-label={t('mcpServers')}>
      <div class="row spread">
        <h2>{t('mcpServers')}</h2>
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          {t('addServer')}
        </button>
      </div>
      {problem !== '' && <p class="bad-text">{problem}</p>}
      {servers.length === 0 && <p class="note">{t('noServers')}</p>}
      {servers.length > 0 && (
        <ul class="servers" aria-label={t('mcpServers')}>
          {servers.map((each) => (
            <ServerCard key={each.name} server={each} />
          ))}
        </ul>
      )}
      {adding && <ServerForm onClose={() => setAdding(false)} />}
    </section>
  );
}
