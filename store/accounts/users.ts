import type { OrganizationId, SessionId, UserId } from '../../domain/ids.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import type { Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import type { UserFields, UserRow, UserWrite } from '../models/models.ts';
import { newId } from '../new-id.ts';
import { tenantRecords } from '../tenant-records.ts';
import { removeSecondFactor } from './second-factors.ts';
import type { Tenant } from '../tenant.ts';
import { inTenantTransaction, tenant } from '../tenant.ts';

/** The users of an organization. */
export const users = tenantRecords<'user', UserFields, UserWrite>((models) => models.users);

/** What a user is made of. */
type NewUser = Required<Omit<UserWrite, 'isActive'>> & { readonly organizationId: OrganizationId };

/** Makes a user. Throws a unique-index error (`users_email`) when the address is taken. */
export async function createUser(executor: Executor, { organizationId, ...user }: NewUser): Promise<UserId> {
  const id = newId<'user'>();
  await users.insert(tenant(executor, organizationId), id, { ...user, email: user.email.toLowerCase() });
  return id;
}

/**
 * Edits a user; false when it was changed meanwhile. A new password or disabling it ends all its sessions in the same
 * transaction (interpretation 37). Throws a ProblemError where no active admin would be left.
 */
export function editUser(tenant: Tenant, row: UserRow, write: UserWrite): Promise<boolean> {
  return inTenantTransaction(tenant, async (scope) => {
    const staysAdmin = (write.role ?? row.role) === 'ROLE_ORG_ADMIN' && (write.isActive ?? row.isActive);
    if (!staysAdmin) await requireAnotherAdmin(scope, row.id);
    if (!(await users.update(scope, row.id, row.version, write))) return false;
    if (write.passwordHash !== undefined) await revokeSessions(scope, row.id, 'the password was changed');
    if (write.isActive === false) await revokeSessions(scope, row.id, 'the user was disabled');
    return true;
  });
}

/**
 * Replaces a user's password where the stored hash is still the known one, and ends all its sessions but the one that
 * asks (interpretation 37). Resolves to false where the password has changed.
 */
export function changeOwnPassword(
  tenant: Tenant,
  change: {
    readonly userId: UserId;
    readonly keptSessionId: SessionId;
    readonly knownHash: string;
    readonly passwordHash: string;
  },
): Promise<boolean> {
  return inTenantTransaction(tenant, async (scope) => {
    const changed = await select(
      scope.executor,
      `update users set password_hash = $4, version = version + 1, updated_at = clock_timestamp()
       where id = $1 and organization_id = $2 and password_hash = $3 returning id`,
      [change.userId, scope.organizationId, change.knownHash, change.passwordHash],
    );
    if (changed.length === 0) return false;
    await revokeSessions(scope, change.userId, 'the password was changed', change.keptSessionId);
    return true;
  });
}

/**
 * Deletes a user softly, false when there was none of that version: it can sign in no more, its sessions end, and its
 * driver stands without it. Throws a ProblemError where no active admin would be left.
 */
export function removeUser(tenant: Tenant, id: UserId, version: number | null): Promise<boolean> {
  return inTenantTransaction(tenant, async (scope) => {
    const { executor, organizationId } = scope;
    await requireAnotherAdmin(scope, id);
    if (!(await users.remove(scope, id, version))) return false;
    await execute(executor, 'update users set is_active = false where id = $1 and organization_id = $2', [
      id,
      organizationId,
    ]);
    await execute(
      executor,
      `update drivers set user_id = null, version = version + 1, updated_at = clock_timestamp()
       where user_id = $1 and organization_id = $2`,
      [id, organizationId],
    );
    await removeSecondFactor(scope, id);
    await revokeSessions(scope, id, 'the user was deleted');
    return true;
  });
}

/**
 * Removes the second factor of a user of any organization, who has lost the phone, and ends its sessions, which the phone may have; by
 * e-mail address in any letter case. Resolves to undefined where no user has the address.
 */
export function resetFactorAcrossTenants(
  database: Executor,
  email: string,
): Promise<(Pick<UserAccessChange, 'id' | 'organizationId'> & { readonly hadFactor: boolean }) | undefined> {
  return inTransaction(database, async (transaction) => {
    const user = await selectOne<Pick<UserAccessChange, 'id' | 'organizationId'>>(
      transaction,
      `select id, organization_id as "organizationId" from users where email = lower($1) and deleted_at is null`,
      [email],
    );
    if (user === undefined) return undefined;
    const scope = tenant(transaction, user.organizationId);
    const hadFactor = await removeSecondFactor(scope, user.id);
    await revokeSessions(scope, user.id, 'the service operator reset the second factor');
    return { ...user, hadFactor };
  });
}

/** What the operator's change of a user came to. */
export interface UserAccessChange {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  readonly wasActive: boolean;
  /** Whether the organization has an active admin now. */
  readonly hasAdmin: boolean;
}

/**
 * Disables a user of any organization, which ends its sessions, or enables it; by e-mail address in any letter case. The operator may
 * disable the last admin too, whose account may be in wrong hands. Resolves to undefined where no user has the address.
 */
export function setActiveAcrossTenants(
  database: Executor,
  email: string,
  isActive: boolean,
): Promise<UserAccessChange | undefined> {
  return inTransaction(database, async (transaction) => {
    const user = await selectOne<Omit<UserAccessChange, 'hasAdmin'>>(
      transaction,
      `with before as (select id, is_active from users where email = lower($1) and deleted_at is null for no key update)
       update users u set is_active = $2, version = version + 1, updated_at = clock_timestamp()
       from before where u.id = before.id
       returning u.id, u.organization_id as "organizationId", before.is_active as "wasActive"`,
      [email, isActive],
    );
    if (user === undefined) return undefined;
    const scope = tenant(transaction, user.organizationId);
    if (!isActive) await revokeSessions(scope, user.id, 'the service operator disabled the user');
    const admin = await selectOne(transaction, `${ACTIVE_ADMINS} limit 1`, [user.organizationId]);
    return { ...user, hasAdmin: admin !== undefined };
  });
}

const ACTIVE_ADMINS = `select id from users
  where organization_id = $1 and role = 'ROLE_ORG_ADMIN' and is_active and deleted_at is null`;

/** Throws where a user is the only active admin; the admins stay locked, so that two cannot leave at the same moment. */
async function requireAnotherAdmin({ executor, organizationId }: Tenant, id: UserId): Promise<void> {
  const admins = await select<{ id: UserId }>(executor, `${ACTIVE_ADMINS} order by id for no key update`, [
    organizationId,
  ]);
  if (admins.length !== 1 || admins[0]?.id !== id) return;
  throw new ProblemError({
    kind: 'conflict',
    ...stated(say('last_admin')),
  });
}

/** Ends all sessions of a user but one; resolves to how many lived. */
export function endOtherSessions(scope: Tenant, id: UserId, kept: SessionId): Promise<number> {
  return revokeSessions(scope, id, 'revoked', kept);
}

/** Resolves to how many sessions lived. */
async function revokeSessions(
  { executor, organizationId }: Tenant,
  id: UserId,
  because: string,
  kept: SessionId | null = null,
): Promise<number> {
  const ended = await select<{ lived: boolean }>(
    executor,
    `update sessions set revoked_at = clock_timestamp(), revoked_because = $3 where revoked_at is null
       and user_id in (select id from users where id = $1 and organization_id = $2) and id is distinct from $4
     returning expires_at > clock_timestamp() and (idle_expires_at > clock_timestamp()) is not false as lived`,
    [id, organizationId, because, kept],
  );
  return ended.filter(({ lived }) => lived).length;
}
