// Why there is no answer, and what to do about it.
import { t } from '../i18n/text.ts';
import { useStore } from '../state/store.ts';
import { Icon } from '../view/icons.tsx';
import type { ChatSession } from './session.ts';
import { tryAgain } from './session_changes.ts';
import { resumeInterrupted } from './session_sync.ts';

export function ProblemCard({ session, busy }: { session: ChatSession; busy: boolean }) {
  const { problem } = useStore(session.state);
  if (problem === null || busy) return null;
  const interrupted = problem.kind === 'interrupted';
  const text = interrupted ? t('wasRestarted') : problem.text || t('answerFailed');
  return (
    <div class="problem" role="alert">
      <Icon name="alert" />
      <p>{text}</p>
      {interrupted && (
        <button type="button" class="primary" onClick={() => void resumeInterrupted(session)}>
          {t('continue')}
        </button>
      )}
      <button type="button" onClick={() => void tryAgain(session)}>
        {t('tryAgain')}
      </button>
    </div>
  );
}
