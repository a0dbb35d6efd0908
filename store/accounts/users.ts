import type { SessionId, UserId } from '../../domain/ids.ts';
import type { Executor } from '../connection.ts';
import { execute, inTransaction, select } from '../connection.ts';
import type { UserFields, UserRow, UserWrite } from '../models/models.ts';
import { tenantRecords } from '../tenant-records.ts';
import type { Tenant } from '../tenant.ts';
import { tenant } from '../tenant.ts';

/** The users of an organization. */
export const users = tenantRecords<'user', UserFields, UserWrite>((models) => models.users);

/** What became of a change: written, made on an older version, or refused because nobody could manage users after it. */
export type UserChange = 'written' | 'stale' | 'last_admin';

/** Edits a user. A new password or disabling it ends all its sessions in the same transaction (interpretation 37). */
export function editUser(
  database: Executor,
  { organizationId }: Tenant,
  row: UserRow,
  write: UserWrite,
): Promise<UserChange> {
  return inTransaction(database, async (transaction) => {
    const scope = tenant(transaction, organizationId);
    const staysAdmin = (write.role ?? row.role) === 'ROLE_ORG_ADMIN' && (write.isActive ?? row.isActive);
    if (!staysAdmin && (await isLastAdmin(scope, row.id))) return 'last_admin';
    if (!(await users.update(scope, row.id, row.version, write))) return 'stale';
    if (write.passwordHash !== undefined) await revokeSessions(scope, row.id, 'the password was changed');
    if (write.isActive === false) await revokeSessions(scope, row.id, 'the user was disabled');
    return 'written';
  });
}

/**
 * Replaces a user's password where the stored hash is still the known one, and ends all its sessions but the one that
 * asks (interpretation 37). Resolves to false where the password has changed.
 */
export function changeOwnPassword(
  database: Executor,
  { organizationId }: Tenant,
  change: {
    readonly userId: UserId;
    readonly keptSessionId: SessionId;
    readonly knownHash: string;
    readonly passwordHash: string;
  },
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const changed = await select(
      transaction,
      `update users set password_hash = $4, version = version + 1, updated_at = clock_timestamp()
       where id = $1 and organization_id = $2 and password_hash = $3 returning id`,
      [change.userId, organizationId, change.knownHash, change.passwordHash],
    );
    if (changed.length === 0) return false;
    const scope = tenant(transaction, organizationId);
    await revokeSessions(scope, change.userId, 'the password was changed', change.keptSessionId);
    return true;
  });
}

/** Deletes a user softly: it can sign in no more, its sessions end, and its driver stands without it. */
export function removeUser(
  database: Executor,
  { organizationId }: Tenant,
  id: UserId,
  version: number | null,
): Promise<UserChange> {
  return inTransaction(database, async (transaction) => {
    const scope = tenant(transaction, organizationId);
    if (await isLastAdmin(scope, id)) return 'last_admin';
    if (!(await users.remove(scope, id, version))) return 'stale';
    await execute(transaction, 'update users set is_active = false where id = $1 and organization_id = $2', [
      id,
      organizationId,
    ]);
    await execute(
      transaction,
      `update drivers set user_id = null, version = version + 1, updated_at = clock_timestamp()
       where user_id = $1 and organization_id = $2`,
      [id, organizationId],
    );
    await revokeSessions(scope, id, 'the user was deleted');
    return 'written';
  });
}

/** Whether a user is the only active admin; the admins stay locked, so that two cannot leave at the same moment. */
async function isLastAdmin({ executor, organizationId }: Tenant, id: UserId): Promise<boolean> {
  const admins = await select<{ id: UserId }>(
    executor,
    `select id from users where organization_id = $1 and role = 'ROLE_ORG_ADMIN' and is_active and deleted_at is null
     order by id for no key update`,
    [organizationId],
  );
  return admins.length === 1 && admins[0]?.id === id;
}

function revokeSessions(
  { executor, organizationId }: Tenant,
  id: UserId,
  because: string,
  kept: SessionId | null = null,
): Promise<void> {
  return execute(
    executor,
    `update sessions set revoked_at = clock_timestamp(), revoked_because = $3 where revoked_at is null
       and user_id in (select id from users where id = $1 and organization_id = $2) and id is distinct from $4`,
    [id, organizationId, because, kept],
  );
}
