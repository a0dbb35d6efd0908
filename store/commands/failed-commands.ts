import type { CommandId } from '../../domain/ids.ts';
import { say } from '../../domain/messages.ts';
import type { Problem } from '../../domain/problem.ts';
import { stated } from '../../domain/problem.ts';
import { columns } from '../columns.ts';
import type { Database } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import type { CommandRecord } from './commands.ts';

/** A command that was set aside, for the operator. */
interface FailedCommand extends Pick<CommandRecord, 'id' | 'organizationId' | 'shipmentId' | 'kind'> {
  /** Why its last try failed. */
  readonly failure: string;
  readonly failedAt: Date;
}

const DISMISSAL: Problem = {
  kind: 'conflict',
  ...stated(say('command_dismissed')),
};

/** Lists failed commands of all organizations in the order of their acceptance, at most `limit`. */
export function findFailedCommands(database: Database, limit: number): Promise<FailedCommand[]> {
  return select<FailedCommand>(
    database,
    `select ${columns('c', 'id, organization_id, shipment_id, kind')}, coalesce(c.failure, '') as failure,
       c.decided_at as "failedAt" from commands c where c.status = 'failed' order by c.number limit $1`,
    [limit],
  );
}

/**
 * Accepts a failed command again: it takes a new acceptance number, behind what its shipment has accepted meanwhile, and
 * the reconciler signals its workflow. Resolves to whether there is such a failed command.
 */
export function retryFailedCommand(database: Database, id: CommandId): Promise<boolean> {
  return settle(
    database,
    id,
    `update commands set status = 'received', number = default, tries = 0, failure = null, decided_at = null,
       reconcile_after = statement_timestamp(), reconcile_tries = 0 where id = $1`,
    [],
  );
}

/** Rejects a failed command for good. Resolves to whether there is such a failed command. */
export function dismissFailedCommand(database: Database, id: CommandId): Promise<boolean> {
  return settle(
    database,
    id,
    `update commands set status = 'rejected', problem = $2::jsonb, decided_at = clock_timestamp() where id = $1`,
    [JSON.stringify(DISMISSAL)],
  );
}

/** Changes a failed command under its shipment's lock, which the acceptance numbers of a shipment need. */
function settle(
  database: Database,
  id: CommandId,
  sql: string,
  values: readonly unknown[],
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await execute(
      transaction,
      'select from shipments where id = (select shipment_id from commands where id = $1) for no key update',
      [id],
    );
    const found = await selectOne(
      transaction,
      `select from commands where id = $1 and status = 'failed' for no key update`,
      [id],
    );
    if (found === undefined) return false;
    await execute(transaction, sql, [id, ...values]);
    return true;
  });
}
