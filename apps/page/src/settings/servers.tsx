// All MCP servers, and the form that adds one.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { whyReadOnly } from '../server/api.ts';
import { countCalls } from '../server/mcp.ts';
import { mcp, readAll } from '../state/mcp_servers.ts';
import { useStore } from '../state/store.ts';
import { ServerCard } from './server_card.tsx';
import { ServerForm } from './server_form.tsx';

export function Servers() {
  const { servers, problem } = useStore(mcp);
  const [adding, setAdding] = useState(false);
  const [locked, setLocked] = useState('');
  const calls = useCalls();
  useEffect(() => void whyReadOnly().then(setLocked), []);
  return (
    <section aria-label={t('mcpServers')}>
      <div class="row spread">
        <h2>{t('mcpServers')}</h2>
        <button type="button" class="primary" disabled={locked !== ''} onClick={() => setAdding(true)}>
          {t('addServer')}
        </button>
      </div>
      {locked !== '' && <p class="note">{t('readOnly', { reason: locked })}</p>}
      {problem !== '' && (
        <div class="row">
          <p class="bad-text">{problem}</p>
          <button type="button" onClick={() => void readAll()}>
            {t('readAgain')}
          </button>
        </div>
      )}
      {calls > 0 && <p class="note">{t('runningCalls', { count: calls })}</p>}
      {servers.length === 0 && <p class="note">{t('noServers')}</p>}
      {servers.length > 0 && (
        <ul class="servers" aria-label={t('mcpServers')}>
          {servers.map((each) => (
            <ServerCard key={each.name} server={each} locked={locked !== ''} />
          ))}
        </ul>
      )}
      {adding && <ServerForm onClose={() => setAdding(false)} />}
    </section>
  );
}

/** How many calls run: nothing tells of it, so it is asked for now and then. */
function useCalls(): number {
  const [calls, setCalls] = useState(0);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void countCalls().then(setCalls, () => {});
    look();
    const timer = setInterval(look, 2000);
    return () => clearInterval(timer);
  }, []);
  return calls;
}
