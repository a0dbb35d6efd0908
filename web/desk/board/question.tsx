import { lazy, Suspense, useEffect } from 'react';
import { HeldKeys } from '../parts/held-keys.tsx';
import type { Question } from './board-context.ts';

const load = () => import('./dialogs.tsx');
const BoardDialog = lazy(load);

/** What the board itself needs is loaded first. */
const LOAD_AFTER_MS = 1_000;

interface Props {
  readonly question: Question | undefined;
  readonly onClose: () => void;
}

/** What the board asks now; the code of its dialogs is loaded once the board is there, so that the first question is immediate. */
export function BoardQuestion({ question, onClose }: Props) {
  useEffect(() => {
    // A part that cannot be loaded is asked for again by the question itself.
    const timer = setTimeout(() => void load().catch(() => undefined), LOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (question === undefined) return null;
  return (
    <Suspense fallback={<HeldKeys onCancel={onClose} />}>
      <BoardDialog question={question} onClose={onClose} />
    </Suspense>
  );
}
