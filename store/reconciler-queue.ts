import { DEADLINE_GRACE_SECONDS } from '../domain/deadline.ts';
import type { OrganizationId, ShipmentId, WebhookEventId } from '../domain/ids.ts';
import type { WorkflowSubject } from '../domain/shipment.ts';
import { columns } from './columns.ts';
import type { Database } from './connection.ts';
import { select } from './connection.ts';

/** A shipment whose deadline has passed, and that deadline. */
interface MissedDeadline {
  readonly shipmentId: ShipmentId;
  readonly due: Date;
}

/** A webhook event that is still pending. A test event has no shipment. */
export interface PendingEvent {
  readonly eventId: WebhookEventId;
  readonly organizationId: OrganizationId;
  readonly shipment: WorkflowSubject | null;
  readonly round: number;
}

/** What the reconciler finds, by its kind. */
export interface StaleRows {
  /** Shipments with commands that wait for a decision, and how many. */
  readonly commands: WorkflowSubject & { readonly waitingCommands: number };
  /** External requests without a shipment. */
  readonly requests: WorkflowSubject;
  /** Shipments for which no workflow has started. */
  readonly shipments: WorkflowSubject;
  readonly deadlines: MissedDeadline;
  /** Pending webhook events: of a shipment's workflow (round 0), or of a workflow of their own. */
  readonly events: PendingEvent;
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

const SUBJECT = 'id, organization_id, tracking_number, priority';

/** The statements of the reconciler; each claims what it returns. Exported so that a test reads their plans. */
export const CLAIM_SQL: Readonly<Record<keyof StaleRows, string>> = {
  commands: `${dueRows({ table: 'commands', condition: `status = 'received'`, due: 'reconcile_after', until: NOW })},
    claimed as (update commands r set ${BACK_OFF} from due where r.id = due.id returning r.shipment_id)
    select ${columns('s', SUBJECT)},
      (select count(*)::int from commands w where w.shipment_id = s.id and w.status = 'received') as "waitingCommands"
    from (select distinct shipment_id from claimed) c join shipments s on s.id = c.shipment_id`,

  requests: `${dueRows({ table: 'external_intakes', condition: `status = 'processing'`, due: 'reconcile_after', until: NOW })}
    update external_intakes r set ${BACK_OFF} from due where r.id = due.id
    returning ${columns('r', 'id, organization_id, tracking_number')}, coalesce(r.request->>'priority', 'normal') as priority`,

  shipments: `${dueRows({ table: 'shipments', condition: 'workflow_started_at is null', due: 'reconcile_after', until: NOW })}
    update shipments r set ${BACK_OFF} from due where r.id = due.id returning ${columns('r', SUBJECT)}`,

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
      'id', s.id, 'organizationId', s.organization_id, 'trackingNumber', s.tracking_number, 'priority', s.priority) end as shipment
    from claimed c left join shipments s on s.id = c.shipment_id`,
};

/** Claims due rows of a kind. */
export function claimStale<Kind extends keyof StaleRows>(
  database: Database,
  kind: Kind,
  { perOrganization, total }: ClaimSize,
): Promise<StaleRows[Kind][]> {
  return select<StaleRows[Kind]>(database, CLAIM_SQL[kind], [perOrganization, total]);
}
