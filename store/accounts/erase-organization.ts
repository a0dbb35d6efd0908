import type { OrganizationId, ShipmentId, WebhookEventId } from '../../domain/ids.ts';
import { TERMINAL_SHIPMENT_STATUSES } from '../../domain/shipment-status.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';

/** An organization that is to be erased. */
export interface ErasableOrganization {
  readonly name: string;
  readonly isSuspended: boolean;
  readonly startedAt: Date | null;
}

/** Reads an organization; undefined where there is none (any more). */
export function findErasableAcrossTenants(
  executor: Executor,
  id: OrganizationId,
): Promise<ErasableOrganization | undefined> {
  return selectOne(
    executor,
    `select name, suspended_at is not null as "isSuspended", erasure_started_at as "startedAt" from organizations
     where id = $1 for no key update`,
    [id],
  );
}

/** Marks that the erasure has begun: the organization is not resumed any more. */
export function markErasureAcrossTenants(executor: Executor, id: OrganizationId): Promise<void> {
  return execute(
    executor,
    'update organizations set erasure_started_at = coalesce(erasure_started_at, clock_timestamp()) where id = $1',
    [id],
  );
}

/**
 * Indexes for the checks of references while rows are deleted. They are there during an erasure alone, since nothing else reads by
 * them and each write of a command would pay for them.
 */
const INDEXES = {
  erasure_commands: 'commands (shipment_id)',
  erasure_entries: 'timeline_entries (task_id)',
  erasure_entry_drivers: 'timeline_entries (driver_id)',
  erasure_tasks: 'tasks (previous_id) where previous_id is not null',
} as const;

/** Builds the indexes without stopping writes. An unfinished one of an earlier try is built again. */
export async function buildErasureIndexes(database: Database): Promise<void> {
  await dropErasureIndexes(database);
  for (const [name, columns] of Object.entries(INDEXES)) {
    await execute(database, `create index concurrently ${name} on ${columns}`);
  }
}

export async function dropErasureIndexes(database: Database): Promise<void> {
  for (const name of Object.keys(INDEXES)) {
    await execute(database, `drop index concurrently if exists ${name}`);
  }
}

/** Workflows that may still run, by what they are about. */
export interface RunningSubjects {
  readonly shipmentIds: readonly ShipmentId[];
  readonly deliveries: readonly { readonly eventId: WebhookEventId; readonly round: number }[];
}

const BATCH_SHIPMENTS = 200;
const BATCH_ROWS = 5_000;

/** The next shipments, and accepted requests for some, of an organization; those of them that may have a running workflow apart. */
export async function nextShipments(
  database: Database,
  id: OrganizationId,
): Promise<{ readonly ids: readonly ShipmentId[] } & RunningSubjects> {
  const rows = await select<{ id: ShipmentId; mayRun: boolean }>(database, NEXT_SQL, [
    id,
    [...TERMINAL_SHIPMENT_STATUSES],
  ]);
  const ids = rows.map((row) => row.id);
  return {
    ids,
    shipmentIds: rows.flatMap((row) => (row.mayRun ? [row.id] : [])),
    deliveries: await select(
      database,
      `select id as "eventId", round from webhook_events where organization_id = $1 and status = 'pending'
         and (shipment_id is null or (shipment_id = any($2::uuid[]) and round > 0))`,
      [id, ids],
    ),
  };
}

const NEXT_SQL = `
select s.id, (s.deleted_at is null and s.status <> all ($2::text[]))
    or exists (select from webhook_events e where e.shipment_id = s.id and e.status = 'pending')
    or exists (select from commands c where c.shipment_id = s.id and c.status = 'received') as "mayRun"
from (select id, status, deleted_at from shipments where organization_id = $1 limit ${BATCH_SHIPMENTS}) s
union
select i.id, i.status = 'processing' from (
  select id, status from external_intakes where organization_id = $1
    and not exists (select from shipments s where s.id = external_intakes.id) limit ${BATCH_SHIPMENTS}) i`;

const OF_SHIPMENTS = 't.shipment_id = any ($1::uuid[])';
/** What belongs to a shipment, and the shipment: in the order in which rows may go. */
const SHIPMENT_TABLES = {
  webhook_attempts: `t.webhook_event_id in (select e.id from webhook_events e where e.shipment_id = any ($1::uuid[]))`,
  webhook_events: OF_SHIPMENTS,
  commands: OF_SHIPMENTS,
  timeline_entries: OF_SHIPMENTS,
  tasks: OF_SHIPMENTS,
} as const;

/** Deletes these shipments of an organization with all that belongs to them, in one transaction. */
export function deleteShipments(database: Database, ids: readonly ShipmentId[]): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await execute(transaction, 'select from shipments where id = any ($1::uuid[]) order by id for update', [
      [...ids],
    ]);
    for (const [table, where] of Object.entries(SHIPMENT_TABLES)) {
      await execute(transaction, `delete from ${table} t where ${where}`, [[...ids]]);
    }
    const numbers = await select<{ number: string }>(
      transaction,
      `with gone as (delete from external_intakes where id = any ($1::uuid[]) returning tracking_number),
       shipped as (delete from shipments where id = any ($1::uuid[]) returning tracking_number)
       select tracking_number as number from gone union select tracking_number from shipped`,
      [[...ids]],
    );
    await execute(transaction, 'delete from tracking_numbers where tracking_number = any ($1::text[])', [
      numbers.map(({ number }) => number),
    ]);
  });
}

const OWN = 't.organization_id = $1';
const OF_USERS = `t.user_id in (select u.id from users u where u.organization_id = $1)`;
/** The other tables of an organization, in the order in which rows may go. */
const ORGANIZATION_TABLES = {
  webhook_attempts: `t.webhook_event_id in (select e.id from webhook_events e where e.organization_id = $1)`,
  webhook_events: OWN,
  webhook_replays: OWN,
  webhook_endpoints: OWN,
  failed_imports: OWN,
  imports: OWN,
  remembered_places: OWN,
  idempotency_keys: OWN,
  driver_positions: OWN,
  delivery_runs: OWN,
  drivers: OWN,
  zones: OWN,
  pickup_points: OWN,
  rate_windows: `t.subject = 'external:' || $1::uuid or exists (select from users u where u.organization_id = $1
    and (t.subject like 'login-%:' || u.id or t.subject like 'login:%' and right(t.subject, length(u.email) + 1) = ' ' || u.email))`,
  request_budgets: `t.subject like '%:organization:' || $1::uuid or exists (select from users u where u.organization_id = $1
    and t.subject like '%:user:' || u.id)`,
  refresh_tokens: `t.session_id in (select s.id from sessions s join users u on u.id = s.user_id where u.organization_id = $1)`,
  sessions: OF_USERS,
  // Its recovery codes go with it.
  second_factors: OWN,
  users: OWN,
  merchants: OWN,
  changes: OWN,
  change_caps: OWN,
  // The log is append-only for its first 90 days; the reconciler removes the rest when it may (store/retention.ts).
  audit_events: `${OWN} and t.created_at < statement_timestamp() - interval '91 days'`,
  shipment_total_changes: OWN,
  shipment_totals: OWN,
} as const;

/** Every table that an erasure of an organization empties of its rows. */
export const ERASED_TABLES: readonly string[] = [
  ...Object.keys(SHIPMENT_TABLES),
  ...['external_intakes', 'shipments', 'tracking_numbers', 'organizations'],
  ...Object.keys(ORGANIZATION_TABLES),
];

/** Deletes what an organization has besides its shipments, in batches, each a transaction. */
export async function deleteRows(database: Database, id: OrganizationId): Promise<void> {
  for (const [table, where] of Object.entries(ORGANIZATION_TABLES)) {
    let deleted: readonly object[];
    do {
      deleted = await select(
        database,
        `delete from ${table} t where t.ctid = any (array(select t.ctid from ${table} t where ${where} limit ${BATCH_ROWS}))
         returning 1 as one`,
        [id],
      );
    } while (deleted.length === BATCH_ROWS);
  }
}

/** Deletes the organization itself, and what came to it meanwhile. */
export async function deleteOrganization(transaction: Executor, id: OrganizationId): Promise<void> {
  await execute(transaction, 'select from organizations where id = $1 for update', [id]);
  for (const table of ['shipment_total_changes', 'shipment_totals']) {
    await execute(transaction, `delete from ${table} where organization_id = $1`, [id]);
  }
  await execute(transaction, 'delete from organizations where id = $1', [id]);
}
