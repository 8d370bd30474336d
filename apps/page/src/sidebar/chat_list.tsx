// The chats, newest first, or those in which a search found something.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { searchChats, type Hit } from '../server/conversations.ts';
import { chats, readMoreChats, refreshChats } from '../state/chats.ts';
import { complain } from '../state/notices.ts';
import { chatHref } from '../state/hrefs.ts';
import { useStore } from '../state/store.ts';
import { ChatItem } from './chat_item.tsx';

interface Props {
  current: string;
  onOpen: () => void;
}

export function ChatList({ current, onOpen }: Props) {
  const [words, setWords] = useState('');
  const { list, next, state, problem } = useStore(chats);
  const hits = useSearch(words.trim());
  return (
    <>
      <input
        type="search"
        class="search"
        aria-label={t('searchChats')}
        placeholder={t('searchChats')}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && words !== '' && (event.stopPropagation(), setWords(''))}
      />
      <div class="chat-list">
        {hits ? (
          <Hits hits={hits} onOpen={onOpen} />
        ) : (
          <ul aria-label={t('conversations')}>
            {list.map((each) => (
              <ChatItem key={each.id} chat={each} current={each.id === current} onOpen={onOpen} />
            ))}
          </ul>
        )}
        {hits?.length === 0 && <p class="note">{t('nothingFound')}</p>}
        {!hits && state === 'ready' && list.length === 0 && <p class="note">{t('noChats')}</p>}
        {state === 'not-kept' && <p class="note">{t('notKept')}</p>}
        {state === 'failed' && (
          <>
            <p class="bad-text">{problem}</p>
            <button type="button" onClick={() => void refreshChats()}>
              {t('readAgain')}
            </button>
          </>
        )}
        {!hits && next !== null && (
          <button type="button" class="earlier" onClick={() => void readMoreChats().catch(complain)}>
            {t('moreChats')}
          </button>
        )}
      </div>
    </>
  );
}

function Hits({ hits, onOpen }: { hits: Hit[]; onOpen: () => void }) {
  return (
    <ul aria-label={t('found')}>
      {hits.map((each) => (
        <li key={`${each.conversationId} ${each.messageId}`} class="hit">
          <a href={chatHref(each.conversationId)} onClick={onOpen}>
            <span>{each.title}</span>
            <span class="note">
              {each.snippet.map((piece, at) => (piece.match ? <mark key={at}>{piece.text}</mark> : piece.text))}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** What is found for the words, 200 ms after the last key; nothing while there are none. */
function useSearch(words: string): Hit[] | undefined {
  const [hits, setHits] = useState<Hit[]>();
  const running = useRef<AbortController>(null);
  useEffect(() => {
    if (words === '') return setHits(undefined);
    const timer = setTimeout(() => {
      running.current?.abort();
      running.current = new AbortController();
      searchChats(words, running.current.signal).then(
        (found) => setHits(firstOfEach(found.hits)),
        (error) => error?.name !== 'AbortError' && (setHits([]), complain(error)),
      );
    }, 200);
    return () => clearTimeout(timer);
  }, [words]);
  return words === '' ? undefined : hits;
}

function firstOfEach(hits: Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter((each) => !seen.has(each.conversationId) && seen.add(each.conversationId));
}
