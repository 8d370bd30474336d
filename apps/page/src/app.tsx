// The whole page: which screen is shown, beside the list of chats.
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { ChatScreen } from './chat/chat_screen.tsx';
import { Questions } from './chat/questions.tsx';
import { ConnectionBanner } from './connection_banner.tsx';
import { t } from './i18n/text.ts';
import { usePageKeys } from './page_keys.ts';
import { leaveFound, useRoute } from './routes.ts';
import { Sidebar } from './sidebar/sidebar.tsx';
import { useChatInfo } from './state/chats.ts';
import { connection } from './state/connection.ts';
import { useStore } from './state/store.ts';
import { Notices } from './view/notices.tsx';

const KeyHelp = lazy(() => import('./key_help.tsx').then((it) => ({ default: it.KeyHelp })));
const SignIn = lazy(() => import('./sign_in.tsx').then((it) => ({ default: it.SignIn })));
const SettingsScreen = lazy(() => import('./settings/settings_screen.tsx').then((it) => ({ default: it.SettingsScreen })));

export function App() {
  const route = useRoute();
  const { needsKey } = useStore(connection);
  const [menu, setMenu] = useState(false);
  const [help, setHelp] = useState(false);
  usePageKeys(() => setHelp(true), () => setMenu(true));
  const info = useChatInfo(route.screen === 'chat' ? route.id : '');
  const title = route.screen === 'chat' ? info?.title : t('settings');
  useEffect(() => {
    document.title = title ? `${title} - Troupe` : 'Troupe';
  }, [title]);
  if (needsKey)
    return (
      <Suspense fallback={null}>
        <SignIn />
      </Suspense>
    );
  return (
    <div class="page">
      <Sidebar open={menu} onClose={() => setMenu(false)} current={route.screen === 'chat' ? route.id : ''} />
      <div class="screen">
        <ConnectionBanner />
        {route.screen === 'chat' ? (
          <ChatScreen
            key={route.id}
            id={route.id}
            found={route.found}
            onFound={leaveFound}
            onMenu={() => setMenu(true)}
          />
        ) : (
          <Suspense fallback={<p class="empty">{t('loading')}</p>}>
            <SettingsScreen tab={route.tab} onMenu={() => setMenu(true)} />
          </Suspense>
        )}
      </div>
      <Notices />
      <Questions />
      <Suspense fallback={null}>{help && <KeyHelp onClose={() => setHelp(false)} />}</Suspense>
    </div>
  );
}
