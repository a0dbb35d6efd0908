import type { PlannedTask } from '../../domain/board.ts';
import type { PlanningStatus, StageCounts } from '../../domain/delivery-run.ts';
import type { FailureReason, Priority, ShipmentStatus } from '../../domain/enumerations.ts';
import type {
  DeliveryRunId,
  DriverId,
  MerchantId,
  ShipmentId,
  TaskId,
  WebhookEventId,
} from '../../domain/ids.ts';
import type { TaskState } from '../../domain/shipment-state.ts';
import type { WebhookEventStatus } from '../../domain/webhook.ts';
import { cursorOf, endedTransactions } from '../changes/cursor.ts';
import { columns } from '../columns.ts';
import { select } from '../connection.ts';
import { RUN_COLUMNS, RUN_SOURCE } from '../delivery-runs/delivery-runs.ts';
import type { Tenant } from '../tenant.ts';

/** What every row of a board has. Its version grows whenever anything that it shows changes. */
interface Versioned {
  readonly version: number;
  readonly isDeleted: boolean;
}

/** A task in short, with what its shipment says of it. */
export interface BoardTaskRow extends TaskState, PlannedTask, Versioned {
  readonly shipmentId: ShipmentId;
  readonly shipmentStatus: ShipmentStatus;
  readonly trackingNumber: string;
  readonly recipientName: string;
  readonly street: string | null;
  readonly city: string | null;
  readonly landmark: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly totalCodToCollectCents: number;
  readonly merchantId: MerchantId | null;
  readonly priority: Priority;
  readonly deliveryRunId: DeliveryRunId | null;
  readonly position: number | null;
  readonly attempts: number;
  readonly failureReason: FailureReason | null;
  readonly deliveryDeadline: Date | null;
  readonly changedAt: Date;
}

export interface BoardRunRow extends StageCounts, Versioned {
  readonly id: DeliveryRunId;
  readonly reference: string;
  readonly name: string | null;
  readonly date: string;
  readonly driverId: DriverId | null;
  readonly planning: PlanningStatus;
}

export interface BoardDriverRow extends Versioned {
  readonly id: DriverId;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly vehicleType: string | null;
  readonly isAvailable: boolean;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly positionAt: Date | null;
}

/** A shipment as those see it who follow the changes. */
export interface ChangedShipmentRow extends Versioned {
  readonly id: ShipmentId;
  readonly status: ShipmentStatus;
  readonly trackingNumber: string;
  readonly merchantId: MerchantId | null;
  readonly updatedAt: Date;
}

export interface ChangedDeliveryRow extends Versioned {
  readonly id: WebhookEventId;
  readonly status: WebhookEventStatus;
}

/** A task's own version and its shipment's only grow; every command of a shipment raises the latter. */
export const TASK_COLUMNS = `${columns('t', 'id, type, status, shipment_id, driver_id, previous_id, delivery_run_id, position, after, before')},
  ${columns('t', 'attempts, failure_reason, completed_at')},
  ${columns('s', 'tracking_number, total_cod_to_collect_cents, merchant_id, priority, delivery_deadline')},
  s.version + t.version as version, s.status as "shipmentStatus", s.deleted_at is not null as "isDeleted",
  concat_ws(' ', s.recipient->>'firstName', s.recipient->>'lastName') as "recipientName",
  t.address->>'street' as street, t.address->>'city' as city, t.address->>'landmark' as landmark,
  (t.address->>'latitude')::float8 as latitude, (t.address->>'longitude')::float8 as longitude,
  greatest(t.updated_at, s.updated_at) as "changedAt", to_char(r.run_date, 'YYYY-MM-DD') as "runDate"`;

/** The run of a task `t`, for its columns. */
export const TASK_RUN = 'left join delivery_runs r on r.id = t.delivery_run_id and r.deleted_at is null';

/** A task as the transition table sees it, and whose it is. */
export interface SiblingRow extends TaskState {
  readonly shipmentId: ShipmentId;
}

/** All tasks of these shipments of the tenant, as the transition table sees them. */
export function findSiblings(
  { executor, organizationId }: Tenant,
  shipmentIds: readonly ShipmentId[],
): Promise<SiblingRow[]> {
  return select<SiblingRow>(
    executor,
    `select ${columns('t', 'id, type, status, driver_id, previous_id, shipment_id')} from tasks t
     where t.shipment_id = any($1::uuid[]) and t.organization_id = $2 order by t.ordinal`,
    [[...shipmentIds], organizationId],
  );
}

/** All tasks of these shipments of the tenant, those of one shipment next to each other. */
export function findTasksOfShipments(
  { executor, organizationId }: Tenant,
  shipmentIds: readonly ShipmentId[],
): Promise<BoardTaskRow[]> {
  return select<BoardTaskRow>(
    executor,
    `select ${TASK_COLUMNS} from tasks t join shipments s on s.id = t.shipment_id ${TASK_RUN}
     where t.shipment_id = any($1::uuid[]) and t.organization_id = $2 order by t.shipment_id, t.ordinal`,
    [[...shipmentIds], organizationId],
  );
}

/** Runs of the tenant: those of these ids, and those of the day. The status of a run follows from its tasks, so its version is the snapshot's. */
export async function findBoardRuns(
  { executor, organizationId }: Tenant,
  ids: readonly DeliveryRunId[],
  date: string | null = null,
): Promise<BoardRunRow[]> {
  const rows = await select<BoardRunRow & { readonly snapshot: string }>(
    executor,
    `select ${RUN_COLUMNS}, r.deleted_at is not null as "isDeleted", pg_current_snapshot()::text as snapshot ${RUN_SOURCE}
     where r.organization_id = $1 and (r.id = any($2::uuid[]) or (r.run_date = $3::date and r.deleted_at is null))
     order by r.run_date, r.reference`,
    [organizationId, [...ids], date],
  );
  return rows.map(({ snapshot, ...row }) => ({ ...row, version: endedTransactions(cursorOf('', snapshot)) }));
}

/** Drivers of the tenant, all that are there or, deleted too, those of these ids. The moment of a position is part of the version. */
export function findBoardDrivers(
  { executor, organizationId }: Tenant,
  ids: readonly DriverId[] | null,
): Promise<BoardDriverRow[]> {
  return select<BoardDriverRow>(
    executor,
    `select ${columns('d', 'id, first_name, last_name, phone_number, vehicle_type, is_available')},
       d.version + coalesce((extract(epoch from d.last_position_at) * 1000000)::bigint, 0) as version,
       d.deleted_at is not null as "isDeleted", (d.last_position->>'latitude')::float8 as latitude,
       (d.last_position->>'longitude')::float8 as longitude, d.last_position_at as "positionAt"
     from drivers d
     where d.organization_id = $1 and (d.id = any($2::uuid[]) or ($2::uuid[] is null and d.deleted_at is null))
     order by d.last_name, d.first_name, d.id`,
    [organizationId, ids === null ? null : [...ids]],
  );
}

/** Shipments of the tenant, deleted ones too. */
export function findChangedShipments(
  { executor, organizationId }: Tenant,
  ids: readonly ShipmentId[],
): Promise<ChangedShipmentRow[]> {
  return select<ChangedShipmentRow>(
    executor,
    `select ${columns('s', 'id, version, status, tracking_number, merchant_id, updated_at')}, s.deleted_at is not null as "isDeleted"
     from shipments s where s.id = any($1::uuid[]) and s.organization_id = $2`,
    [[...ids], organizationId],
  );
}

/** Webhook deliveries of the tenant. An event is pending and then settled, in one round after the other. */
export function findChangedDeliveries(
  { executor, organizationId }: Tenant,
  ids: readonly WebhookEventId[],
): Promise<ChangedDeliveryRow[]> {
  return select<ChangedDeliveryRow>(
    executor,
    `select e.id, e.status, 2 * e.round + (e.status <> 'pending')::int + 1 as version, false as "isDeleted"
     from webhook_events e where e.id = any($1::uuid[]) and e.organization_id = $2`,
    [[...ids], organizationId],
  );
}

/** The tenant's tasks of these ids by their shipments. */
export async function findShipmentsOfTasks(
  { executor, organizationId }: Tenant,
  ids: readonly TaskId[],
): Promise<readonly ShipmentId[]> {
  const rows = await select<{ shipmentId: ShipmentId }>(
    executor,
    `select distinct shipment_id as "shipmentId" from tasks where id = any($1::uuid[]) and organization_id = $2`,
    [[...ids], organizationId],
  );
  return rows.map(({ shipmentId }) => shipmentId);
}
