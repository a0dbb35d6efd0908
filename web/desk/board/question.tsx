import { lazy, Suspense } from 'react';
import type { Question } from './board-context.ts';

const BoardDialog = lazy(() => import('./dialogs.tsx'));

interface Props {
  readonly question: Question | undefined;
  readonly onClose: () => void;
}

/** What the board asks now; the code of its dialogs is loaded with the first question. */
export function BoardQuestion({ question, onClose }: Props) {
  if (question === undefined) return null;
  return (
    <Suspense fallback={null}>
      <BoardDialog question={question} onClose={onClose} />
    </Suspense>
  );
}
