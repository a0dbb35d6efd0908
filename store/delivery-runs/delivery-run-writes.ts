import { randomBytes } from 'node:crypto';
import type { PlacedTask } from '../../domain/delivery-run.ts';
import { RUN_REFERENCE_SUFFIX_LENGTH, runReference } from '../../domain/delivery-run.ts';
import type { DeliveryRunId, TaskId } from '../../domain/ids.ts';
import { execute, select, selectOne } from '../connection.ts';
import type { RunFields, RunRow, RunTaskRow } from './delivery-runs.ts';
import { findRun, findRunTasks } from './delivery-runs.ts';
import type { Lookup, Tenant } from '../tenant.ts';

/** A run and its tasks under their row locks. */
export interface LockedRun {
  readonly row: RunRow;
  readonly tasks: readonly RunTaskRow[];
}

/**
 * Locks a run and then its tasks, by shipment and place in it: the order in which commands lock a shipment's tasks, so
 * that neither waits for the other forever. Inside a transaction.
 */
export async function lockRun(tenant: Tenant, id: DeliveryRunId): Promise<Lookup<LockedRun>> {
  await select(
    tenant.executor,
    'select id from delivery_runs where id = $1 and organization_id = $2 for update',
    [id, tenant.organizationId],
  );
  await select(
    tenant.executor,
    `select id from tasks where delivery_run_id = $1 and organization_id = $2
     order by shipment_id, ordinal for update`,
    [id, tenant.organizationId],
  );
  const found = await findRun(tenant, id);
  if (found.kind !== 'found') return found;
  return { kind: 'found', row: { row: found.row, tasks: await findRunTasks(tenant, id) } };
}

/**
 * Locks a run and the runs that these tasks are in, in one order, before any task: so that of two moves in opposite directions
 * neither waits for the other forever. Inside a transaction, before `lockRun`.
 */
export async function lockRunsOf(
  tenant: Tenant,
  id: DeliveryRunId,
  taskIds: readonly TaskId[],
): Promise<void> {
  await select(
    tenant.executor,
    `select id from delivery_runs where organization_id = $2 and (id = $1
       or id in (select delivery_run_id from tasks where id = any($3::uuid[]) and organization_id = $2))
     order by id for update`,
    [id, tenant.organizationId, [...taskIds]],
  );
}

/** A task that is to join a run, under its row lock. */
export interface JoiningTask extends PlacedTask {
  readonly id: TaskId;
}

/** Locks the tenant's tasks of these ids, in the same order as above; unknown and foreign ones are left out. */
export function lockJoiningTasks(tenant: Tenant, ids: readonly TaskId[]): Promise<JoiningTask[]> {
  return select<JoiningTask>(
    tenant.executor,
    `select t.id, t.status, t.delivery_run_id as "runId",
       (select r.reference from delivery_runs r where r.id = t.delivery_run_id) as "runReference"
     from tasks t join shipments s on s.id = t.shipment_id and s.deleted_at is null
     where t.id = any($1::uuid[]) and t.organization_id = $2
     order by t.shipment_id, t.ordinal for update of t`,
    [[...ids], tenant.organizationId],
  );
}

/** Puts exactly these tasks into a run, in this order, from position 0. The caller holds the locks and has checked them. */
export function placeTasks(tenant: Tenant, runId: DeliveryRunId, ids: readonly TaskId[]): Promise<void> {
  return execute(
    tenant.executor,
    `update tasks t set delivery_run_id = $1, position = p.place - 1, version = t.version + 1,
       updated_at = clock_timestamp()
     from unnest($2::uuid[]) with ordinality as p (id, place)
     where t.id = p.id and t.organization_id = $3
       and (t.delivery_run_id, t.position) is distinct from ($1::uuid, (p.place - 1)::int)`,
    [runId, [...ids], tenant.organizationId],
  );
}

/** Removes tasks from a run; each keeps its driver (interpretation 5). */
export function detachTasks(tenant: Tenant, runId: DeliveryRunId, ids: readonly TaskId[]): Promise<void> {
  return execute(
    tenant.executor,
    `update tasks set delivery_run_id = null, position = null, version = version + 1, updated_at = clock_timestamp()
     where delivery_run_id = $1 and id = any($2::uuid[]) and organization_id = $3`,
    [runId, [...ids], tenant.organizationId],
  );
}

const MAXIMUM_TRIES = 20;

/**
 * Makes a run with the reference given, or with one that chance makes. Resolves to false when the given reference is
 * taken; a run of the same id (a repeated request) is left as it is.
 */
export async function insertRun(
  tenant: Tenant,
  id: DeliveryRunId,
  reference: string | null,
  fields: RunFields,
): Promise<boolean> {
  const known = await selectOne(tenant.executor, 'select id from delivery_runs where id = $1', [id]);
  if (known !== undefined) return true;
  const tries = reference === null ? MAXIMUM_TRIES : 1;
  for (let count = 0; count < tries; count += 1) {
    const row = await selectOne(
      tenant.executor,
      `insert into delivery_runs (id, organization_id, reference, name, run_date, driver_id, planning_status)
       values ($1, $2, $3, $4, $5::date, $6, $7) on conflict (organization_id, reference) do nothing returning id`,
      [
        id,
        tenant.organizationId,
        reference ?? runReference(fields.date, randomBytes(RUN_REFERENCE_SUFFIX_LENGTH)),
        fields.name,
        fields.date,
        fields.driverId,
        fields.planning,
      ],
    );
    if (row !== undefined) return true;
  }
  if (reference === null) throw new Error('no free run reference was found');
  return false;
}

/** Writes a run's fields, and a new version even where only its tasks have changed. Under the lock. */
export function updateRun(tenant: Tenant, id: DeliveryRunId, fields: RunFields): Promise<void> {
  return execute(
    tenant.executor,
    `update delivery_runs set name = $3, run_date = $4::date, driver_id = $5, planning_status = $6,
       version = version + 1, updated_at = clock_timestamp()
     where id = $1 and organization_id = $2`,
    [id, tenant.organizationId, fields.name, fields.date, fields.driverId, fields.planning],
  );
}

/** Gives runs a new version whose tasks were moved to another run. Under their locks. */
export function renewRuns(tenant: Tenant, ids: readonly DeliveryRunId[]): Promise<void> {
  return execute(
    tenant.executor,
    `update delivery_runs set version = version + 1, updated_at = clock_timestamp()
     where id = any($1::uuid[]) and organization_id = $2`,
    [[...ids], tenant.organizationId],
  );
}

/** Deletes a run softly; its tasks are to be detached before. Under the lock. */
export function deleteRun(tenant: Tenant, id: DeliveryRunId): Promise<void> {
  return execute(
    tenant.executor,
    `update delivery_runs set deleted_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
     where id = $1 and organization_id = $2`,
    [id, tenant.organizationId],
  );
}
