import * as fc from 'fast-check';
import type { AdditionalTaskType } from '../../domain/additional-task.ts';
import { ADDITIONAL_TASK_TYPES } from '../../domain/additional-task.ts';
import type { Transition } from '../../domain/enumerations.ts';
import { TRANSITIONS } from '../../domain/enumerations.ts';

/**
 * One step of a random walk through a shipment's life. `task` picks one of the tasks that there are (modulo their
 * number); most steps ask for something that is allowed at the moment (`preferAllowed`), else walks would end in refusals.
 */
export type Step =
  | {
      readonly kind: 'transition';
      readonly task: number;
      readonly transition: Transition;
      readonly allowed: number | null;
      readonly driver: number;
    }
  | { readonly kind: 'add_task'; readonly type: AdditionalTaskType }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'approve' };

const transition = fc.record({
  kind: fc.constant('transition' as const),
  task: fc.nat({ max: 11 }),
  transition: fc.constantFrom(...TRANSITIONS),
  /** Which of the allowed transitions to take in place of `transition`; null asks for whatever was drawn. */
  allowed: fc.option(fc.nat({ max: 9 }), { freq: 5, nil: null }),
  driver: fc.nat({ max: 1 }),
});

/** Random steps; ends are rare, so that walks are long. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: transition },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('add_task' as const),
        type: fc.constantFrom(...ADDITIONAL_TASK_TYPES),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('approve' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const) }) },
  ),
  { minLength: 1, maxLength: 60, size: 'max' },
);

/** How a walk begins: with or without a pickup, awaiting approval or not. */
export const beginnings = fc.record({ hasPickup: fc.boolean(), awaitsApproval: fc.boolean() });

/** The transition that a step asks for, given those allowed on its task; cancels are left to `transition`, so that walks last. */
export function chosenTransition(
  step: Extract<Step, { kind: 'transition' }>,
  allowed: readonly Transition[],
): Transition {
  const lasting = allowed.filter((candidate) => candidate !== 'cancel');
  if (step.allowed === null || lasting.length === 0) return step.transition;
  return lasting[step.allowed % lasting.length] ?? step.transition;
}
