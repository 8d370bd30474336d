// The settings, in four parts.
import { t, type Words } from '../i18n/text.ts';
import { settingsHref, type SettingsTab } from '../state/hrefs.ts';
import { IconButton } from '../view/button.tsx';
import { About } from './about.tsx';
import { ChatSettings } from './chat_settings.tsx';
import { DataSettings } from './data.tsx';
import { Servers } from './servers.tsx';

const tabs: [SettingsTab, Words][] = [
  ['servers', 'mcpServers'],
  ['chat', 'chatSettings'],
  ['data', 'data'],
  ['about', 'about'],
];

export function SettingsScreen({ tab, onMenu }: { tab: SettingsTab; onMenu: () => void }) {
  return (
    <main class="settings">
      <header class="chat-header">
        <IconButton icon="menu" class="only-phone" label={t('menu')} onClick={onMenu} />
        <h1>{t('settings')}</h1>
      </header>
      <nav class="tabs" aria-label={t('settings')}>
        {tabs.map(([name, label]) => (
          <a key={name} href={settingsHref(name)} aria-current={name === tab ? 'page' : undefined}>
            {t(label)}
          </a>
        ))}
      </nav>
      <div class="settings-body">
        {tab === 'servers' && <Servers />}
        {tab === 'chat' && <ChatSettings />}
        {tab === 'data' && <DataSettings />}
        {tab === 'about' && <About />}
      </div>
    </main>
  );
}
