import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '../../domain/ids.ts';
import { WEBHOOK_SECRET_BYTES, webhookSecret } from '../../domain/webhook.ts';
import { sealingKeyIdOf } from '../../platform/sealing.ts';
import { currentSecretOf } from '../webhooks/signing-secrets.ts';
import { sealedFactorsOf, writeSealedFactor } from './second-factors.ts';
import type { Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';

/** Makes a secret of its own for each organization (contract «Organization (webhook-related fields)»). */
export function newWebhookSecret(): string {
  return webhookSecret(randomBytes(WEBHOOK_SECRET_BYTES).toString('hex'));
}

/** What a rotation came to. */
export type SecretRotation =
  | { readonly kind: 'rotated'; readonly name: string; readonly secret: string; readonly changesAt: Date }
  /** The rotation before has not ended. */
  | { readonly kind: 'under_way'; readonly changesAt: Date }
  | { readonly kind: 'missing' };

/**
 * Gives an organization a new secret, which signs from the end of the overlap on; until then both are valid (decision 0043).
 * Without an overlap it signs immediately.
 */
export function rotateWebhookSecretAcrossTenants(
  database: Executor,
  id: OrganizationId,
  overlapSeconds: number,
): Promise<SecretRotation> {
  return inTransaction(database, async (transaction) => {
    const found = await selectOne<{ name: string; current: string; changesAt: Date | null }>(
      transaction,
      `select o.name, ${currentSecretOf('o')} as current,
         case when o.webhook_secret_changes_at > clock_timestamp() then o.webhook_secret_changes_at end as "changesAt"
       from organizations o where o.id = $1 for no key update`,
      [id],
    );
    if (found === undefined) return { kind: 'missing' };
    if (found.changesAt !== null) return { kind: 'under_way', changesAt: found.changesAt };
    const secret = newWebhookSecret();
    const row = await selectOne<{ changesAt: Date }>(
      transaction,
      `update organizations set webhook_secret = $2, next_webhook_secret = $3, version = version + 1, updated_at = clock_timestamp(),
         webhook_secret_changes_at = clock_timestamp() + make_interval(secs => $4)
       where id = $1 returning webhook_secret_changes_at as "changesAt"`,
      [id, found.current, database.sealing.seal(secret, id), overlapSeconds],
    );
    if (row === undefined) throw new Error('an organization disappeared');
    return { kind: 'rotated', name: found.name, secret, changesAt: row.changesAt };
  });
}

/** Forgets secrets that have been replaced. Harmless when repeated. */
export function forgetReplacedSecrets(executor: Executor): Promise<void> {
  return execute(
    executor,
    `update organizations set webhook_secret = next_webhook_secret, next_webhook_secret = null, webhook_secret_changes_at = null
     where webhook_secret_changes_at <= clock_timestamp()`,
  );
}

interface StoredSecrets {
  readonly id: OrganizationId;
  readonly secret: string;
  readonly nextSecret: string | null;
}

/**
 * Seals with the first key every secret, of webhooks and of second factors, that is not sealed with it yet: plain ones, and those of other keys. One organization at a time,
 * so that none waits for another's: `done` runs in the transaction of each that is changed.
 */
export async function resealWebhookSecretsAcrossTenants(
  database: Executor,
  done: (transaction: Executor, id: OrganizationId) => Promise<void>,
): Promise<void> {
  const rows = await select<{ id: OrganizationId }>(database, 'select id from organizations order by id');
  for (const { id } of rows) {
    await inTransaction(database, async (transaction) => {
      if (await reseal(transaction, id)) await done(transaction, id);
    });
  }
}

async function reseal(transaction: Executor, id: OrganizationId): Promise<boolean> {
  const { sealing } = transaction;
  const row = await selectOne<StoredSecrets>(
    transaction,
    `select id, webhook_secret as secret, next_webhook_secret as "nextSecret" from organizations where id = $1 for no key update`,
    [id],
  );
  if (row === undefined) return false;
  const hasFactors = await resealFactors(transaction, id);
  const stored = [row.secret, ...(row.nextSecret === null ? [] : [row.nextSecret])];
  if (stored.every((text) => sealingKeyIdOf(text) === sealing.currentKeyId)) return hasFactors;
  const again = (text: string | null) => (text === null ? null : sealing.seal(sealing.open(text, id), id));
  await execute(
    transaction,
    'update organizations set webhook_secret = $2, next_webhook_secret = $3 where id = $1',
    [id, again(row.secret), again(row.nextSecret)],
  );
  return true;
}

/** The same for the second factors of an organization's users (decision 0046). */
async function resealFactors(transaction: Executor, id: OrganizationId): Promise<boolean> {
  const { sealing } = transaction;
  const factors = await sealedFactorsOf(transaction, id);
  const others = factors.filter(({ secret }) => sealingKeyIdOf(secret) !== sealing.currentKeyId);
  for (const { userId, secret } of others) {
    await writeSealedFactor(transaction, userId, sealing.seal(sealing.open(secret, userId), userId));
  }
  return others.length > 0;
}

/** The ids of the keys that stored secrets are sealed with, and how many each; null: secrets that are stored as they are. */
export function sealingKeysInUse(
  executor: Executor,
): Promise<{ readonly keyId: string | null; readonly count: number }[]> {
  return select(
    executor,
    `select case when secret like 'sealed:%' then split_part(secret, ':', 2) end as "keyId", count(*)::int as count
     from (select unnest(array[webhook_secret, next_webhook_secret]) as secret from organizations
       union all select secret from second_factors) as stored where secret is not null group by 1 order by 1`,
  );
}
