import { isAway, RejectedRequest, UnansweredRequest } from '../../shared/problem.ts';
import { pause } from './move.ts';
import type { Plan, Step } from './plan.ts';
import type { Outcome } from './requests.ts';
import { readOutcome, sendTransitions } from './requests.ts';
import type { Iri } from './rows.ts';
import type { Mark } from './views.ts';

/** A move without an answer by then is marked as not confirmed. */
const UNCONFIRMED_AFTER_MS = 10_000;
/** How often a move is repeated, with the same keys, when its answer was lost; then a person decides. */
const REPEAT_AFTER_MS = [1_000, 3_000];
const ASK_AGAIN_AFTER_MS = 2_000;

/** Who is told of what became of steps. */
export interface StepListener {
  readonly isOpen: (task: Iri) => boolean;
  readonly settle: (step: Step, outcome: Outcome) => void;
  /** Marks those that are open. */
  readonly mark: (steps: Plan, mark: Mark) => void;
  /** The service could not take them; it may say when it can. */
  readonly onUnsent: (seconds: number | undefined) => void;
}

/** Sends transitions, at most `MAXIMUM_TRANSITIONS`, and settles their steps. Never rejects. */
export async function sendSteps(steps: Plan, listener: StepListener, tries = 0): Promise<void> {
  const moving = steps.filter(({ transition }) => transition !== undefined);
  for (const step of steps) if (step.transition === undefined) listener.settle(step, { status: 'applied' });
  if (moving.length === 0) return;
  const timer = setTimeout(() => listener.mark(moving, 'unconfirmed'), UNCONFIRMED_AFTER_MS);
  try {
    const outcomes = await sendTransitions(moving);
    const pending: Promise<void>[] = [];
    for (const step of moving) {
      const outcome = outcomes.get(step.task) ?? { status: 'skipped' };
      if (outcome.status === 'pending') pending.push(follow(step, outcome.command, listener));
      else listener.settle(step, outcome);
    }
    await Promise.all(pending);
  } catch (error) {
    await afterFailure(moving, error, listener, tries);
  } finally {
    clearTimeout(timer);
  }
}

async function afterFailure(
  steps: Plan,
  error: unknown,
  listener: StepListener,
  tries: number,
): Promise<void> {
  if (error instanceof RejectedRequest && !isAway(error)) {
    for (const step of steps) listener.settle(step, { status: 'rejected', problem: error.problem });
    return;
  }
  if (error instanceof RejectedRequest) {
    listener.mark(steps, 'unsent');
    listener.onUnsent(error.status === 429 ? error.retryAfterSeconds : undefined);
    return;
  }
  listener.mark(steps, 'unconfirmed');
  const waitMs = REPEAT_AFTER_MS[tries];
  if (waitMs === undefined || !(error instanceof UnansweredRequest)) return;
  await pause(waitMs);
  const open = steps.filter(({ task }) => listener.isOpen(task));
  if (open.length > 0) await sendSteps(open, listener, tries + 1);
}

/** Asks for the outcome of a command until it is known, or until the stream has told of it. */
async function follow(step: Step, command: Iri, listener: StepListener): Promise<void> {
  listener.mark([step], 'pending');
  while (listener.isOpen(step.task)) {
    await pause(ASK_AGAIN_AFTER_MS);
    const outcome = await readOutcome(command).catch(() => undefined);
    if (outcome !== undefined) listener.settle(step, outcome);
  }
}
