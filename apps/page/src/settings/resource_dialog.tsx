// What a resource holds, read anew on demand; its changes can be followed.
import { useEffect, useState } from 'preact/hooks';
import { EmbeddedResource } from '../chat/parts/tool_output.tsx';
import { t } from '../i18n/text.ts';
import { readResource, type ResourceContent } from '../server/mcp.ts';
import { followResource, mcp, noteRead } from '../state/mcp_servers.ts';
import { complain, tell } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { Dialog } from '../view/dialog.tsx';

export interface Readable {
  server: string;
  uri: string;
  name: string;
  title?: string;
}

export function ResourceDialog({ resource, onClose }: { resource: Readable; onClose: () => void }) {
  const { server, uri } = resource;
  const [contents, setContents] = useState<ResourceContent[]>();
  const [problem, setProblem] = useState('');
  const { changed, followed } = useStore(mcp);
  const key = `${server} ${uri}`;
  const follows = followed.has(key);
  const read = async (refresh: boolean) => {
    setProblem('');
    noteRead(server, uri);
    try {
      setContents(await readResource(server, uri, refresh));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  useEffect(() => void read(changed.has(key)), []);
  const follow = async () => {
    try {
      await followResource(server, uri, !follows);
      tell(follows ? t('notFollowed') : t('followed'));
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Dialog title={resource.title ?? resource.name} onClose={onClose} wide>
      {(contents === undefined || changed.has(key)) && (
        <p class="note">
          {uri} {changed.has(key) && <span class="badge">{t('changed')}</span>}
        </p>
      )}
      {problem !== '' && (
        <p class="bad-text" role="alert">
          {problem}
        </p>
      )}
      {contents === undefined && problem === '' && <p class="note">{t('loading')}</p>}
      {contents?.map((each, at) => (
        <EmbeddedResource key={at} resource={each} />
      ))}
      <div class="row end">
        <button type="button" aria-pressed={follows} onClick={() => void follow()}>
          {t('follow')}
        </button>
        <button type="button" onClick={onClose}>
          {t('close')}
        </button>
        <button type="button" class="primary" onClick={() => void read(true)}>
          {t('refresh')}
        </button>
      </div>
    </Dialog>
  );
}
