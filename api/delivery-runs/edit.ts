import { replan, runConflict, runStatus, STAGE_OF_STATUS } from '../../domain/delivery-run.ts';
import type { DriverId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/problem.ts';
import { detachTasks, updateRun } from '../../store/delivery-run-writes.ts';
import type { LockedRun } from '../../store/delivery-run-writes.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { Document } from '../hydra/resource.ts';
import { readPatch } from '../http/merge-patch.ts';
import { requireDriver } from './assign.ts';
import { reorderTasks } from './membership.ts';
import type { RunBody } from './parse.ts';
import { runBody } from './parse.ts';
import { presentRun } from './present.ts';

/** Shown on a run and never changed by a client. */
const READ_ONLY = [
  '@id',
  '@type',
  'id',
  'reference',
  'taskCounts',
  'startedAt',
  'completedAt',
  'createdAt',
  'updatedAt',
];

/**
 * Writes a merge patch of a locked run: fields, planned status, order of the tasks. Resolves to the driver whom the
 * patch names, for the tasks to be assigned to; null where it names none. Throws Refusals.
 */
export async function editRun(scope: Tenant, locked: LockedRun, patch: Document): Promise<DriverId | null> {
  const { row, tasks } = locked;
  const body: RunBody = readPatch(presentRun(row, tasks), patch, runBody, { readOnly: READ_ONLY });
  const status = runStatus(row.planning, row);
  const planning = replan(row.planning, status, body.status);
  if (typeof planning !== 'string') throw new Refusal(planning);
  if (body.driver !== row.driverId) {
    if (status === 'completed') throw new Refusal(runConflict(status, 'its driver can no longer be changed'));
    await requireDriver(scope, body.driver);
  }
  await reorderTasks(scope, locked, body.tasks);
  if (planning === 'cancelled') await freeOpenTasks(scope, locked);
  await updateRun(scope, row.id, { name: body.name, date: body.date, driverId: body.driver, planning });
  return 'driver' in patch ? body.driver : null;
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
