// The chats, newest first, or what a search found in them.
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { chats, readMoreChats, refreshChats } from '../state/chats.ts';
import { complain } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { ChatItem } from './chat_item.tsx';
import { Hits } from './hits.tsx';
import { onListKey, openFirst } from './list_keys.ts';
import { useSearch } from './use_search.ts';

interface Props {
  current: string;
  onOpen: () => void;
}

export function ChatList({ current, onOpen }: Props) {
  const [words, setWords] = useState('');
  const { list, next, state, problem } = useStore(chats);
  const wanted = /^["*\s]*$/.test(words) ? '' : words.trim(); // a quotation mark is only the beginning of what is wanted
  const { search, more } = useSearch(wanted);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && words !== '') setWords('');
    else if (event.key === 'Enter' && !event.isComposing && search?.words === wanted) openFirst();
    else return onListKey(event);
    event.stopPropagation();
  };
  return (
    <>
      <input
        type="search"
        class="search"
        aria-label={t('searchChats')}
        placeholder={t('searchChats')}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <div class="chat-list" onKeyDown={onListKey}>
        {search ? (
          <Hits hits={search.hits} onOpen={onOpen} />
        ) : (
          <ul aria-label={t('conversations')}>
            {list.map((each) => (
              <ChatItem key={each.id} chat={each} current={each.id === current} onOpen={onOpen} />
            ))}
          </ul>
        )}
        {search?.hits.length === 0 && search.next === null && <p class="note">{t('nothingFound')}</p>}
        {search && search.next !== null && <More label={t('foundMore')} read={more} />}
        {!search && state === 'ready' && list.length === 0 && <p class="note">{t('noChats')}</p>}
        {state === 'not-kept' && <p class="note">{t('notKept')}</p>}
        {state === 'failed' && (
          <>
            <p class="bad-text">{problem}</p>
            <button type="button" onClick={() => void refreshChats()}>
              {t('readAgain')}
            </button>
          </>
        )}
        {!search && next !== null && <More label={t('moreChats')} read={() => void readMoreChats().catch(complain)} />}
      </div>
    </>
  );
}

function More({ label, read }: { label: string; read: () => void }) {
  return (
    <button type="button" class="earlier" onClick={read}>
      {label}
    </button>
  );
}
