import { DEADLINE_GRACE_SECONDS } from '../domain/deadline.ts';
import type { OrganizationId, ShipmentId, WebhookEventId } from '../domain/ids.ts';
import type { Database } from './connection.ts';
import { select } from './connection.ts';

/** A shipment whose workflow has to be started or signalled. */
export interface StaleShipment {
  readonly shipmentId: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly priority: string;
}

/** A shipment with commands that wait for a decision, and how many. */
export interface UndecidedShipment extends StaleShipment {
  readonly waitingCommands: number;
}

/** A shipment whose deadline has passed, and that deadline. */
export interface MissedDeadline {
  readonly shipmentId: ShipmentId;
  readonly due: Date;
}

/** A webhook event that is still pending. A test event has no shipment. */
export interface PendingEvent {
  readonly eventId: WebhookEventId;
  readonly organizationId: OrganizationId;
  readonly shipment: StaleShipment | null;
  readonly round: number;
}

/** How much one claim takes: `perOrganization` of each organization that has due rows, `total` in all. */
export interface ClaimSize {
  readonly perOrganization: number;
  readonly total: number;
}

const DEADLINE_GRACE = `interval '${DEADLINE_GRACE_SECONDS} seconds'`;

/**
 * A claim makes a row due again after a back-off that doubles up to 10 minutes, with a jitter of a quarter, so that a row
 * that always fails costs little and no two processes act on the same row.
 */
function backOff(firstSeconds: number): string {
  return `reconcile_tries = r.reconcile_tries + 1,
  reconcile_after = statement_timestamp()
    + least(interval '${firstSeconds} seconds' * power(2, least(r.reconcile_tries, 7)), interval '10 minutes') * (0.75 + random() / 2)`;
}

const BACK_OFF = backOff(5);
/** Thousands of events may wait in the slow lane of a receiver that does not answer (decision 0016). */
const EVENT_BACK_OFF = backOff(60);

/**
 * Selects ids of due rows, a few of each organization that has any, the longest due first. Both steps read the index
 * `(organization_id, due)` of the rows that match `condition`: the first jumps from organization to organization.
 * $1 is the number per organization, $2 the number in all.
 */
function dueRows(source: {
  readonly table: string;
  readonly condition: string;
  /** The indexed moment, and what it must not exceed. */
  readonly due: string;
  readonly until: string;
}): string {
  const { table, condition, due, until } = source;
  return `
with recursive due_organizations (organization_id) as (
  (select organization_id from ${table} where ${condition} order by organization_id limit 1)
  union all
  select (select n.organization_id from ${table} n where ${condition} and n.organization_id > d.organization_id
    order by n.organization_id limit 1)
  from due_organizations d where d.organization_id is not null
), due as (
  select row.* from due_organizations d cross join lateral (
    select id from ${table} where organization_id = d.organization_id and ${condition} and ${due} <= ${until}
    order by organization_id, ${due} limit $1::int for update skip locked) row
  where d.organization_id is not null limit $2::int
)`;
}

const NOW = 'statement_timestamp()';

/** The statements of the reconciler; each claims what it returns. Exported so that a test reads their plans. */
export const CLAIM_SQL = {
  commands: `${dueRows({ table: 'commands', condition: `status = 'received'`, due: 'reconcile_after', until: NOW })},
    claimed as (update commands r set ${BACK_OFF} from due where r.id = due.id returning r.shipment_id)
    select s.id as "shipmentId", s.organization_id as "organizationId", s.tracking_number as "trackingNumber", s.priority,
      (select count(*)::int from commands w where w.shipment_id = s.id and w.status = 'received') as "waitingCommands"
    from (select distinct shipment_id from claimed) c join shipments s on s.id = c.shipment_id`,

  requests: `${dueRows({ table: 'external_intakes', condition: `status = 'processing'`, due: 'reconcile_after', until: NOW })}
    update external_intakes r set ${BACK_OFF} from due where r.id = due.id
    returning r.id as "shipmentId", r.organization_id as "organizationId", r.tracking_number as "trackingNumber",
      coalesce(r.request->>'priority', 'normal') as priority`,

  unstarted: `${dueRows({ table: 'shipments', condition: 'workflow_started_at is null', due: 'reconcile_after', until: NOW })}
    update shipments r set ${BACK_OFF} from due where r.id = due.id
    returning r.id as "shipmentId", r.organization_id as "organizationId", r.tracking_number as "trackingNumber", r.priority`,

  deadlines: `${dueRows({
    table: 'shipments',
    condition: `deadline_missed_at is null and status in ('pending', 'pickup_in_progress', 'picked_up', 'in_transit')`,
    due: 'greatest(reconcile_after, delivery_deadline)',
    until: `${NOW} - ${DEADLINE_GRACE}`,
  })}
    update shipments r set ${BACK_OFF} from due where r.id = due.id
    returning r.id as "shipmentId", r.delivery_deadline as due`,

  events: `${dueRows({ table: 'webhook_events', condition: `status = 'pending'`, due: 'reconcile_after', until: NOW })},
    claimed as (update webhook_events r set ${EVENT_BACK_OFF} from due where r.id = due.id
      returning r.id, r.organization_id, r.shipment_id, r.round)
    select c.id as "eventId", c.organization_id as "organizationId", c.round, case when s.id is not null then jsonb_build_object(
      'shipmentId', s.id, 'organizationId', s.organization_id, 'trackingNumber', s.tracking_number, 'priority', s.priority) end as shipment
    from claimed c left join shipments s on s.id = c.shipment_id`,
} as const;

/** Claims shipments with commands that wait for a decision. */
export function claimStaleCommands(database: Database, size: ClaimSize): Promise<UndecidedShipment[]> {
  return claim(database, CLAIM_SQL.commands, size);
}

/** Claims external requests without a shipment. */
export function claimStaleRequests(database: Database, size: ClaimSize): Promise<StaleShipment[]> {
  return claim(database, CLAIM_SQL.requests, size);
}

/** Claims shipments that no workflow has loaded. */
export function claimUnstartedShipments(database: Database, size: ClaimSize): Promise<StaleShipment[]> {
  return claim(database, CLAIM_SQL.unstarted, size);
}

/** Claims shipments whose missed deadline was not recorded, each with that deadline. */
export function claimMissedDeadlines(database: Database, size: ClaimSize): Promise<MissedDeadline[]> {
  return claim(database, CLAIM_SQL.deadlines, size);
}

/** Claims pending webhook events: of a shipment's workflow (round 0), or of a workflow of their own. */
export function claimPendingEvents(database: Database, size: ClaimSize): Promise<PendingEvent[]> {
  return claim(database, CLAIM_SQL.events, size);
}

function claim<Row extends object>(
  database: Database,
  sql: string,
  { perOrganization, total }: ClaimSize,
): Promise<Row[]> {
  return select<Row>(database, sql, [perOrganization, total]);
}
