import type { DeliveryRunId, DriverId, TaskId } from '../../domain/ids.ts';
import { inTransaction } from '../../store/connection.ts';
import type { LockedRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import { lockRun, lockRunsOf } from '../../store/delivery-runs/delivery-run-writes.ts';
import type { RunRow } from '../../store/delivery-runs/delivery-runs.ts';
import { findRun, findRunTasks } from '../../store/delivery-runs/delivery-runs.ts';
import type { Tenant } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import { requireUnedited } from '../http/preconditions.ts';
import { requireFound } from '../http/require-found.ts';
import type { LoadedRequest, RouteRequest } from '../http/route.ts';
import type { RecordResponse } from '../resource/resource.ts';
import { recordResponse, resourceOf } from '../resource/resource.ts';
import { assignTasks } from './assign.ts';
import { editableRun, run } from './fields.ts';

/** Delivery runs. Staff see all, a driver its own (interpretation 38). */
export const runs = resourceOf('delivery_run', {
  find: findRun,
  isOwn: ({ driverId }, row) => driverId !== null && row.driverId === driverId,
  shape: run.shapes.record,
  answer: ({ scope }, { id }) => runAnswer(scope, id),
});

/** Reads a run with its tasks. */
export async function readRun(scope: Tenant, id: DeliveryRunId): Promise<LockedRun> {
  const [row, tasks] = await Promise.all([findRun(scope, id), findRunTasks(scope, id)]);
  return { row: requireFound(row, runs.one), tasks };
}

async function runAnswer(scope: Tenant, id: DeliveryRunId): Promise<RecordResponse> {
  return runResponse(await readRun(scope, id));
}

function runResponse({ row, tasks }: LockedRun): RecordResponse {
  return recordResponse(run.present({ ...row, tasks, assignments: undefined }), () =>
    editableRun(row, tasks),
  );
}

/**
 * Changes the run that a request names, under its lock and in one transaction; `moved` are tasks that are taken from other runs,
 * which are locked as well. Honours `If-Match`.
 */
export function changeRun<Result>(
  { actor, context, dependencies, item }: LoadedRequest<RunRow>,
  change: (inside: Tenant, locked: LockedRun) => Promise<Result>,
  moved: readonly TaskId[] = [],
): Promise<Result> {
  return inTransaction(dependencies.database, async (transaction) => {
    const inside = tenant(transaction, actor.organizationId);
    if (moved.length > 0) await lockRunsOf(inside, item.id, moved);
    const locked = requireFound(await lockRun(inside, item.id), runs.one);
    await requireUnedited(context, () => runResponse(locked).etag);
    return change(inside, locked);
  });
}

/**
 * Answers with the run as it is after its tasks, or `only` some of them, were given to a driver. The write is committed
 * before, so that each assignment is an ordinary transition of its own.
 */
export async function assignedAnswer(
  request: RouteRequest,
  id: DeliveryRunId,
  driverId: DriverId | null,
  only?: readonly TaskId[],
): Promise<RecordResponse> {
  const { scope } = request;
  if (driverId === null) return runAnswer(scope, id);
  const { tasks } = await readRun(scope, id);
  const given = tasks.filter((task) => only === undefined || only.includes(task.id));
  const assignments = await assignTasks(request, driverId, given);
  const after = await readRun(scope, id);
  // The tag is that of the run alone, as a read answers it.
  return {
    ...runResponse(after),
    body: run.present({ ...after.row, tasks: after.tasks, assignments }),
  };
}
