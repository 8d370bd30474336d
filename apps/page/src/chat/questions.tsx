// The oldest question of an MCP server that waits for an answer.
import { lazy, Suspense } from 'preact/compat';
import { questions } from '../state/questions.ts';
import { useStore } from '../state/store.ts';

const QuestionCard = lazy(() => import('./question_card.tsx').then((it) => ({ default: it.QuestionCard })));

export function Questions() {
  const [first] = useStore(questions);
  if (first === undefined) return null;
  return (
    <Suspense fallback={null}>
      <QuestionCard key={first.requestId} question={first} />
    </Suspense>
  );
}
