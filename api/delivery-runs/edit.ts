import { replan, runStatus, STAGE_OF_STATUS } from '../../domain/delivery-run.ts';
import type { DriverId, TaskId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import { conflict, ProblemError } from '../../domain/problem.ts';
import { detachTasks, updateRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import type { LockedRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import type { RunFields, RunRow } from '../../store/delivery-runs/delivery-runs.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { Editing, PatchRequest } from '../resource/edit.ts';
import { revise } from '../resource/edit.ts';
import type { JsonSchema } from '../schema/schema.ts';
import type { Document } from '../hydra/resource.ts';
import { isWholeDocument } from '../schema/merge-patch.ts';
import { isSentBack } from '../schema/sent-back.ts';
import { driverViolations } from './assign.ts';
import { orderViolations, reorderTasks } from './membership.ts';
import type { RunBody } from './fields.ts';
import { run } from './fields.ts';

const EDITING: Editing<LockedRun, RunBody> & { readonly shape: JsonSchema } = {
  ...run.editing,
  // A driver that the run has already may be off duty now and is not asked for.
  check: async ({ scope }, { driver, tasks }, locked) => [
    ...(driver === undefined || driver === locked.row.driverId ? [] : await driverViolations(scope, driver)),
    ...(tasks === undefined ? [] : orderViolations(locked, tasks)),
  ],
};

/**
 * Writes a merge patch of a locked run: fields, planned status, order of the tasks. Resolves to the driver whom the
 * patch names, for the tasks to be assigned to; null where it names none. Throws ProblemErrors.
 */
export async function editRun(request: PatchRequest<RunRow>, locked: LockedRun): Promise<DriverId | null> {
  const { scope } = request;
  const { row, tasks } = locked;
  const { body } = await revise(
    request,
    EDITING,
    locked,
    run.present({ ...row, tasks, assignments: undefined }),
  );
  const status = runStatus(row.planning, row);
  const planning = replan(row.planning, status, body.status);
  if (typeof planning !== 'string') throw new ProblemError(planning);
  if (body.driver !== row.driverId && status === 'completed') {
    throw new ProblemError(conflict(say('run_driver_fixed', { runStatus: status }), status));
  }
  const fields = { name: body.name, date: body.date, driverId: body.driver, planning };
  if (!changesNothing(locked, fields, body.tasks)) {
    await reorderTasks(scope, locked, body.tasks);
    if (planning === 'cancelled') await freeOpenTasks(scope, locked);
    await updateRun(scope, row.id, fields);
  }
  return namesNewDriver(request.body, row) ? body.driver : null;
}

const REFERENCE: JsonSchema = { type: 'string', format: 'iri-reference' };

/**
 * Whether a patch gives the run's tasks to its driver: where it names one, unless a client sends back the whole run that it read
 * with the driver that the run has. Tasks that were given to another driver since then stay with that one.
 */
export function namesNewDriver(patch: Document, { driverId }: Pick<RunRow, 'driverId'>): boolean {
  const sent = patch['driver'];
  if (sent === undefined || sent === null) return false;
  return (
    !isWholeDocument(patch) || driverId === null || !isSentBack(REFERENCE, sent, iriOf('driver', driverId))
  );
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

/** A run that was called off must not keep its tasks from other runs. */
function freeOpenTasks(scope: Tenant, { row, tasks }: LockedRun): Promise<void> {
  const open = tasks.filter((task) => STAGE_OF_STATUS[task.status] === 'open');
  return detachTasks(
    scope,
    row.id,
    open.map(({ id }) => id),
  );
}
