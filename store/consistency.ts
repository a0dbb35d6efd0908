import { MAX_DEADLINE_SPREAD_SECONDS } from '../domain/deadline.ts';
import type { Priority, ShipmentStatus } from '../domain/enumerations.ts';
import { SHIPMENT_STATUSES } from '../domain/enumerations.ts';
import type { OrganizationId, ShipmentId } from '../domain/ids.ts';
import { isTerminalShipment } from '../domain/shipment-status.ts';
import type { Database } from './connection.ts';
import { select } from './connection.ts';

/** What an operator compares with Temporal, across tenants. */

/** A shipment, or an accepted request for one, by what starts or signals its workflow. */
export interface ConsistencySubject {
  readonly shipmentId: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly priority: Priority;
}

/** A shipment's truth, as its workflow should show it. */
export interface ComparedShipment extends ConsistencySubject {
  readonly status: ShipmentStatus;
  /** Null while the workflow may not have woken for its missed deadline yet. */
  readonly isDeadlineMissed: boolean | null;
  readonly hasDeadLetter: boolean;
  /** Events whose sending has not ended: its workflow still has work. */
  readonly pendingEvents: number;
}

const PAGE_ROWS = 1_000;
const OPEN = SHIPMENT_STATUSES.filter((status) => !isTerminalShipment(status));

/** One page of the open shipments that are older than so many seconds, by their ids: those after the given one. */
export async function openShipmentsAfter(
  database: Database,
  id: ShipmentId,
  olderThanSeconds: number,
): Promise<readonly ShipmentId[]> {
  const rows = await select<{ id: ShipmentId }>(
    database,
    `select id from shipments where id > $1 and status = any($2::text[]) and deleted_at is null
       and created_at < clock_timestamp() - make_interval(secs => $3) order by id limit ${PAGE_ROWS}`,
    [id, OPEN, olderThanSeconds],
  );
  return rows.map((row) => row.id);
}

/** The truth about these shipments; those that do not exist are left out. */
export async function comparedShipments(
  database: Database,
  ids: readonly ShipmentId[],
): Promise<ReadonlyMap<ShipmentId, ComparedShipment>> {
  const rows = await select<ComparedShipment>(
    database,
    `select s.id as "shipmentId", s.organization_id as "organizationId", s.tracking_number as "trackingNumber", s.priority,
       s.status, case when s.deadline_missed_at is null then false
         when s.delivery_deadline < clock_timestamp() - make_interval(secs => ${MAX_DEADLINE_SPREAD_SECONDS}) then true
       end as "isDeadlineMissed",
       exists (select from webhook_events e where e.shipment_id = s.id and e.status = 'dead') as "hasDeadLetter",
       (select count(*)::int from webhook_events e where e.shipment_id = s.id and e.status = 'pending' and e.round = 0) as "pendingEvents"
     from shipments s where s.id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.shipmentId, row]));
}

/** Those of these ids that are accepted external requests whose shipment does not exist yet. */
export async function requestsAmong(
  database: Database,
  ids: readonly ShipmentId[],
): Promise<ReadonlySet<ShipmentId>> {
  const rows = await select<{ id: ShipmentId }>(
    database,
    `select id from external_intakes where id = any($1::uuid[]) and status = 'processing'`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Work that waits in PostgreSQL for longer than it should. */
export interface OverdueWork {
  readonly kind:
    | 'undecided_command'
    | 'failed_command'
    | 'pending_event'
    | 'request_without_shipment'
    | 'unrecorded_deadline';
  /** Of the command, the event, the request or the shipment. */
  readonly id: string;
  /** A command's or event's name, a request's tracking number, a shipment's status. */
  readonly what: string;
  readonly seconds: number;
  readonly organizationId: OrganizationId;
  /** Null for a test event, which has no shipment. */
  readonly subject: ConsistencySubject | null;
  /** Of an event: the number of its replay, else 0. */
  readonly round: number;
}

/** More of one kind than this are one fault, not many: the rest is counted after a repair. */
const MAXIMUM_PER_KIND = 10_000;
/** Many deadlines that pass together are recorded within five minutes, on purpose. */
const DEADLINES_SPREAD_SECONDS = 360;

/** What has waited for longer than so many seconds. A failed command counts from its first second. */
export function overdueWork(database: Database, olderThanSeconds: number): Promise<OverdueWork[]> {
  return select<OverdueWork>(database, OVERDUE_SQL, [olderThanSeconds]);
}

const DUE = 'clock_timestamp() - make_interval(secs => $1)';
const OVERDUE_SQL = `
with overdue as (
  (select 'undecided_command' as kind, id, organization_id, shipment_id, 0 as round, received_at as since,
     coalesce(request->>'transition', kind) as what
   from commands where status = 'received' and received_at < ${DUE} limit ${MAXIMUM_PER_KIND})
  union all
  (select 'failed_command', id, organization_id, shipment_id, 0, received_at, coalesce(request->>'transition', kind)
   from commands where status = 'failed' limit ${MAXIMUM_PER_KIND})
  union all
  (select 'pending_event', id, organization_id, shipment_id, round, created_at,
     case when shipment_id is null then 'test event' else coalesce(task_status, kind) end
   from webhook_events where status = 'pending' and created_at < ${DUE} limit ${MAXIMUM_PER_KIND})
  union all
  (select 'request_without_shipment', id, organization_id, id, 0, received_at, tracking_number
   from external_intakes where status = 'processing' and received_at < ${DUE} limit ${MAXIMUM_PER_KIND})
  union all
  (select 'unrecorded_deadline', id, organization_id, id, 0, delivery_deadline, status
   from shipments where deadline_missed_at is null and status in ('pending', 'pickup_in_progress', 'picked_up', 'in_transit')
     and delivery_deadline < ${DUE} - interval '${DEADLINES_SPREAD_SECONDS} seconds' limit ${MAXIMUM_PER_KIND})
)
select o.kind, o.id, o.what, o.organization_id as "organizationId", o.round,
  extract(epoch from clock_timestamp() - o.since)::int as seconds,
  case when o.shipment_id is not null then jsonb_build_object(
    'shipmentId', o.shipment_id, 'organizationId', o.organization_id,
    'trackingNumber', coalesce(s.tracking_number, i.tracking_number),
    'priority', coalesce(s.priority, i.request->>'priority')) end as subject
from overdue o left join shipments s on s.id = o.shipment_id left join external_intakes i on i.id = o.shipment_id`;
