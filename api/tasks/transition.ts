import { countedMoment, occurredAtProblem } from '../../domain/event-time.ts';
import { toId } from '../../domain/ids.ts';
import { formatAmount } from '../../domain/money.ts';
import { mayApply } from '../../domain/permission.ts';
import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import { conflict, ProblemError, stated } from '../../domain/problem.ts';
import { isTerminalShipment, isTerminalTask } from '../../domain/shipment-status.ts';
import type { TaskRow } from '../../store/shipments/tasks.ts';
import type { TransitionRequest } from '../commands/send-command.ts';
import { answerCommand, answerRepeatedCommand, transitionCommand } from '../commands/send-command.ts';
import type { RouteInfo, RouteRequest, RouteResponse, UserActor } from '../http/route.ts';
import { isJsonObject } from '../schema/json-schema.ts';
import { parseWith } from '../schema/validate.ts';
import { taskAfter } from './answer.ts';
import type { TransitionBody } from './parse.ts';
import { transitionBody } from './parse.ts';
import { presentCommandResult } from './present.ts';

/**
 * Rejects early only what can never be allowed any more (docs/architecture.md «What each part promises»): a transition
 * of an ended task, a driver's transition that only staff may make. Throws ProblemErrors.
 */
function rejectEarly(actor: UserActor, task: TaskRow, { transition }: TransitionBody): void {
  if (!mayApply(actor.role, transition)) {
    throw new ProblemError({ kind: 'forbidden', ...stated(say('driver_may_not', { transition })) });
  }
  if (isTerminalTask(task.type, task.status) || isTerminalShipment(task.shipmentStatus)) {
    const { type: taskType, status: taskStatus, shipmentStatus } = task;
    const said = say('task_ended', { taskType, taskStatus, shipmentStatus });
    throw new ProblemError({ ...conflict(said, taskStatus), allowedTransitions: [] });
  }
}

/** What is wrong with the moment of a transition: it lies too far from now. */
export function momentViolations(occurredAt: Date | null, now: Date): readonly Violation[] {
  const said = occurredAt === null ? undefined : occurredAtProblem(occurredAt, now);
  return said === undefined ? [] : [{ propertyPath: 'occurredAt', ...said, code: 'range' }];
}

/** The request of a transition as it is stored. The driver of an assignment is checked when the command is decided. */
function requestOf(body: TransitionBody, now: Date): TransitionRequest {
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

/** The text of a transition by which a repeat is known, whichever way it came and however it was written. */
export function meaningOfTransition(body: TransitionBody): string {
  return JSON.stringify(body, (_name, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** How the keys of a task's transitions differ from others: all routes that carry a transition of a task share them. */
export const TRANSITION_KEYS = {
  resource: ({ id = '' }) => `/tasks/${id.toLowerCase()}/transition`,
  lifetimeHours: ({ transitionKeyDays }) => transitionKeyDays * 24,
  meaningOf: (body) => {
    const parsed = parseWith(transitionBody, body);
    return parsed.kind === 'valid' ? meaningOfTransition(parsed.value) : undefined;
  },
} as const satisfies RouteInfo['idempotency'];

/** Sends a transition of a task that the actor may move, and answers with the task after it. Throws ProblemErrors. */
export function applyTransition(
  request: RouteRequest,
  row: TaskRow,
  body: TransitionBody,
  waitMs?: number,
): Promise<RouteResponse> {
  const { actor, dependencies, effectId } = request;
  rejectEarly(actor, row, body);
  const id = toId<'command'>(effectId);
  const command = transitionCommand(id, row, requestOf(body, dependencies.clock()));
  return answerCommand(request, command, () => taskAfter(request, id, row.id), waitMs);
}

/** Answers a repeated transition whose first answer was lost, by its outcome alone. */
export function repeatTransition(request: RouteRequest, waitMs?: number): Promise<RouteResponse | undefined> {
  return answerRepeatedCommand(request, presentCommandResult, waitMs);
}
