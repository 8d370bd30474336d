import './jitless.ts';
import './style/base.css';
import './style/layout.css';
import './style/message.css';
import './style/form.css';
import './style/canvas.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { useLanguage } from './i18n/text.ts';
import { followTheme } from './sidebar/theme.ts';
import { refreshChats } from './state/chats.ts';
import { dropAllChosen, dropLeft } from './state/chosen_files.ts';
import { startConnection } from './state/connection.ts';
import { followMcp } from './state/mcp_servers.ts';
import { readModels } from './state/models.ts';
import { settings } from './state/settings.ts';
import { keepPage } from './view/file_drop.ts';

async function start(): Promise<void> {
  followTheme();
  keepPage();
  await useLanguage(settings.get().language);
  const following = new AbortController();
  startConnection(() => following.abort()); // without a key nothing is asked again
  const page = document.getElementById('page')!;
  render(<App />, page);
  const { language } = settings.get();
  settings.subscribe(() => settings.get().language !== language && location.reload());
  void refreshChats();
  addEventListener('pagehide', (event) => event.persisted || dropAllChosen()); // else one comes back to it
  addEventListener('focus', () => void refreshChats());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void refreshChats();
  });
  setTimeout(() => {
    void dropLeft();
    void readModels();
    void followMcp(following.signal);
  });
}

void start();
