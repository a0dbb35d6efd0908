import { replan, runConflict, runStatus, STAGE_OF_STATUS } from '../../domain/delivery-run.ts';
import type { DriverId, TaskId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { detachTasks, updateRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import type { LockedRun, RunFields } from '../../store/delivery-runs/delivery-run-writes.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { Document } from '../hydra/resource.ts';
import { throwIfInvalid, validPart, withLookupViolations } from '../schema/lookup-violations.ts';
import { mergePatch, readPatch } from '../schema/merge-patch.ts';
import { driverViolations } from './assign.ts';
import { orderViolations, reorderTasks } from './membership.ts';
import type { RunBody } from './fields.ts';
import { DRIVER, run } from './fields.ts';

/**
 * Writes a merge patch of a locked run: fields, planned status, order of the tasks. Resolves to the driver whom the
 * patch names, for the tasks to be assigned to; null where it names none. Throws Refusals.
 */
export async function editRun(scope: Tenant, locked: LockedRun, patch: Document): Promise<DriverId | null> {
  const { row, tasks } = locked;
  const current = run.present({ ...row, tasks, assignments: undefined });
  const body: RunBody = await withLookupViolations(
    () => readPatch(current, patch, run.body, run.patching),
    () => newDriverViolations(scope, row, validPart(DRIVER, mergePatch(current, patch), 'driver')),
  );
  const status = runStatus(row.planning, row);
  const planning = replan(row.planning, status, body.status);
  if (typeof planning !== 'string') throw new ProblemError(planning);
  if (body.driver !== row.driverId && status === 'completed') {
    throw new ProblemError(runConflict(status, 'its driver can no longer be changed'));
  }
  throwIfInvalid([
    ...(await newDriverViolations(scope, row, body.driver)),
    ...orderViolations(locked, body.tasks),
  ]);
  const fields = { name: body.name, date: body.date, driverId: body.driver, planning };
  if (!changesNothing(locked, fields, body.tasks)) {
    await reorderTasks(scope, locked, body.tasks);
    if (planning === 'cancelled') await freeOpenTasks(scope, locked);
    await updateRun(scope, row.id, fields);
  }
  return 'driver' in patch ? body.driver : null;
}

/** An edit that changes nothing writes nothing: the version only grows with changes. */
function changesNothing({ row, tasks }: LockedRun, fields: RunFields, order: readonly TaskId[]): boolean {
  return (
    row.name === fields.name &&
    row.date === fields.date &&
    row.driverId === fields.driverId &&
    row.planning === fields.planning &&
    tasks.every(({ id }, index) => id === order[index])
  );
}

/** A driver that the run has already may be off duty now and is not asked for. */
async function newDriverViolations(
  scope: Tenant,
  row: LockedRun['row'],
  driver: DriverId | null,
): Promise<readonly Violation[]> {
  return driver === row.driverId ? [] : driverViolations(scope, driver);
}

/** A run that was called off must not keep its tasks from other runs. */
export function freeOpenTasks(scope: Tenant, { row, tasks }: LockedRun): Promise<void> {
  const open = tasks.filter((task) => STAGE_OF_STATUS[task.status] === 'open');
  return detachTasks(
    scope,
    row.id,
    open.map(({ id }) => id),
  );
}
