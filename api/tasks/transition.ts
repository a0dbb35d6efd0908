import { formatAmount } from '../../domain/money.ts';
import { DRIVER_TRANSITIONS } from '../../domain/task.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { isTerminalShipment, isTerminalTask } from '../../domain/shipment-status.ts';
import { PRIORITIES, isOneOf } from '../../domain/enumerations.ts';
import type { CommandId } from '../../domain/ids.ts';
import type { CommandRequest } from '../../domain/command.ts';
import type { TaskRow } from '../../store/shipments/tasks.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { OutgoingCommand } from '../commands/send-command.ts';
import type { UserActor } from '../http/route.ts';
import { driverViolations } from '../delivery-runs/assign.ts';
import { throwIfInvalid, validPart } from '../schema/lookup-violations.ts';
import { choice } from '../schema/schema-values.ts';
import type { TransitionBody } from './parse.ts';
import { DRIVER, OCCURRED_AT } from './parse.ts';

/**
 * Rejects early only what can never be allowed any more (docs/architecture.md «What each part promises»): a transition
 * of an ended task, a driver's transition that only staff may make, a moment in the future. Throws Refusals.
 */
export function rejectEarly(actor: UserActor, task: TaskRow, body: TransitionBody, now: Date): void {
  if (actor.role === 'ROLE_DRIVER' && !isOneOf(DRIVER_TRANSITIONS, body.transition)) {
    throw new ProblemError({
      kind: 'forbidden',
      detail: `A driver cannot apply ${body.transition}; a dispatcher can.`,
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
  throwIfInvalid(momentViolations(body.occurredAt, now));
}

function momentViolations(occurredAt: Date | null, now: Date): readonly Violation[] {
  if (occurredAt === null || occurredAt <= now) return [];
  return [{ propertyPath: 'occurredAt', message: 'Must not be in the future.', code: 'range' }];
}

/** What is wrong with a transition's body beyond its shape, which is broken; the table has the last word on a sound one. */
export async function transitionLookupViolations(
  scope: Tenant,
  body: unknown,
  now: Date,
): Promise<readonly Violation[]> {
  const isAssign = validPart(ASSIGN, body, 'transition') !== null;
  return [
    ...(isAssign ? await driverViolations(scope, validPart(DRIVER, body, 'driver')) : []),
    ...momentViolations(validPart(OCCURRED_AT, body, 'occurredAt'), now),
  ];
}
const ASSIGN = choice(['assign'] as const);

/** The command of a transition. What may be personal stays in the stored request; the signal has ids and enumerations alone. */
export function transitionCommand(id: CommandId, task: TaskRow, body: TransitionBody): OutgoingCommand {
  return {
    id,
    kind: 'transition',
    subject: {
      id: task.shipmentId,
      organizationId: task.organizationId,
      trackingNumber: task.trackingNumber,
      priority: isOneOf(PRIORITIES, task.priority) ? task.priority : 'normal',
    },
    taskId: task.id,
    request: storedRequest(body),
    signal: {
      name: body.transition,
      commandId: id,
      taskId: task.id,
      taskType: task.type,
      ...(body.driver === null ? {} : { driverId: body.driver }),
      ...(body.reason === null ? {} : { reason: body.reason }),
    },
  };
}

function storedRequest(body: TransitionBody): CommandRequest {
  const { transition, driver, reason, comment, proof, occurredAt } = body;
  return {
    transition,
    ...(driver === null ? {} : { driverId: driver }),
    ...(reason === null ? {} : { reason }),
    ...(comment === null ? {} : { comment }),
    ...(proof === null
      ? {}
      : {
          proof: {
            ...proof,
            cashCollected: proof.cashCollected === null ? null : formatAmount(proof.cashCollected),
          },
        }),
    ...(occurredAt === null ? {} : { occurredAt: occurredAt.toISOString() }),
  };
}
