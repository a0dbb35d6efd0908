import type { Command } from '../../domain/command.ts';
import { MAX_COMMAND_TRIES } from '../../domain/command.ts';
import type { CommandId, ShipmentId, UserId, WebhookEventId } from '../../domain/ids.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { restoredTrace } from '../../platform/tracing/trace-context.ts';
import type { Database, Executor } from '../connection.ts';
import { selectOne, sqlStateOf } from '../connection.ts';
import { prepared } from '../prepared.ts';

/** The oldest waiting command of a locked shipment, with its sender as the sender is now. */
export interface WaitingCommand extends Command {
  readonly id: CommandId;
  readonly actorId: UserId | null;
  /** What its decision belongs to. */
  readonly trace: TraceContext | null;
  /** How long it had waited when it was locked. */
  readonly waitedSeconds: number;
  /** Whether more commands wait behind this one. */
  readonly hasNext: boolean;
  /** The shipment's events that are still to be sent for the first time, in order. */
  readonly pendingEventIds: readonly WebhookEventId[];
}

/**
 * Locks the oldest waiting command of a shipment, by its acceptance number; undefined when none waits. The caller holds the
 * shipment's lock, so no other transaction decides a command of the same shipment.
 */
export async function lockNextCommand(
  transaction: Executor,
  shipmentId: ShipmentId,
): Promise<WaitingCommand | undefined> {
  const row = await selectOne<Omit<WaitingCommand, 'trace'> & { traceContext: string | null }>(
    transaction,
    NEXT_SQL,
    [shipmentId],
  );
  if (row === undefined) return undefined;
  const { traceContext, ...command } = row;
  return { ...command, trace: restoredTrace(traceContext) };
}

const NEXT_SQL = prepared(`
select c.id, c.kind, c.task_id as "taskId", c.request, c.actor_id as "actorId", c.trace_context as "traceContext",
  extract(epoch from clock_timestamp() - c.received_at)::float8 as "waitedSeconds",
  case when c.actor_id is not null then jsonb_build_object('role', u.role,
    'isEnabled', coalesce(u.is_active and u.deleted_at is null, false),
    'driverId', (select d.id from drivers d where d.user_id = u.id and d.deleted_at is null)) end as actor,
  exists (select from commands n where n.shipment_id = c.shipment_id and n.status = 'received' and n.number > c.number) as "hasNext",
  array(select e.id from webhook_events e where e.shipment_id = c.shipment_id and e.status = 'pending' and e.round = 0
    order by e.sequence) as "pendingEventIds"
from commands c left join users u on u.id = c.actor_id
where c.shipment_id = $1 and c.status = 'received' order by c.number limit 1 for no key update of c`);

/**
 * Counts a try of a command that threw for a reason of its own. After MAX_COMMAND_TRIES the command is set aside as
 * `failed`, so that the commands behind it are decided. Resolves to whether it was set aside. The reason is for the
 * operator: an error's name, SQLSTATE and message, at most 500 characters; it never leaves the database.
 */
export async function recordFailedTry(database: Database, id: CommandId, error: unknown): Promise<boolean> {
  const row = await selectOne<{ isSetAside: boolean }>(
    database,
    `update commands set tries = tries + 1, failure = $2,
       status = case when tries + 1 >= ${MAX_COMMAND_TRIES} then 'failed' else status end,
       decided_at = case when tries + 1 >= ${MAX_COMMAND_TRIES} then clock_timestamp() end
     where id = $1 and status = 'received' returning status = 'failed' as "isSetAside"`,
    [id, reasonOf(error)],
  );
  return row?.isSetAside ?? false;
}

function reasonOf(error: unknown): string {
  const state = sqlStateOf(error);
  const text = error instanceof Error ? `${error.name}: ${error.message}` : 'not an Error';
  return `${state === undefined ? '' : `${state} `}${text}`.replaceAll('\u0000', '').slice(0, 500);
}
