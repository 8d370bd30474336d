// Says which servers of a chat are away, so that their tools are missing.
import { t } from '../i18n/text.ts';
import { settingsHref } from '../state/hrefs.ts';
import { mcp } from '../state/mcp_servers.ts';
import { createStore, useStore } from '../state/store.ts';
import { IconButton } from '../view/button.tsx';
import type { ChatSession } from './session.ts';

const dismissed = createStore(''); // the names that are known to be away

/** Returns the names of the chat's servers that are away; one that tries again still is. */
export function useAway(session: ChatSession): string[] {
  const { servers } = useStore(mcp);
  const { overrides } = useStore(session.state);
  return servers
    .filter((each) => each.enabled && (overrides.mcpServers?.includes(each.name) ?? true))
    .filter((each) => each.health === 'error' || (each.health === 'connecting' && each.attempt > 0))
    .map((each) => each.name);
}

export function MissingTools({ session }: { session: ChatSession }) {
  const names = useAway(session).join(', ');
  const known = useStore(dismissed);
  if (names === '' || names === known) return null;
  return (
    <div class="missing-tools" role="note">
      <p>{t('toolsMissing', { names })}</p>
      <a href={settingsHref()}>{t('look')}</a>
      <IconButton icon="close" class="small" label={t('dismiss')} onClick={() => dismissed.set(names)} />
    </div>
  );
}
