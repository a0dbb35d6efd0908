import { STAGE_OF_STATUS } from '../../domain/delivery-run.ts';
import type { DriverId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { RunTaskRow } from '../../store/delivery-runs/delivery-runs.ts';
import { newId } from '../../store/new-id.ts';
import { findDriverReference } from '../../store/shipments/references.ts';
import type { Tenant } from '../../store/tenant.ts';
import { workflowSubject, sendCommand } from '../commands/send-command.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UserActor } from '../http/route.ts';

export const ASSIGNMENT_STATUSES = ['assigned', 'unchanged', 'error', 'pending'] as const;

/** What became of giving one task to the run's driver (interpretation 5). */
export interface Assignment {
  readonly task: string;
  readonly status: (typeof ASSIGNMENT_STATUSES)[number];
  readonly message?: string;
}

const CONCURRENT_ASSIGNMENTS = 16;

/**
 * What is wrong with naming this driver for tasks: unknown, another organization's or unavailable (422, interpretation
 * 10). Each assignment checks it again; this check comes before anything is written.
 */
export async function driverViolations(scope: Tenant, id: DriverId | null): Promise<readonly Violation[]> {
  if (id === null) return [];
  const driver = await findDriverReference(scope, id);
  if (driver === undefined) {
    const message = 'There is no such driver in your organization.';
    return [{ propertyPath: 'driver', message, code: 'reference' }];
  }
  if (driver.isAvailable) return [];
  const message = 'This driver is not available; choose another.';
  return [{ propertyPath: 'driver', message, code: 'rule' }];
}

/**
 * Gives the tasks that have not ended to a driver, each by an ordinary transition and sixteen at a time; what prevents
 * one is reported as its message. Safe to repeat: a task that has the driver already is `unchanged`.
 */
export async function assignTasks(
  dependencies: Dependencies,
  actor: UserActor,
  driverId: DriverId,
  tasks: readonly RunTaskRow[],
): Promise<Assignment[]> {
  const unended = tasks.filter(({ status }) => ['open', 'underway'].includes(STAGE_OF_STATUS[status]));
  const assignments: Assignment[] = [];
  let withoutWait = dependencies;
  for (let start = 0; start < unended.length; start += CONCURRENT_ASSIGNMENTS) {
    const group = unended.slice(start, start + CONCURRENT_ASSIGNMENTS);
    const results = await Promise.all(group.map((task) => assignOne(withoutWait, actor, driverId, task)));
    assignments.push(...results);
    // Nobody decides at the moment: the rest is stored, to be decided later, and not waited for.
    if (results.every(({ status }) => status === 'pending')) {
      withoutWait = { ...dependencies, config: { ...dependencies.config, commandWaitMs: 0 } };
    }
  }
  return assignments;
}

async function assignOne(
  dependencies: Dependencies,
  actor: UserActor,
  driverId: DriverId,
  row: RunTaskRow,
): Promise<Assignment> {
  const task = iriOf('task', row.id);
  if (row.driverId === driverId) return { task, status: 'unchanged' };
  const commandId = newId<'command'>();
  try {
    const answer = await sendCommand(dependencies, actor, {
      id: commandId,
      kind: 'transition',
      subject: workflowSubject({ ...row, id: row.shipmentId }),
      taskId: row.id,
      request: { transition: 'assign', driverId },
      signal: {
        name: 'assign',
        commandId,
        taskId: row.id,
        taskType: row.type,
        driverId,
      },
    });
    if (answer === 'applied') return { task, status: 'assigned' };
    return {
      task,
      status: 'pending',
      message: `Accepted, still pending: see ${iriOf('command', commandId)}.`,
    };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { task, status: 'error', message: error.message };
  }
}
