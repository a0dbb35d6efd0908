import { countedMoment, occurredAtProblem } from '../../domain/event-time.ts';
import { formatAmount } from '../../domain/money.ts';
import { mayApply } from '../../domain/permission.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { isTerminalShipment, isTerminalTask } from '../../domain/shipment-status.ts';
import type { TaskRow } from '../../store/shipments/tasks.ts';
import type { TransitionRequest } from '../commands/send-command.ts';
import type { UserActor } from '../http/route.ts';
import type { TransitionBody } from './parse.ts';

/**
 * Rejects early only what can never be allowed any more (docs/architecture.md «What each part promises»): a transition
 * of an ended task, a driver's transition that only staff may make. Throws ProblemErrors.
 */
export function rejectEarly(actor: UserActor, task: TaskRow, { transition }: TransitionBody): void {
  if (!mayApply(actor.role, transition)) {
    throw new ProblemError({
      kind: 'forbidden',
      detail: `A driver cannot apply ${transition}; a dispatcher can.`,
    });
  }
  if (isTerminalTask(task.type, task.status) || isTerminalShipment(task.shipmentStatus)) {
    throw new ProblemError({
      kind: 'conflict',
      detail: `The ${task.type} task is ${task.status} and its shipment ${task.shipmentStatus}; no transition is allowed.`,
      currentStatus: task.status,
      allowedTransitions: [],
    });
  }
}

/** What is wrong with the moment of a transition: it lies too far from now. */
export function momentViolations(occurredAt: Date | null, now: Date): readonly Violation[] {
  const message = occurredAt === null ? undefined : occurredAtProblem(occurredAt, now);
  return message === undefined ? [] : [{ propertyPath: 'occurredAt', message, code: 'range' }];
}

/** The request of a transition as it is stored. The driver of an assignment is checked when the command is decided. */
export function requestOf(body: TransitionBody, now: Date): TransitionRequest {
  const { transition, driver, reason, comment, proof, occurredAt } = body;
  return {
    transition,
    ...(driver && { driverId: driver }),
    ...(reason && { reason }),
    ...(comment === null ? {} : { comment }),
    ...(proof && {
      proof: {
        ...proof,
        cashCollected: proof.cashCollected === null ? null : formatAmount(proof.cashCollected),
      },
    }),
    ...(occurredAt && { occurredAt: countedMoment(occurredAt, now).toISOString() }),
  };
}
