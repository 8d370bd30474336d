// The screen of one chat.
import { useChat } from '@ai-sdk/react';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { useChatInfo } from '../state/chats.ts';
import type { Found } from '../state/hrefs.ts';
import { useStore } from '../state/store.ts';
import { ChatHeader } from './chat_header.tsx';
import { Composer } from './composer.tsx';
import { focusBox } from './focus_box.ts';
import { MessageLog } from './message_log.tsx';
import { MissingTools } from './missing_tools.tsx';
import { ProblemCard } from './problem_card.tsx';
import { ChatSession } from './session.ts';
import { lookAgain, open } from './session_sync.ts';

const Canvas = lazy(() => import('../canvas/canvas.tsx').then((it) => ({ default: it.Canvas })));

interface Props {
  id: string;
  found: Found | undefined; // the message that the address names
  onFound: () => void;
  onMenu: () => void;
}

export function ChatScreen({ id, found, onFound, onMenu }: Props) {
  const session = useMemo(() => new ChatSession(id), [id]);
  const { messages, status } = useChat({ chat: session.chat, throttle: 50 });
  const state = useStore(session.state);
  const canvas = useStore(session.canvas.view);
  const info = useChatInfo(id);
  const version = info?.version ?? 0;
  const busy = status === 'submitted' || status === 'streaming' || state.working;

  useEffect(() => {
    void open(session);
    return () => session.close();
  }, [session]);
  useEffect(() => {
    if (session.exists && !session.busy && version > session.version) void lookAgain(session);
  }, [session, version]);

  useEffect(() => {
    if (!canvas.open && document.activeElement === document.body) focusBox(); // its buttons are gone
  }, [canvas.open]);

  return (
    <div class="chat">
      <main class="chat-main">
        <ChatHeader session={session} messages={messages} onMenu={onMenu} />
        <MissingTools session={session} />
        <MessageLog
          session={session}
          messages={messages}
          busy={busy}
          phase={state.phase}
          found={found}
          onFound={onFound}
        />
        <ProblemCard session={session} busy={busy} />
        <Composer session={session} busy={busy} messages={messages} />
        <div class="hidden" role="status">
          {state.announcement}
        </div>
      </main>
      {canvas.open && (
        <Suspense fallback={<aside class="canvas">{t('loading')}</aside>}>
          <Canvas canvas={session.canvas} title={info?.title ?? ''} />
        </Suspense>
      )}
    </div>
  );
}
