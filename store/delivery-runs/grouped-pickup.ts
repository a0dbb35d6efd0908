import type { GroupingCandidate, PlacedTask } from '../../domain/delivery-run.ts';
import { STAGE_OF_STATUS } from '../../domain/delivery-run.ts';
import type { DeliveryRunId, PickupPointId, ShipmentId, TaskId } from '../../domain/ids.ts';
import { execute, select, selectOne } from '../connection.ts';
import type { Tenant } from '../tenant.ts';

/** A shipment with its pickup, under the pickup's row lock. */
export interface PickupCandidate extends GroupingCandidate {
  readonly shipmentId: ShipmentId;
  readonly pickup: (PlacedTask & { readonly taskId: TaskId }) | null;
}

/**
 * The shipments of a point whose pickup is open and in no other run, oldest first, at most `limit` (interpretation 31).
 */
export async function openPickupsOf(
  tenant: Tenant,
  pointId: PickupPointId,
  { runId, limit }: { readonly runId: DeliveryRunId; readonly limit: number },
): Promise<ShipmentId[]> {
  const open = Object.entries(STAGE_OF_STATUS).flatMap(([status, stage]) =>
    stage === 'open' ? [status] : [],
  );
  const rows = await select<{ id: ShipmentId }>(
    tenant.executor,
    `select s.id from shipments s join tasks t on t.shipment_id = s.id and t.type = 'pickup'
     where s.organization_id = $1 and s.pickup_point_id = $2 and s.deleted_at is null
       and t.status = any($3::text[]) and (t.delivery_run_id is null or t.delivery_run_id = $5)
     order by s.created_at, s.id limit $4`,
    [tenant.organizationId, pointId, open, limit, runId],
  );
  return rows.map(({ id }) => id);
}

/** Locks the pickups of the tenant's shipments of these ids and reads them; unknown and foreign ids are left out. */
export async function lockPickups(tenant: Tenant, ids: readonly ShipmentId[]): Promise<PickupCandidate[]> {
  await select(
    tenant.executor,
    `select id from tasks where shipment_id = any($1::uuid[]) and organization_id = $2 and type = 'pickup'
     order by shipment_id, ordinal for update`,
    [[...ids], tenant.organizationId],
  );
  return select<PickupCandidate>(
    tenant.executor,
    `select s.id as "shipmentId", s.pickup_point_id as "pickupPointId",
       case when t.id is not null then jsonb_build_object('taskId', t.id, 'status', t.status,
         'runId', t.delivery_run_id, 'runReference', r.reference) end as pickup
     from shipments s left join tasks t on t.shipment_id = s.id and t.type = 'pickup'
       left join delivery_runs r on r.id = t.delivery_run_id
     where s.id = any($1::uuid[]) and s.organization_id = $2 and s.deleted_at is null`,
    [[...ids], tenant.organizationId],
  );
}

/** A moment's day in the organization's timezone, `YYYY-MM-DD`; without a moment, today. */
export async function localDateOf(tenant: Tenant, moment: Date | null): Promise<string> {
  const row = await selectOne<{ date: string }>(
    tenant.executor,
    `select to_char(coalesce($2::timestamptz, clock_timestamp()) at time zone timezone, 'YYYY-MM-DD') as date
     from organizations where id = $1`,
    [tenant.organizationId, moment],
  );
  if (row === undefined) throw new Error(`there is no organization ${tenant.organizationId}`);
  return row.date;
}

/** Lets locked pickups begin at a moment, except where one would then end before it begins. */
export function schedulePickups(tenant: Tenant, ids: readonly TaskId[], moment: Date): Promise<void> {
  return execute(
    tenant.executor,
    `update tasks set after = $3::timestamptz, version = version + 1, updated_at = clock_timestamp()
     where id = any($2::uuid[]) and organization_id = $1 and (before is null or before > $3::timestamptz)`,
    [tenant.organizationId, [...ids], moment],
  );
}
