import type { ProblemDocument } from '../../shared/problem.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import type { Plan, Step } from './plan.ts';
import { leavesRun } from './plan.ts';
import type { Iri } from './rows.ts';
import { leaveRun, placeInRun } from './run-places.ts';

/**
 * Puts tasks whose transitions were applied into the runs where they have a place, and takes the others out of the runs that they leave.
 * `isApplied` says whether a task still counts as such; `onProblem` is called with each step that has no place after all.
 */
export async function placeApplied(
  steps: Plan,
  isApplied: (task: Iri) => boolean,
  onProblem: (step: Step, problem: ProblemDocument) => void,
): Promise<void> {
  const attempt = async (tried: Plan, act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      for (const step of tried) onProblem(step, problemOf(error));
    }
  };
  await Promise.all(
    steps
      .filter(leavesRun)
      .map((step) => attempt([step], () => leaveRun(step.shown.deliveryRun ?? '', step.task))),
  );
  const runs = new Set(steps.flatMap(({ place }) => place?.run ?? []));
  for (const run of runs) {
    const here = steps.filter(({ place, task }) => place?.run === run && isApplied(task));
    const placings = here.flatMap(({ task, place, shown }) =>
      place === undefined ? [] : [{ task, at: place.at, isNew: shown.deliveryRun !== run }],
    );
    if (placings.length > 0) await attempt(here, () => placeInRun(run, placings));
  }
}

function problemOf(error: unknown): ProblemDocument {
  if (error instanceof RejectedRequest) return error.problem;
  return { status: 503, title: 'The service did not answer.' };
}
