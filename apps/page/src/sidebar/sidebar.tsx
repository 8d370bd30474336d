// Beside the chat: all chats, and the way to the settings.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { openNewChat } from '../routes.ts';
import { settingsHref } from '../state/hrefs.ts';
import { changeSettings, settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../view/button.tsx';
import { Icon } from '../view/icons.tsx';
import { ChatList } from './chat_list.tsx';
import { isDark } from './theme.ts';

interface Props {
  open: boolean; // on a phone, where it lies over the chat
  onClose: () => void;
  current: string;
}

export function Sidebar({ open, onClose, current }: Props) {
  const root = useRef<HTMLElement>(null);
  const { theme } = useStore(settings);
  const dark = isDark(theme);
  useLayoutEffect(() => {
    if (!open) return;
    const before = document.activeElement as HTMLElement | null;
    root.current?.querySelector<HTMLElement>('button')?.focus();
    return () => before?.focus();
  }, [open]);
  return (
    <>
      {open && <div class="shade" onClick={onClose} />}
      <nav
        ref={root}
        class={open ? 'sidebar open' : 'sidebar'}
        aria-label={t('chats')}
        onKeyDown={(event) => event.key === 'Escape' && open && onClose()}
      >
        <div class="sidebar-head">
          <span class="brand">Troupe</span>
          <IconButton icon="close" class="only-phone" label={t('closeMenu')} onClick={onClose} />
        </div>
        <button
          type="button"
          class="new-chat"
          onClick={() => {
            openNewChat();
            onClose();
          }}
        >
          <Icon name="plus" /> {t('newChat')}
        </button>
        <ChatList current={current} onOpen={onClose} />
        <div class="sidebar-foot">
          <a href={settingsHref()} onClick={onClose}>
            <Icon name="settings" /> {t('settings')}
          </a>
          <IconButton
            icon={dark ? 'sun' : 'moon'}
            label={dark ? t('useLight') : t('useDark')}
            onClick={() => changeSettings({ theme: dark ? 'light' : 'dark' })}
          />
        </div>
      </nav>
    </>
  );
}
