import type { DeliveryRunId, DriverId, TaskId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { findRun, findRunTasks } from '../../store/delivery-runs/delivery-runs.ts';
import type { RunRow, RunTaskRow } from '../../store/delivery-runs/delivery-runs.ts';
import type { Tenant } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireOwn, requireFound } from '../http/require-found.ts';
import type { RouteResponse, LoadRequest, UserActor } from '../http/route.ts';
import { assignTasks } from './assign.ts';
import { run, runEtag } from './fields.ts';

/** A run with its tasks, as it stands. */
export interface FullRun {
  readonly row: RunRow;
  readonly tasks: readonly RunTaskRow[];
}

/** Reads a run with its tasks. */
export async function readRun(scope: Tenant, id: DeliveryRunId): Promise<FullRun> {
  const [row, tasks] = await Promise.all([findRun(scope, id), findRunTasks(scope, id)]);
  return { row: requireFound(row, 'delivery run'), tasks };
}

/** Loads the run that the path names; a driver reads only its own (interpretation 38). */
export async function loadRun({
  actor,
  permissionScope,
  params,
  dependencies,
}: LoadRequest<UserActor, unknown>): Promise<RunRow> {
  const scope = tenant(dependencies.database, actor.organizationId);
  const id = toId<'delivery_run'>(params['id'] ?? params['runId'] ?? '');
  const row = requireFound(await findRun(scope, id), 'delivery run');
  requireOwn(
    permissionScope === 'organization' || (actor.driverId !== null && row.driverId === actor.driverId),
    'run',
  );
  return row;
}

/**
 * Answers with the run as it stands, after its tasks, or `only` some of them, were given to a driver; null assigns
 * nothing. The write is committed before, so that each assignment is an ordinary transition of its own.
 */
export async function runAnswer(
  dependencies: Dependencies,
  actor: UserActor,
  id: DeliveryRunId,
  assignment: { readonly driverId: DriverId | null; readonly only?: readonly TaskId[] },
): Promise<
  Required<Pick<RouteResponse, 'body' | 'etag'>> & { readonly body: Readonly<Record<string, unknown>> }
> {
  const scope = tenant(dependencies.database, actor.organizationId);
  const before = await readRun(scope, id);
  const { driverId, only } = assignment;
  if (driverId === null)
    return {
      body: run.present({ ...before.row, tasks: before.tasks, assignments: undefined }),
      etag: runEtag(before.row),
    };
  const tasks = before.tasks.filter((task) => only === undefined || only.includes(task.id));
  const assignments = await assignTasks(dependencies, actor, driverId, tasks);
  const { row, tasks: after } = await readRun(scope, id);
  return { body: run.present({ ...row, tasks: after, assignments }), etag: runEtag(row) };
}
