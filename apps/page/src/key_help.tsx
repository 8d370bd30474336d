// The list of all keys.
import { t, type Words } from './i18n/text.ts';
import { Dialog } from './view/dialog.tsx';

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
  ['+, -, 0', 'keyZoom'],
  ['Arrows', 'keyMove'],
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
