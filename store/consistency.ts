import { MAX_DEADLINE_SPREAD_SECONDS } from '../domain/deadline.ts';
import type { ShipmentStatus } from '../domain/enumerations.ts';
import type { OrganizationId, ShipmentId, WebhookEventId } from '../domain/ids.ts';
import type { Database } from './connection.ts';
import { select } from './connection.ts';

/**
 * What an operator compares with Temporal, page by page and across tenants. Every statement reads a bounded number of rows
 * by an index.
 */

/** A shipment by what starts or signals its workflow. */
export interface ConsistencySubject {
  readonly shipmentId: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly priority: string;
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

/** Something that waits longer than it should. */
export interface OverdueRow extends ConsistencySubject {
  readonly id: string;
  /** Where the next page begins: the row's moment, exact to the microsecond, or its number. */
  readonly since: string;
  readonly seconds: number;
  readonly what: string;
}

/** An event that waits to be sent. A test event has no shipment; one of a later round has a workflow of its own. */
export interface OverdueEvent extends Omit<OverdueRow, 'shipmentId' | 'trackingNumber' | 'priority'> {
  readonly eventId: WebhookEventId;
  readonly round: number;
  readonly shipmentId: ShipmentId | null;
  readonly trackingNumber: string | null;
  readonly priority: string | null;
}

/** How a page is asked for: what comes after the last row of the one before. */
export interface PageAfter {
  readonly since: string;
  readonly id: string;
}

export const FIRST_PAGE: PageAfter = { since: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
const PAGE_ROWS = 1_000;

const SUBJECT = `s.id as "shipmentId", s.organization_id as "organizationId", s.tracking_number as "trackingNumber", s.priority`;

/** The organizations, in no order that matters. */
export function organizationsAcrossTenants(database: Database): Promise<{ readonly id: OrganizationId }[]> {
  return select(database, 'select id from organizations');
}

/** One page of an organization's shipments in a status, older than so many seconds. */
export function openShipmentsOf(
  database: Database,
  of: {
    readonly organizationId: OrganizationId;
    readonly status: ShipmentStatus;
    readonly olderThanSeconds: number;
  },
  after: PageAfter,
): Promise<(ConsistencySubject & PageAfter)[]> {
  return select(
    database,
    `select ${SUBJECT}, s.id, s.created_at::text as since from shipments s
     where s.organization_id = $1 and s.status = $2 and s.deleted_at is null
       and s.created_at < clock_timestamp() - make_interval(secs => $3) and (s.created_at, s.id) > ($4::timestamptz, $5::uuid)
     order by s.created_at, s.id limit ${PAGE_ROWS}`,
    [of.organizationId, of.status, of.olderThanSeconds, after.since, after.id],
  );
}

/** The truth about these shipments; those that do not exist are left out. */
export function comparedShipments(database: Database, ids: readonly string[]): Promise<ComparedShipment[]> {
  return select(
    database,
    `select ${SUBJECT}, s.status, case when s.deadline_missed_at is null then false
         when s.delivery_deadline < clock_timestamp() - make_interval(secs => ${MAX_DEADLINE_SPREAD_SECONDS}) then true
       end as "isDeadlineMissed",
       exists (select from webhook_events e where e.shipment_id = s.id and e.status = 'dead') as "hasDeadLetter",
       (select count(*)::int from webhook_events e where e.shipment_id = s.id and e.status = 'pending' and e.round = 0) as "pendingEvents"
     from shipments s where s.id = any($1::uuid[])`,
    [ids],
  );
}

/** Those of these ids that are accepted external requests whose shipment does not exist yet. */
export function requestsAmong(
  database: Database,
  ids: readonly string[],
): Promise<{ readonly id: string }[]> {
  return select(
    database,
    `select id from external_intakes where id = any($1::uuid[]) and status = 'processing'`,
    [ids],
  );
}

/** One page of commands in a status that were received longer ago than so many seconds, by their acceptance numbers. */
export function overdueCommands(
  database: Database,
  status: 'received' | 'failed',
  olderThanSeconds: number,
  after: PageAfter,
): Promise<OverdueRow[]> {
  return select(
    database,
    `select ${SUBJECT}, c.id, c.number::text as since, coalesce(c.request->>'transition', c.kind) as what,
       extract(epoch from clock_timestamp() - c.received_at)::int as seconds
     from commands c join shipments s on s.id = c.shipment_id
     where c.status = '${status}' and c.received_at < clock_timestamp() - make_interval(secs => $1)
       and c.number > case $2 when '-infinity' then 0 else $2::bigint end
     order by c.number limit ${PAGE_ROWS}`,
    [olderThanSeconds, after.since],
  );
}

/** One page of events that wait to be sent for longer than so many seconds. */
export function overdueEvents(
  database: Database,
  olderThanSeconds: number,
  after: PageAfter,
): Promise<OverdueEvent[]> {
  return select(
    database,
    `select e.shipment_id as "shipmentId", e.organization_id as "organizationId", s.tracking_number as "trackingNumber",
       s.priority, e.id, e.id as "eventId", e.round, e.created_at::text as since, coalesce(e.task_status, 'test event') as what,
       extract(epoch from clock_timestamp() - e.created_at)::int as seconds
     from webhook_events e left join shipments s on s.id = e.shipment_id
     where e.status = 'pending' and e.created_at < clock_timestamp() - make_interval(secs => $1)
       and (e.created_at, e.id) > ($2::timestamptz, $3::uuid)
     order by e.created_at, e.id limit ${PAGE_ROWS}`,
    [olderThanSeconds, after.since, after.id],
  );
}

/** One page of accepted external requests that have had no shipment for longer than so many seconds. */
export function overdueRequests(
  database: Database,
  olderThanSeconds: number,
  after: PageAfter,
): Promise<OverdueRow[]> {
  return select(
    database,
    `select i.id as "shipmentId", i.organization_id as "organizationId", i.tracking_number as "trackingNumber",
       i.request->>'priority' as priority, i.id, i.received_at::text as since, i.tracking_number as what,
       extract(epoch from clock_timestamp() - i.received_at)::int as seconds
     from external_intakes i
     where i.status = 'processing' and i.received_at < clock_timestamp() - make_interval(secs => $1)
       and (i.received_at, i.id) > ($2::timestamptz, $3::uuid)
     order by i.received_at, i.id limit ${PAGE_ROWS}`,
    [olderThanSeconds, after.since, after.id],
  );
}

/** One page of shipments whose deadline passed longer ago than so many seconds without being recorded. */
export function overdueDeadlines(
  database: Database,
  olderThanSeconds: number,
  after: PageAfter,
): Promise<OverdueRow[]> {
  const open = `('pending', 'pickup_in_progress', 'picked_up', 'in_transit')`;
  return select(
    database,
    `select ${SUBJECT}, s.id, s.delivery_deadline::text as since, s.status as what,
       extract(epoch from clock_timestamp() - s.delivery_deadline)::int as seconds
     from shipments s
     where s.deadline_missed_at is null and s.status in ${open}
       and s.delivery_deadline < clock_timestamp() - make_interval(secs => $1)
       and (s.delivery_deadline, s.id) > ($2::timestamptz, $3::uuid)
     order by s.delivery_deadline, s.id limit ${PAGE_ROWS}`,
    [olderThanSeconds, after.since, after.id],
  );
}
