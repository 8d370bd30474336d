// Keys that work everywhere on the page, and the list of all of them.
import { useEffect } from 'preact/hooks';
import { t, type Words } from './i18n/text.ts';
import { openNewChat } from './routes.ts';
import { Dialog } from './view/dialog.tsx';

const places = ['.sidebar', '.log', '.canvas', '.composer textarea'];

/** Listens for as long as the component is there. */
export function usePageKeys(onHelp: () => void, onMenu: () => void): void {
  useEffect(() => {
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
  if (next?.matches('.sidebar, .canvas')) next.querySelector<HTMLElement>('button, a')?.focus();
  else next?.focus();
}

const keys: [string, Words][] = [
  ['Enter', 'keySend'],
  ['Shift+Enter', 'keyLine'],
  ['Esc', 'keyEscape'],
  ['/', 'keyPrompt'],
  ['@', 'keyResource'],
  ['Up', 'keyUp'],
  ['Ctrl+K', 'keySearch'],
  ['Ctrl+Shift+O', 'keyNew'],
  ['Ctrl+Shift+;', 'keyBox'],
  ['F6', 'keyCycle'],
  ['Up, Down', 'keyArrows'],
  ['c', 'keyCopy'],
  ['e', 'keyEdit'],
];

export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('keys')} onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key + what}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
      </dl>
      <div class="row end">
        <button type="button" class="primary" onClick={onClose}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  );
}
