import type {
  Priority,
  ShipmentSource,
  ShipmentStatus,
  TaskStatus,
  TaskType,
  TimelineEvent,
} from '../../domain/enumerations.ts';
import type {
  DriverId,
  MerchantId,
  OrganizationId,
  PickupPointId,
  ShipmentId,
  TaskId,
} from '../../domain/ids.ts';
import type { ShipmentRequest } from '../../domain/shipment.ts';
import { columns } from '../columns.ts';
import { select, selectOne } from '../connection.ts';
import type { Counted } from '../page.ts';
import { addedBy, among, nextAsOf, likePattern, limitOf, totalOf } from '../page.ts';
import { prepared } from '../prepared.ts';
import type { ShipmentFee } from './pricing.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from '../tenant.ts';
import { checkTenant } from '../tenant.ts';

/** A shipment as the dashboard shows it, without its tasks and timeline. */
export interface ShipmentRow extends ShipmentRequest, ShipmentFee {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly source: ShipmentSource;
  readonly status: ShipmentStatus;
  readonly currency: string;
  readonly deliveryDeadline: Date | null;
  readonly deadlineMissedAt: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A line of the list (contract «Shipment list item»), with what a dispatcher sorts and recognizes it by. */
export interface ShipmentListRow {
  readonly id: ShipmentId;
  readonly trackingNumber: string;
  readonly status: ShipmentStatus;
  readonly priority: Priority;
  readonly externalReference: string | null;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly phoneNumber: string;
  readonly street: string;
  readonly city: string;
  readonly merchantId: MerchantId | null;
  readonly totalCodToCollectCents: number;
  readonly currency: string;
  readonly deliveryDeadline: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The filters of the list (contract «Filters», interpretation 27), some by one of several values; null does not filter. */
export interface ShipmentFilter {
  readonly status: readonly ShipmentStatus[] | null;
  readonly priority: readonly Priority[] | null;
  readonly merchantIds: readonly MerchantId[] | null;
  /** The merchant whose shipments alone the caller may see; null for staff. */
  readonly ownMerchantId: MerchantId | null;
  readonly pickupPointIds: readonly PickupPointId[] | null;
  readonly trackingNumbers: readonly string[] | null;
  readonly externalReferences: readonly string[] | null;
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
  /** Looked for in tracking number, recipient's name and phone, and reference. */
  readonly search: string | null;
}

/** What a request says and an edit may change. */
export const REQUEST_COLUMNS = `merchant_id, pickup_point_id, priority, package_size, weight_grams, cod_amount_cents, recipient,
  items, handling_options, notes, external_reference, scheduled_after, scheduled_before`;
/** What is computed from it. */
export const PRICED_COLUMNS =
  'delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown, fee_payer, delivery_deadline';

/** Columns of a shipment `s`, as a ShipmentRow has them. */
export const SHIPMENT_COLUMNS = columns(
  's',
  `id, organization_id, tracking_number, source, status, currency, pickup_address, deadline_missed_at, version, created_at,
  updated_at, ${REQUEST_COLUMNS}, ${PRICED_COLUMNS}`,
);

/**
 * Reads a shipment; a deleted one is missing unless asked for (interpretation 17). `lock` takes its row lock, inside a
 * transaction.
 */
export async function findShipment(
  tenant: Tenant,
  id: ShipmentId,
  {
    lock = false,
    isDeletedFound = false,
  }: { readonly lock?: boolean; readonly isDeletedFound?: boolean } = {},
): Promise<Lookup<ShipmentRow>> {
  const row = await selectOne<ShipmentRow>(
    tenant.executor,
    `select ${SHIPMENT_COLUMNS} from shipments s
     where s.id = $1 ${isDeletedFound ? '' : 'and s.deleted_at is null'} ${lock ? 'for update' : ''}`,
    [id],
  );
  return checkTenant(tenant, row);
}

const LIST_COLUMNS = `s.recipient->>'firstName' as "firstName", s.recipient->>'lastName' as "lastName",
  s.recipient->>'phoneNumber' as "phoneNumber", s.recipient->'address'->>'street' as street,
  s.recipient->'address'->>'city' as city,
  ${columns(
    's',
    `id, tracking_number, status, priority, external_reference, merchant_id, total_cod_to_collect_cents, currency,
    delivery_deadline, created_at, updated_at`,
  )}`;

/**
 * One page of the tenant's shipments with the number of all, in one statement: ids by an index alone first, rows for those
 * ids after. A list that is narrowed by status at most is not counted: its number is kept by triggers.
 */
export async function findShipmentPage(
  tenant: Tenant,
  filter: ShipmentFilter,
  order: Order,
  page: Page,
): Promise<PageOf<ShipmentListRow>> {
  const isKept = isNarrowedByStatusAtMost(filter);
  const { where: all, values } = shipmentConditions(tenant, filter);
  const { by, direction } = order;
  const asOf =
    page.asOf === null ? undefined : addedBy('created_at', `$${values.push(page.asOf)}::timestamptz`);
  const where = asOf === undefined ? all : `${all} and ${asOf}`;
  const totalSql = isKept
    ? maintainedTotal(filter, all, asOf)
    : `select count(*) as total from shipments where ${where}`;
  const sql = `select ${LIST_COLUMNS}, (${totalSql}) as "totalItems"
    from (select id from shipments where ${where} order by ${by} ${direction}, id ${direction} ${limitOf(page)}) p
    join shipments s on s.id = p.id order by s.${by} ${direction}, s.id ${direction}`;
  // The dashboard's most frequent query takes longer to plan than to run. Its conditions are equalities that an index
  // answers, so one plan suits every organization; any other page is planned with its values.
  const isPrepared =
    isKept && (filter.status?.length ?? 1) === 1 && by !== 'id' && page.page === 1 && page.asOf === null;
  const rows = await select<ShipmentListRow & Counted>(
    tenant.executor,
    isPrepared ? prepared(sql) : sql,
    values,
  );
  const isNewestFirst = direction === 'desc' && by === 'created_at';
  return {
    rows,
    totalItems: await totalOf(rows, page, () => selectOne(tenant.executor, totalSql, values)),
    asOf: nextAsOf(page, isNewestFirst ? rows[0]?.createdAt : undefined),
  };
}

/** The kept number, without what was added after the page's moment: that is little, and counted by an index. */
function maintainedTotal({ status }: ShipmentFilter, all: string, asOf: string | undefined): string {
  const kept =
    status !== null && status.length > 1
      ? 'select sum(shipment_total($1, wanted))::bigint as total from unnest($2::text[]) wanted'
      : `select shipment_total($1, ${status === null ? 'null' : '$2'}) as total`;
  if (asOf === undefined) return kept;
  return `select (${kept}) - (select count(*) from shipments where ${all} and not (${asOf})) as total`;
}

/** Whether the totals that triggers keep answer how many there are; a million shipments are not to be counted. */
function isNarrowedByStatusAtMost({ status: _status, ...others }: ShipmentFilter): boolean {
  return Object.values(others).every((value) => value === null);
}

/**
 * The conditions of a list, of the tenant alone: `$1` is the tenant, `$2` the status where one is asked for. A list that is
 * narrowed by status at most has equalities alone, so that its first page can be prepared.
 */
export function shipmentConditions(
  { organizationId }: Tenant,
  filter: ShipmentFilter,
): { readonly where: string; readonly values: unknown[] } {
  const { status, search } = filter;
  const values: unknown[] = [organizationId];
  if (isNarrowedByStatusAtMost(filter)) {
    if (status === null) return { where: OWN_SHIPMENTS, values };
    return { where: `${OWN_SHIPMENTS} and ${among(values, 'status', 'text', status)}`, values };
  }
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const ownMerchant = filter.ownMerchantId === null ? null : [filter.ownMerchantId];
  const after = bind(filter.createdAfter, 'timestamptz');
  const before = bind(filter.createdBefore, 'timestamptz');
  const pattern = bind(search === null ? null : likePattern(search.trim()), 'text');
  const conditions = [
    OWN_SHIPMENTS,
    among(values, 'status', 'text', status),
    among(values, 'priority', 'text', filter.priority),
    among(values, 'merchant_id', 'uuid', filter.merchantIds),
    among(values, 'merchant_id', 'uuid', ownMerchant),
    among(values, 'pickup_point_id', 'uuid', filter.pickupPointIds),
    among(values, 'tracking_number', 'text', filter.trackingNumbers),
    among(values, 'external_reference', 'text', filter.externalReferences),
    // A shown moment includes its own shipment.
    `(${after} is null or created_at >= ${after}) and (${before} is null or ${addedBy('created_at', before)})`,
    `(${pattern} is null or search_text like lower(${pattern}))`,
  ];
  return { where: conditions.join(' and '), values };
}

const OWN_SHIPMENTS = 'organization_id = $1 and deleted_at is null';

/** A shipment's task in short, in order. */
export interface ShipmentTaskRow {
  readonly id: TaskId;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly driverId: DriverId | null;
  readonly driverName: string | null;
  readonly driverPhoneNumber: string | null;
}

/** The tasks of a shipment that the caller has found. */
export function findTasksOfShipment(tenant: Tenant, id: ShipmentId): Promise<ShipmentTaskRow[]> {
  return select<ShipmentTaskRow>(
    tenant.executor,
    `select ${columns('t', 'id, type, status, driver_id')}, d.first_name || ' ' || d.last_name as "driverName",
       d.phone_number as "driverPhoneNumber"
     from tasks t left join drivers d on d.id = t.driver_id
     where t.shipment_id = $1 and t.organization_id = $2 order by t.ordinal`,
    [id, tenant.organizationId],
  );
}

/** An entry of the timeline, moments with microseconds as text. */
export interface TimelineRow {
  readonly kind: TimelineEvent;
  readonly status: ShipmentStatus;
  readonly taskType: TaskType | null;
  readonly taskStatus: TaskStatus | null;
  readonly transition: string | null;
  readonly reason: string | null;
  readonly comment: string | null;
  /** The driver that it was about, and who asked for it; null where the service did it itself. */
  readonly driverName: string | null;
  readonly changedByName: string | null;
  readonly occurredAt: string;
  readonly recordedAt: string;
}

const MOMENT = `'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'`;

/** The timeline of a shipment that the caller has found, oldest first (interpretation 7). */
export function findTimeline(tenant: Tenant, id: ShipmentId): Promise<TimelineRow[]> {
  return select<TimelineRow>(
    tenant.executor,
    `select ${columns('e', 'kind, task_type, task_status, transition, reason, comment')}, e.shipment_status as status,
       d.first_name || ' ' || d.last_name as "driverName", u.first_name || ' ' || u.last_name as "changedByName",
       to_char(e.occurred_at at time zone 'UTC', ${MOMENT}) as "occurredAt",
       to_char(e.recorded_at at time zone 'UTC', ${MOMENT}) as "recordedAt"
     from timeline_entries e left join drivers d on d.id = e.driver_id left join users u on u.id = e.actor_id
     where e.shipment_id = $1 and e.organization_id = $2 order by e.sequence`,
    [id, tenant.organizationId],
  );
}
