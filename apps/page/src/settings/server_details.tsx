// What a server is and offers, and its diary.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { readServer, type McpServer, type McpTool } from '../server/mcp.ts';
import { askAbout, mcp } from '../state/mcp_servers.ts';
import { useStore } from '../state/store.ts';
import { ResourceList } from './resource_list.tsx';
import { TryTool } from './try_tool.tsx';

export function ServerDetails({ server }: { server: McpServer }) {
  const { tools } = useStore(mcp);
  const [trying, setTrying] = useState<McpTool>();
  const own = tools.filter((each) => each.server === server.name);
  useEffect(() => void askAbout(server.name, () => readServer(server.name)).catch(() => {}), [server.phase, server.attempt]);
  return (
    <div class="server-details">
      <dl>
        <Fact name={t('program')} value={`${server.serverTitle || server.serverName} ${server.serverVersion}`} />
        <Fact name={t('protocol')} value={server.protocolVersion} />
        <Fact name={t('onNode')} value={server.node ?? ''} />
        <Fact name={t('connectedIn')} value={server.connectMs > 0 ? `${server.connectMs} ms` : ''} />
        <Fact name={t('capabilities')} value={offered(server.capabilities)} />
        <Fact name={t('instructions')} value={server.instructions} />
      </dl>
      {own.length > 0 && (
        <details>
          <summary>{t('toolCount', { count: own.length })}</summary>
          <ul class="plain-list">
            {own.map((each) => (
              <li key={each.name}>
                <div>
                  <strong>{each.title ?? each.name}</strong>
                  <p class="note">{each.description}</p>
                </div>
                <button type="button" aria-label={t('tryNamed', { name: each.name })} onClick={() => setTrying(each)}>
                  {t('tryTool')}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <ResourceList server={server.name} />
      {server.log && server.log.length > 0 && (
        <details>
          <summary>{t('log')}</summary>
          <pre class="log-lines" tabIndex={0} role="group" aria-label={t('logOf', { name: server.name })}>
            {server.log
              .map((each) => `${new Date(each.timeMs).toLocaleTimeString()} ${each.text}${each.times > 1 ? ` (${each.times})` : ''}`)
              .join('\n')}
          </pre>
        </details>
      )}
      {trying && <TryTool tool={trying} onClose={() => setTrying(undefined)} />}
    </div>
  );
}

const offered = (capabilities: Record<string, unknown>): string =>
  Object.keys(capabilities ?? {})
    .filter((name) => capabilities[name])
    .join(', ');

function Fact({ name, value }: { name: string; value: string }) {
  if (value.trim() === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
