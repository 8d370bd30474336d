// What a search found: for each chat the messages that have the words.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import type { Hit } from '../server/conversations.ts';
import { chatHref } from '../state/hrefs.ts';

interface Props {
  hits: Hit[];
  onOpen: () => void;
}

const few = 3; // messages of a chat that are shown at first

export function Hits({ hits, onOpen }: Props) {
  return (
    <ul aria-label={t('found')}>
      {byChat(hits).map((each) => (
        <ChatHits key={each[0]!.conversationId} hits={each} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function ChatHits({ hits, onOpen }: Props) {
  const [all, setAll] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (all) item.current?.querySelectorAll('a')[few]?.focus(); // its button is gone
  }, [all]);
  const rest = all ? 0 : hits.length - few;
  return (
    <li class="hit" ref={item}>
      {hits.slice(0, all ? hits.length : few).map((each, at) => (
        <a key={`${each.messageId} ${at}`} href={hrefOf(each)} onClick={onOpen}>
          {at === 0 && <span class="hit-title">{each.title || t('untitled')}</span>}
          <span class="note">
            {each.role === 'user' ? t('you') : t('assistant')}:{' '}
            {each.snippet.map((piece, n) => (piece.match ? <mark key={n}>{piece.text}</mark> : piece.text))}
          </span>
        </a>
      ))}
      {rest > 0 && (
        <button type="button" class="hit-more" onClick={() => setAll(true)}>
          {t('foundMoreHere', { count: rest })}
        </button>
      )}
    </li>
  );
}

function hrefOf({ conversationId, messageId, snippet }: Hit): string {
  const words = snippet.filter((piece) => piece.match).map((piece) => piece.text);
  return chatHref(conversationId, { message: messageId, words: [...new Set(words)] });
}

/** The chats in the order of their newest hits. */
function byChat(hits: Hit[]): Hit[][] {
  const chats = new Map<string, Hit[]>();
  for (const each of hits) chats.set(each.conversationId, [...(chats.get(each.conversationId) ?? []), each]);
  return [...chats.values()];
}
