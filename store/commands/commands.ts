import type {
  CommandKind,
  CommandOutcome,
  CommandRequest,
  CommandResult,
  CommandStatus,
} from '../../domain/command.ts';
import type { CommandId, OrganizationId, ShipmentId, TaskId, UserId } from '../../domain/ids.ts';
import type { Problem } from '../../domain/problem.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { storedTrace } from '../../platform/tracing/trace-context.ts';
import { columns } from '../columns.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';

/** What a command is about, and who sent it. */
interface CommandSubject {
  readonly id: CommandId;
  readonly organizationId: OrganizationId;
  readonly shipmentId: ShipmentId;
  readonly taskId: TaskId | null;
  readonly actorId: UserId | null;
  readonly kind: CommandKind;
}

/** A command to be stored. */
interface NewCommand extends CommandSubject {
  readonly request: CommandRequest;
  /** What its decision belongs to (decision 0044). */
  readonly trace: TraceContext | null;
}

/** A command as it stands. */
export interface CommandRecord extends CommandSubject {
  readonly status: CommandStatus;
  readonly problem: Problem | null;
  readonly result: CommandResult | null;
  readonly receivedAt: Date;
  readonly decidedAt: Date | null;
}

/**
 * Stores a command: from here on it is accepted, and it will be applied or rejected, once, in the order of acceptance
 * (decision 0013). The shipment's lock makes the acceptance numbers of one shipment grow with their commits, and makes the
 * count exact. The same id again changes nothing. Resolves to the status that the command then has, or to `backlog_full`,
 * with nothing stored, where the shipment has `maxUndecided` commands that wait for their decision.
 */
export function storeCommand(
  database: Database,
  command: NewCommand,
  maxUndecided: number,
): Promise<CommandStatus | 'backlog_full'> {
  return inTransaction(database, async (transaction) => {
    await execute(transaction, prepared('select from shipments where id = $1 for no key update'), [
      command.shipmentId,
    ]);
    const row = await selectOne<{ status: CommandStatus }>(transaction, STORE_SQL, [
      command.id,
      command.organizationId,
      command.shipmentId,
      command.taskId,
      command.kind,
      command.actorId,
      JSON.stringify(command.request),
      maxUndecided,
      storedTrace(command.trace),
    ]);
    return row?.status ?? 'backlog_full';
  });
}

const STORE_SQL = prepared(`
with stored as (
  insert into commands (id, organization_id, shipment_id, task_id, kind, actor_id, request, trace_context)
  select $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::text, $6::uuid, $7::jsonb, $9::text
  where (select count(*) from commands where shipment_id = $3::uuid and status = 'received') < $8::int
  on conflict (id) do nothing returning status
)
select status from stored union all select status from commands where id = $1::uuid`);

/** Reads a command of any organization; the caller checks the tenant. */
export function findCommand(database: Executor, id: CommandId): Promise<CommandRecord | undefined> {
  return selectOne<CommandRecord>(database, FIND_SQL, [id]);
}

const COMMAND_COLUMNS =
  'id, organization_id, shipment_id, task_id, actor_id, kind, status, problem, result, received_at, decided_at';

const FIND_SQL = prepared(`select ${columns('c', COMMAND_COLUMNS)} from commands c where c.id = $1`);

/** Those of these commands that have an outcome, with the outcome. */
export function decidedAmong(
  database: Database,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly status: CommandOutcome }[]> {
  return select(
    database,
    `select id, status from commands where id = any($1::uuid[]) and status <> 'received'`,
    [ids],
  );
}
