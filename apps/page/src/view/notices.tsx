// The note at the foot of the page.
import { t } from '../i18n/text.ts';
import { notice } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from './button.tsx';

export function Notices() {
  const now = useStore(notice);
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
