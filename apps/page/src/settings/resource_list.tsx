// The resources of a server, and its templates, which are filled in to get one.
import { useState } from 'preact/hooks';
import { TemplateDialog } from '../chat/pickers/template_dialog.tsx';
import { t } from '../i18n/text.ts';
import type { McpTemplate } from '../server/mcp.ts';
import { mcp } from '../state/mcp_servers.ts';
import { useStore } from '../state/store.ts';
import { ResourceDialog, type Readable } from './resource_dialog.tsx';

export function ResourceList({ server }: { server: string }) {
  const { resources, templates, changed } = useStore(mcp);
  const [reading, setReading] = useState<Readable>();
  const [filling, setFilling] = useState<McpTemplate>();
  const own = resources.filter((each) => each.server === server);
  const ownTemplates = templates.filter((each) => each.server === server);
  return (
    <>
      {own.length > 0 && (
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
        </details>
      )}
      {ownTemplates.length > 0 && (
        <details>
          <summary>{t('templateCount', { count: ownTemplates.length })}</summary>
          <ul class="plain-list">
            {ownTemplates.map((each) => (
              <li key={each.uriTemplate}>
                <div>
                  <strong>{each.name}</strong>
                  <p class="note">{each.description}</p>
                  <p class="note">{each.uriTemplate}</p>
                </div>
                <button type="button" aria-label={t('fillNamed', { name: each.name })} onClick={() => setFilling(each)}>
                  {t('fillIn')}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      {filling && (
        <TemplateDialog
          template={filling}
          submit={t('read')}
          onClose={() => setFilling(undefined)}
          onDone={(uri) => {
            setFilling(undefined);
            setReading({ server, uri, name: filling.name });
          }}
        />
      )}
      {reading && <ResourceDialog resource={reading} onClose={() => setReading(undefined)} />}
    </>
  );
}
