import type { CommandId, OrganizationId, ShipmentId, TaskId, UserId } from '../domain/ids.ts';
import type { Problem } from '../domain/problem.ts';
import type { Database } from './connection.ts';
import { select, selectOne } from './connection.ts';
import type { CommandKind, CommandRequest } from './locked-shipment.ts';
import { prepared } from './prepared.ts';

/** A command as it stands. */
export interface CommandRecord {
  readonly id: CommandId;
  readonly organizationId: OrganizationId;
  readonly shipmentId: ShipmentId;
  readonly taskId: TaskId | null;
  readonly actorId: UserId | null;
  readonly kind: CommandKind;
  readonly status: 'received' | 'applied' | 'refused';
  readonly problem: Problem | null;
  readonly receivedAt: Date;
  readonly decidedAt: Date | null;
}

/**
 * Stores a command: from here on it is accepted, and will be applied or refused, once (design, «Flow of a write» 2).
 * The same id again changes nothing. Resolves to the status that the command then has.
 */
export async function storeCommand(
  database: Database,
  command: {
    readonly id: CommandId;
    readonly organizationId: OrganizationId;
    readonly shipmentId: ShipmentId;
    readonly taskId: TaskId | null;
    readonly kind: CommandKind;
    readonly actorId: UserId | null;
    readonly request: CommandRequest;
  },
): Promise<'received' | 'applied' | 'refused'> {
  const row = await selectOne<{ status: 'received' | 'applied' | 'refused' }>(
    database,
    prepared(`insert into commands (id, organization_id, shipment_id, task_id, kind, actor_id, request)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb)
     on conflict (id) do update set id = excluded.id returning status`),
    [
      command.id,
      command.organizationId,
      command.shipmentId,
      command.taskId,
      command.kind,
      command.actorId,
      JSON.stringify(command.request),
    ],
  );
  if (row === undefined) throw new Error('a command was not stored');
  return row.status;
}

/** Reads a command of whatever organization; the caller checks whose it is. */
export function findCommand(database: Database, id: CommandId): Promise<CommandRecord | undefined> {
  return selectOne<CommandRecord>(
    database,
    prepared(`select id, organization_id as "organizationId", shipment_id as "shipmentId", task_id as "taskId",
       actor_id as "actorId", kind, status, problem, received_at as "receivedAt", decided_at as "decidedAt"
     from commands where id = $1`),
    [id],
  );
}

/** Those of these commands that have been decided, with what they came to. */
export function decidedAmong(
  database: Database,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly status: 'applied' | 'refused' }[]> {
  return select(
    database,
    `select id, status from commands where id = any($1::uuid[]) and status <> 'received'`,
    [ids],
  );
}
