// The note at the foot of the page, or of the dialog in front of it.
import { t } from '../i18n/text.ts';
import { notice } from '../state/notices.ts';
import { createStore, useStore } from '../state/store.ts';
import { IconButton } from './button.tsx';

/** The dialogs that are open, the last one in front; all else on the page cannot be reached. */
export const dialogs = createStore<string[]>([]);

/** @param of the dialog that it stands in; none: the page */
export function Notices({ of }: { of?: string }) {
  const now = useStore(notice);
  const front = useStore(dialogs).at(-1);
  if (front !== of) return null;
  return (
    <div class="notices" role={now?.bad ? 'alert' : 'status'}>
      {now && (
        <div class={now.bad ? 'notice bad' : 'notice'}>
          <span>{now.text}</span>
          {now.action && (
            <button
              type="button"
              onClick={() => {
                notice.set(null);
                now.action!.run();
              }}
            >
              {now.action.label}
            </button>
          )}
          <IconButton icon="close" label={t('dismiss')} onClick={() => notice.set(null)} />
        </div>
      )}
    </div>
  );
}
