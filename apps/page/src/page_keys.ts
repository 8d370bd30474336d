// Keys that work everywhere on the page.
import { useLayoutEffect } from 'preact/hooks';
import { openNewChat } from './routes.ts';

const places = ['.sidebar', '.log', '.canvas', '.composer textarea', '.notice'];

/** Listens for as long as the component is there; from before it can be seen, so that no key is lost. */
export function usePageKeys(onHelp: () => void, onMenu: () => void): void {
  useLayoutEffect(() => {
    const on = (event: KeyboardEvent) => {
      if (act(event, onHelp, onMenu)) event.preventDefault();
    };
    addEventListener('keydown', on);
    return () => removeEventListener('keydown', on);
  }, []);
}

function act(event: KeyboardEvent, onHelp: () => void, onMenu: () => void): boolean {
  if (document.querySelector('dialog[open]') || event.isComposing) return false;
  const command = event.ctrlKey || event.metaKey;
  const typing = (event.target as HTMLElement).closest('input, textarea, select') !== null;
  if (command && !event.shiftKey && event.key.toLowerCase() === 'k') {
    if (!isSeen(document.querySelector('.search'))) onMenu();
    setTimeout(() => document.querySelector<HTMLElement>('.search')?.focus());
  } else if (command && event.shiftKey && event.code === 'KeyO') openNewChat();
  else if (command && event.shiftKey && event.code === 'Semicolon') focusOn('.composer textarea');
  else if (event.key === 'F6') cycle(event.shiftKey ? -1 : 1);
  else if (event.key === '?' && !typing && !command) onHelp();
  else return false;
  return true;
}

const isSeen = (of: Element | null): boolean => of !== null && of.getClientRects().length > 0;
const focusOn = (what: string) => document.querySelector<HTMLElement>(what)?.focus();

/** Goes to the next part of the page. */
function cycle(step: number): void {
  const there = places.filter((each) => isSeen(document.querySelector(each)));
  const at = there.findIndex((each) => document.querySelector(each)!.contains(document.activeElement));
  const next = document.querySelector<HTMLElement>(there[(at + step + there.length) % there.length]!);
  if (next?.matches('.sidebar, .canvas, .notice')) firstIn(next)?.focus();
  else next?.focus();
}

/** The first element that takes the focus; one that cannot be seen, as a button of phones only, takes none. */
const firstIn = (place: HTMLElement): HTMLElement | undefined =>
  [...place.querySelectorAll<HTMLElement>('button:not(:disabled), a')].find(isSeen);
