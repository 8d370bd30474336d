// The resources of a server: read them, follow their changes.
import { useState } from 'preact/hooks';
import { EmbeddedResource } from '../chat/parts/tool_output.tsx';
import { t } from '../i18n/text.ts';
import { readResource, subscribe, unsubscribe, type McpResource, type ResourceContent } from '../server/mcp.ts';
import { mcp, noteRead } from '../state/mcp_servers.ts';
import { complain, tell } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { Dialog } from '../view/dialog.tsx';

export function ResourceList({ server }: { server: string }) {
  const { resources, changed } = useStore(mcp);
  const [reading, setReading] = useState<McpResource>();
  const own = resources.filter((each) => each.server === server);
  if (own.length === 0) return null;
  return (
    <details>
      <summary>{t('resourceCount', { count: own.length })}</summary>
      <ul class="plain-list">
        {own.map((each) => (
          <li key={each.uri}>
            <div>
              <strong>{each.title ?? each.name}</strong>
              {changed.has(`${server} ${each.uri}`) && <span class="badge">{t('changed')}</span>}
              <p class="note">{each.uri}</p>
            </div>
            <button type="button" aria-label={t('readNamed', { name: each.name })} onClick={() => setReading(each)}>
              {t('read')}
            </button>
          </li>
        ))}
      </ul>
      {reading && <ResourceDialog resource={reading} onClose={() => setReading(undefined)} />}
    </details>
  );
}

function ResourceDialog({ resource, onClose }: { resource: McpResource; onClose: () => void }) {
  const [contents, setContents] = useState<ResourceContent[]>();
  const [follows, setFollows] = useState(false);
  const { server, uri } = resource;
  const read = (refresh: boolean) => {
    noteRead(server, uri);
    void readResource(server, uri, refresh).then(setContents, complain);
  };
  const follow = () =>
    void (follows ? unsubscribe : subscribe)(server, uri).then(() => {
      setFollows(!follows);
      tell(follows ? t('notFollowed') : t('followed'));
    }, complain);
  return (
    <Dialog title={resource.title ?? resource.name} onClose={onClose} wide>
      <p class="note">{uri}</p>
      {contents?.map((each, at) => (
        <EmbeddedResource key={at} resource={each} />
      ))}
      <div class="row end">
        <button type="button" aria-pressed={follows} onClick={follow}>
          {t('follow')}
        </button>
        <button type="button" onClick={onClose}>
          {t('close')}
        </button>
        <button type="button" class="primary" onClick={() => read(contents !== undefined)}>
          {contents === undefined ? t('read') : t('refresh')}
        </button>
      </div>
    </Dialog>
  );
}
