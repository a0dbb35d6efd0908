import { STAGE_OF_STATUS } from '../../domain/delivery-run.ts';
import type { DriverId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { Said } from '../../domain/messages.ts';
import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import type { RunTaskRow } from '../../store/delivery-runs/delivery-runs.ts';
import { newId } from '../../store/new-id.ts';
import { findDriverReference } from '../../store/shipments/references.ts';
import type { Tenant } from '../../store/tenant.ts';
import { sendCommands, transitionCommand } from '../commands/send-command.ts';
import type { RouteRequest } from '../http/route.ts';
import { unknownReference } from '../schema/checked-body.ts';

export const ASSIGNMENT_STATUSES = ['assigned', 'unchanged', 'error', 'pending'] as const;

/** What became of giving one task to the run's driver (interpretation 5). */
export interface Assignment extends Partial<Said> {
  readonly task: string;
  readonly status: (typeof ASSIGNMENT_STATUSES)[number];
}

/**
 * What is wrong with naming this driver for tasks: unknown, another organization's or unavailable (422, interpretation
 * 10). Each assignment checks it again; this check comes before anything is written.
 */
export async function driverViolations(scope: Tenant, id: DriverId | null): Promise<readonly Violation[]> {
  if (id === null) return [];
  const driver = await findDriverReference(scope, id);
  if (driver === undefined) return [unknownReference('driver', 'driver')];
  if (driver.isAvailable) return [];
  return [{ propertyPath: 'driver', ...say('driver_unavailable'), code: 'rule' }];
}

/**
 * Gives the tasks that have not ended to a driver, each by an ordinary transition; what prevents one is reported as its
 * message. Safe to repeat: a task that has the driver already is `unchanged`.
 */
export async function assignTasks(
  request: RouteRequest,
  driverId: DriverId,
  tasks: readonly RunTaskRow[],
): Promise<Assignment[]> {
  const unended = tasks.filter(({ status }) => ['open', 'underway'].includes(STAGE_OF_STATUS[status]));
  const sent = await sendCommands(request, unended, (task) =>
    task.driverId === driverId
      ? undefined
      : transitionCommand(newId<'command'>(), task, { transition: 'assign', driverId }),
  );
  return sent.map(({ item, status, ...rest }) => ({
    task: iriOf('task', item.id),
    status: status === 'applied' ? 'assigned' : status,
    ...rest,
  }));
}
