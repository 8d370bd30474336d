// Asks whether a tool may run.
import { useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { focusBox } from '../focus_box.ts';
import type { ChatSession } from '../session.ts';

interface Props {
  session: ChatSession;
  id: string;
  name: string;
}

export function ApprovalButtons({ session, id, name }: Props) {
  const [reason, setReason] = useState('');
  const answer = (approved: boolean) => {
    focusBox(); // these buttons go away
    void session.chat.addToolApprovalResponse({
      id,
      approved,
      ...(approved || reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
  };
  return (
    <div class="approval">
      <p>{t('mayRun', { name })}</p>
      <input
        aria-label={t('reason')}
        placeholder={t('reasonHint')}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <button type="button" class="primary" onClick={() => answer(true)}>
        {t('allow')}
      </button>
      <button type="button" onClick={() => answer(false)}>
        {t('deny')}
      </button>
    </div>
  );
}
