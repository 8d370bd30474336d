// The messages of a chat: the last 200, more on demand.
import type { UIMessage } from 'ai';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import type { Found } from '../state/hrefs.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { Icon } from '../view/icons.tsx';
import { EmptyChat } from './empty_chat.tsx';
import { Follower, upKeys } from './follow.ts';
import { onLogKey } from './log_keys.ts';
import { Message } from './message.tsx';
import type { ChatSession } from './session.ts';
import { hasSomething, type SessionState } from './session_state.ts';
import { open } from './session_sync.ts';
import { useFound } from './use_found.ts';

interface Props {
  session: ChatSession;
  messages: UIMessage[];
  busy: boolean;
  phase: SessionState['phase'];
  found: Found | undefined; // by a search: it is gone to
  onFound: () => void;
}

const page = 200;
const nearTop = 1000; // pixels; earlier messages come before their reader is at the top

export function MessageLog({ session, messages, busy, phase, found, onFound }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower>(null);
  const [following, setFollowing] = useState(true);
  const [shown, setShown] = useState(page);
  const fromEnd = useRef<number>(null); // of what is in view, while earlier messages come
  const { held, stopped, cut } = useStore(session.state);
  const { follow } = useStore(settings);
  const last = messages.at(-1);
  const asked = messages.findLast((each) => each.role === 'user')?.id;

  useEffect(() => {
    follower.current = new Follower(scroller.current!, content.current!, setFollowing);
    return () => follower.current?.end();
  }, [session]);
  useLayoutEffect(() => {
    if (!busy || asked === undefined) return;
    follower.current?.jump();
    if (follow !== 'beginning') return;
    follower.current?.hold(scroller.current!.querySelector(`[data-id="${CSS.escape(asked)}"]`));
  }, [asked]);

  useLayoutEffect(() => {
    if (fromEnd.current === null) return;
    scroller.current!.scrollTop = scroller.current!.scrollHeight - fromEnd.current;
    fromEnd.current = null;
  }, [shown]);

  const show = (at: number): HTMLElement | null => {
    const needed = messages.length - at;
    if (needed > shown) setShown(Math.ceil(needed / page) * page);
    if (needed > shown) return null;
    follower.current?.let();
    return scroller.current!.querySelector(`[data-id="${CSS.escape(messages[at]!.id)}"]`);
  };
  const marked = useFound(found, onFound, { session, messages, ready: phase === 'ready', busy, show });

  const isSeen = (each: UIMessage) => hasSomething(each) || (busy && each === last) || stopped === each.id;
  const first = Math.max(0, messages.length - shown);
  const waiting = busy && last?.role !== 'assistant';
  const showEarlier = () => {
    const { scrollHeight, scrollTop } = scroller.current!;
    fromEnd.current = scrollHeight - scrollTop;
    setShown(shown + page);
    if (first <= page) scroller.current!.focus({ preventScroll: true }); // its button goes
  };
  const onUp = () => {
    if (first > 0 && scroller.current!.scrollTop < nearTop) showEarlier();
  };
  const onKey = (event: KeyboardEvent) => {
    if (upKeys.has(event.key)) onUp();
    onLogKey(event);
  };
  return (
    <div class="log-frame">
      <div
        class="log"
        role="log"
        aria-label={t('messages')}
        aria-live="off"
        aria-busy={busy}
        tabIndex={0}
        ref={scroller}
        onKeyDown={onKey}
        onWheel={(event) => event.deltaY < 0 && onUp()}
        onTouchMove={onUp}
      >
        <div class="log-content" ref={content}>
          {first > 0 && (
            <button type="button" class="earlier" onClick={showEarlier}>
              {t('showEarlier', { count: first })}
            </button>
          )}
          {messages.slice(first).filter(isSeen).map((each) => (
            <Message
              key={each.id}
              session={session}
              message={each}
              live={busy && each === last}
              busy={busy}
              stopped={stopped === each.id}
              cut={cut?.id === each.id ? cut.reason : undefined}
              found={marked === each.id}
              held={held?.id === each.id ? held.parts : undefined}
            />
          ))}
          {waiting && (
            <p aria-hidden="true">
              <span class="dots" />
            </p>
          )}
          {messages.length === 0 && !busy && <EmptyChat phase={phase} onRetry={() => void open(session)} />}
        </div>
      </div>
      {!following && (
        <button type="button" class="jump" onClick={() => follower.current?.jump()}>
          <Icon name="down" /> {t('jumpToLatest')}
        </button>
      )}
    </div>
  );
}
