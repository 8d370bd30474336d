// Which MCP servers a chat uses.
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { mcp } from '../state/mcp_servers.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../view/button.tsx';
import { Dialog } from '../view/dialog.tsx';
import type { ChatSession } from './session.ts';
import { useAway } from './missing_tools.tsx';
import { override } from './session_changes.ts';

export function ServerChoice({ session }: { session: ChatSession }) {
  const [open, setOpen] = useState(false);
  const { servers } = useStore(mcp);
  const { overrides } = useStore(session.state);
  const all = servers.filter((each) => each.enabled).map((each) => each.name);
  const chosen = overrides.mcpServers ?? all;
  const change = (name: string, on: boolean) => {
    const next = all.filter((each) => (each === name ? on : chosen.includes(each)));
    void override(session, { mcpServers: next.length === all.length ? null : next });
  };
  const away = useAway(session);
  return (
    <>
      <IconButton
        icon="tool"
        class={away.length > 0 ? 'troubled' : ''}
        label={t('serversOfChat')}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Dialog title={t('serversOfChat')} onClose={() => setOpen(false)}>
          <p class="note">{t('serversOfChatHint')}</p>
          {away.length > 0 && <p class="bad-text">{t('toolsMissing', { names: away.join(', ') })}</p>}
          {all.map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={(event) => change(name, event.currentTarget.checked)}
              />
              {name}
            </label>
          ))}
          <div class="row end">
            <button type="button" class="primary" onClick={() => setOpen(false)}>
              {t('done')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
