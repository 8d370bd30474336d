// Goes to the message that a search found.
import type { UIMessage } from 'ai';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import type { Found } from '../state/hrefs.ts';
import { tell } from '../state/notices.ts';
import { markWords } from './mark_words.ts';
import type { ChatSession } from './session.ts';
import { textOf } from './session_state.ts';
import { lookAgain } from './session_sync.ts';

/** The list in which it is looked for. */
export interface FoundIn {
  session: ChatSession;
  messages: UIMessage[];
  ready: boolean; // they are those of the server
  busy: boolean;
  /** Returns a message's element after letting go of the end; nothing until the next rendering draws it. */
  show: (at: number) => HTMLElement | null;
}

/**
 * Shows and focuses a message when it is there, and says so to `onFound`; or says that it is not any more.
 * Returns the id of the message that is marked: until something else is asked.
 */
export function useFound(found: Found | undefined, onFound: () => void, where: FoundIn): string {
  const { session, messages, ready, busy, show } = where;
  const [looked, setLooked] = useState<Found>();
  const looking = useRef<Found>(null);
  const [marked, setMarked] = useState<Found>();
  useLayoutEffect(() => {
    if (found === undefined || !ready) return;
    const message = messageOf(messages, found);
    if (message !== undefined) {
      if (show(messages.indexOf(message)) === null) return;
      setMarked({ ...found, message: message.id });
      onFound();
    } else if (isComing(session, found)) return;
    else if (looked === found) {
      tell(t('foundGone'), { bad: true });
      onFound();
    } else if (looking.current !== found) {
      looking.current = found; // this tab may be the one that does not know it yet
      void lookAgain(session).finally(() => setLooked(found));
    }
  });
  useLayoutEffect(() => {
    const at = messages.findIndex((each) => each.id === marked?.message);
    const article = marked && at >= 0 ? show(at) : null;
    if (!marked || !article) return;
    article.scrollIntoView({ block: 'start' });
    article.focus({ preventScroll: true });
    return markWords(article, marked.words);
  }, [marked]);
  useEffect(() => {
    if (busy) setMarked(undefined);
  }, [busy]);
  return marked?.message ?? '';
}

/** Returns whether the next renderings may show it: those of a turn that is joined begin without its answer. */
function isComing({ busy, chat }: ChatSession, found: Found): boolean {
  return (busy && chat.lastMessage?.role !== 'assistant') || messageOf(chat.messages, found) !== undefined;
}

/** A message that was taken in without an id is told by its words. */
function messageOf(messages: UIMessage[], { message, words }: Found): UIMessage | undefined {
  if (message !== '') return messages.find((each) => each.id === message);
  return messages.findLast((each) => words.every((word) => textOf(each).includes(word)));
}
