// Why there is no answer, and what to do about it.
import { t } from '../i18n/text.ts';
import { useStore } from '../state/store.ts';
import { useCountdown } from '../view/countdown.ts';
import { Icon } from '../view/icons.tsx';
import { focusBox } from './focus_box.ts';
import type { ChatSession } from './session.ts';
import { tryAgain } from './session_changes.ts';
import { resumeInterrupted } from './session_sync.ts';

export function ProblemCard({ session, busy }: { session: ChatSession; busy: boolean }) {
  const { problem } = useStore(session.state);
  const seconds = useCountdown(problem?.retryAt ?? 0);
  if (problem === null || busy) return null;
  const interrupted = problem.kind === 'interrupted';
  const text = interrupted ? t('wasRestarted') : problem.text || t('answerFailed');
  const act = (what: (session: ChatSession) => Promise<void>) => () => {
    focusBox(); // this card goes away
    void what(session);
  };
  return (
    <div class="problem" role="alert">
      <Icon name="alert" />
      <p>{text}</p>
      {seconds > 0 && <Wait seconds={seconds} />}
      {interrupted && (
        <button type="button" class="primary" onClick={act(resumeInterrupted)}>
          {t('continue')}
        </button>
      )}
      <button type="button" onClick={act(tryAgain)}>
        {t('tryAgain')}
      </button>
    </div>
  );
}

/** How long it is in vain to try again; who listens is not told each second. */
function Wait({ seconds }: { seconds: number }) {
  return (
    <span class="note" aria-hidden="true">
      {t('againIn', { seconds })}
    </span>
  );
}
