// Looks for words in the messages of all chats.
import { useEffect, useRef, useState } from 'preact/hooks';
import { searchChats, type Hit } from '../server/conversations.ts';
import { complain } from '../state/notices.ts';

export interface Search {
  words: string;
  hits: Hit[]; // newest first
  next: string | null; // the cursor of the rest
}

const pause = 200; // milliseconds after the last key
const mostEmpty = 20; // pages without a hit in a row; then the reader is asked

/** What is found for the words, and what reads more of it; nothing while there are none. */
export function useSearch(words: string): { search: Search | undefined; more: () => void } {
  const [search, setSearch] = useState<Search>();
  const running = useRef<AbortController>(null);
  const read = (cursor: string, before: Hit[], empty = 0) => {
    const { signal } = (running.current = new AbortController());
    searchChats(words, cursor, signal).then(
      ({ hits, next }) => {
        if (signal.aborted) return;
        const goesOn = hits.length === 0 && next !== null && empty < mostEmpty; // it looks into very many texts
        if (goesOn) read(next, before, empty + 1);
        else setSearch({ words, hits: [...before, ...hits], next });
      },
      (error) => {
        if (error?.name === 'AbortError') return;
        complain(error);
        if (before.length === 0) setSearch({ words, hits: [], next: null });
      },
    );
  };
  useEffect(() => {
    if (words === '') return setSearch(undefined);
    const timer = setTimeout(() => read('', []), pause);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [words]);
  const more = () => {
    if (search?.words !== words || search.next === null) return; // others are looked for by now
    running.current?.abort();
    read(search.next, search.hits);
  };
  return { search: words === '' ? undefined : search, more };
}
