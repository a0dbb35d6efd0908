import type { OrganizationId, UserId } from '../../domain/ids.ts';
import type { Executor } from '../connection.ts';
import { execute, select, selectOne } from '../connection.ts';
import type { Tenant } from '../tenant.ts';
import { inTenantTransaction } from '../tenant.ts';

/** The second factor of a user, with its secret opened. */
export interface SecondFactor {
  readonly secret: string;
  /** As it is stored: what was read is what is confirmed. */
  readonly sealedSecret: string;
  /** null until the user has proved that an app has the secret. */
  readonly confirmedAt: Date | null;
  readonly recoveryCodesLeft: number;
}

/** Reads the second factor of a user; undefined where none was begun. Throws where its secret is sealed with an unknown key. */
export async function findSecondFactor(
  executor: Executor,
  userId: UserId,
): Promise<SecondFactor | undefined> {
  const row = await selectOne<Omit<SecondFactor, 'secret'>>(
    executor,
    `select f.secret as "sealedSecret", f.confirmed_at as "confirmedAt",
       (select count(*)::int from recovery_codes c where c.user_id = f.user_id) as "recoveryCodesLeft"
     from second_factors f where f.user_id = $1`,
    [userId],
  );
  return row && { ...row, secret: executor.sealing.open(row.sealedSecret, userId) };
}

/** Keeps a secret that is shown to its user, in place of an earlier one. Resolves to false where a factor is in use. */
export async function offerSecondFactor(
  { executor, organizationId }: Tenant,
  userId: UserId,
  secret: string,
): Promise<boolean> {
  const kept = await select(
    executor,
    `insert into second_factors (user_id, organization_id, secret) values ($1, $2, $3)
     on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = clock_timestamp()
       where second_factors.confirmed_at is null returning user_id`,
    [userId, organizationId, executor.sealing.seal(secret, userId)],
  );
  return kept.length === 1;
}

/**
 * Begins to use the offered factor: its first code is spent, and it gets its recovery codes. False where another request was faster, also
 * one that offered another secret than the one whose code was checked.
 */
export function confirmSecondFactor(
  scope: Tenant,
  userId: UserId,
  { sealedSecret, step }: Pick<SecondFactor, 'sealedSecret'> & { readonly step: number },
  codeHashes: readonly Buffer[],
): Promise<boolean> {
  return inTenantTransaction(scope, async ({ executor, organizationId }) => {
    const confirmed = await select(
      executor,
      `update second_factors set confirmed_at = clock_timestamp(), last_step = $3
       where user_id = $1 and organization_id = $2 and confirmed_at is null and secret = $4 returning user_id`,
      [userId, organizationId, step, sealedSecret],
    );
    if (confirmed.length === 1) await keepRecoveryCodes(executor, userId, codeHashes);
    return confirmed.length === 1;
  });
}

/** Spends the code of a step; false where it, or a later one, was spent before: each is accepted once (RFC 6238 section 5.2). */
export async function spendStep(executor: Executor, userId: UserId, step: number): Promise<boolean> {
  const spent = await select(
    executor,
    `update second_factors set last_step = $2 where user_id = $1 and confirmed_at is not null and last_step < $2 returning user_id`,
    [userId, step],
  );
  return spent.length === 1;
}

/** Spends a recovery code; false where the user has none like it. */
export async function spendRecoveryCode(
  executor: Executor,
  userId: UserId,
  codeHash: Buffer,
): Promise<boolean> {
  const spent = await select(
    executor,
    `delete from recovery_codes c using second_factors f
     where c.user_id = $1 and c.code_hash = $2 and f.user_id = c.user_id and f.confirmed_at is not null returning c.user_id`,
    [userId, codeHash],
  );
  return spent.length === 1;
}

/** Gives a user new recovery codes: the ones before open nothing any more. False where the user has no second factor, or no more. */
export function replaceRecoveryCodes(
  scope: Tenant,
  userId: UserId,
  codeHashes: readonly Buffer[],
): Promise<boolean> {
  return inTenantTransaction(scope, async ({ executor, organizationId }) => {
    // One after the other: of two at once, the later would not see the codes of the first.
    const factors = await select(
      executor,
      `select user_id from second_factors
       where user_id = $1 and organization_id = $2 and confirmed_at is not null for update`,
      [userId, organizationId],
    );
    if (factors.length === 1) await keepRecoveryCodes(executor, userId, codeHashes);
    return factors.length === 1;
  });
}

async function keepRecoveryCodes(
  transaction: Executor,
  userId: UserId,
  codeHashes: readonly Buffer[],
): Promise<void> {
  await execute(transaction, 'delete from recovery_codes where user_id = $1', [userId]);
  await execute(
    transaction,
    'insert into recovery_codes (user_id, code_hash) select $1, hash from unnest($2::bytea[]) as hash',
    [userId, [...codeHashes]],
  );
}

/** Forgets the second factor of a user, with its recovery codes. Resolves to whether there was one. */
export async function removeSecondFactor(
  { executor, organizationId }: Tenant,
  userId: UserId,
): Promise<boolean> {
  const removed = await select(
    executor,
    'delete from second_factors where user_id = $1 and organization_id = $2 returning user_id',
    [userId, organizationId],
  );
  return removed.length === 1;
}

/** The sealed secrets of an organization's users. */
export function sealedFactorsOf(
  executor: Executor,
  organizationId: OrganizationId,
): Promise<{ readonly userId: UserId; readonly secret: string }[]> {
  return select(
    executor,
    'select user_id as "userId", secret from second_factors where organization_id = $1 order by user_id for update',
    [organizationId],
  );
}

/** Writes the secret of a user as it is sealed now. */
export function writeSealedFactor(executor: Executor, userId: UserId, secret: string): Promise<void> {
  return execute(executor, 'update second_factors set secret = $2 where user_id = $1', [userId, secret]);
}
