import type { Plan } from '../../domain/enumerations.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Executor } from '../connection.ts';
import { selectOne, sqlStateOf, withoutValues } from '../connection.ts';
import type { OrganizationCreation, OrganizationRow, OrganizationSettings } from '../models/models.ts';
import { newId } from '../new-id.ts';
import { newWebhookSecret } from './webhook-secrets.ts';
import type { Lookup, Tenant } from '../tenant.ts';

/** Makes an organization with a webhook secret of its own (contract «Organization (webhook-related fields)»). */
export async function createOrganization(
  { models, transaction, sealing }: Executor,
  organization: Omit<OrganizationCreation, 'id' | 'webhookSecret'>,
): Promise<{ readonly id: OrganizationId; readonly webhookSecret: string }> {
  const id = newId<'organization'>();
  const webhookSecret = newWebhookSecret();
  const stored = { ...organization, id, webhookSecret: sealing.seal(webhookSecret, id) };
  await withoutValues(models.organizations.create(stored, { transaction }));
  return { id, webhookSecret };
}

/** Reads an organization, which is the tenant's own or foreign. Its webhook secret is as it is stored. */
export async function findOrganization(
  { executor, organizationId }: Tenant,
  id: OrganizationId,
): Promise<Lookup<OrganizationRow>> {
  const { models, transaction } = executor;
  const row = await withoutValues(models.organizations.findByPk(id, { transaction }));
  if (row === null) return { kind: 'missing' };
  if (row.id !== organizationId) return { kind: 'foreign' };
  return { kind: 'found', row };
}

/** Writes the tenant's settings over the version that they were made on; false when it has another one now. */
export async function editOrganization(
  { executor, organizationId }: Tenant,
  version: number,
  settings: OrganizationSettings,
): Promise<boolean> {
  const { models, transaction } = executor;
  const own = models.organizations.scope({ method: ['tenant', organizationId] });
  const values = { ...settings, version: version + 1 };
  const [count] = await withoutValues(own.update(values, { where: { version }, transaction }));
  return count === 1;
}

/**
 * Replaces the API key of the tenant, by its hash. The current key stays valid for `graceSeconds`; an older one no
 * longer is (interpretation 35). Resolves to the end of the grace, null without one.
 */
export async function rollApiKey(
  { executor, organizationId }: Tenant,
  key: { readonly hash: Buffer; readonly shownPrefix: string },
  graceSeconds: number,
): Promise<Date | null> {
  const row = await selectOne<{ graceEndsAt: Date | null }>(
    executor,
    `update organizations set
       previous_api_key_hash = case when $4::int > 0 then api_key_hash end,
       previous_api_key_expires_at = case when $4::int > 0 then clock_timestamp() + make_interval(secs => $4::int) end,
       api_key_hash = $2, api_key_prefix = $3, version = version + 1, updated_at = clock_timestamp()
     where id = $1 returning previous_api_key_expires_at as "graceEndsAt"`,
    [organizationId, key.hash, key.shownPrefix, graceSeconds],
  );
  return row?.graceEndsAt ?? null;
}

const INVALID_PARAMETER_VALUE = '22023';

/** Whether the database, which dates tracking numbers, knows a time zone. Not to be asked inside a transaction. */
export async function isTimezoneKnown(executor: Executor, timezone: string): Promise<boolean> {
  try {
    await selectOne(executor, 'select clock_timestamp() at time zone $1 as known', [timezone]);
    return true;
  } catch (error) {
    if (sqlStateOf(error) === INVALID_PARAMETER_VALUE) return false;
    throw error;
  }
}

/** Moves an organization to another plan; resolves to the one before, undefined when there is no such organization. */
export async function changePlanAcrossTenants(
  executor: Executor,
  id: OrganizationId,
  plan: Plan,
): Promise<{ readonly name: string; readonly planBefore: Plan } | undefined> {
  return selectOne<{ name: string; planBefore: Plan }>(
    executor,
    `with before as (select id, plan from organizations where id = $1 for no key update)
     update organizations o set plan = $2, version = version + 1, updated_at = clock_timestamp()
     from before where o.id = before.id returning o.name, before.plan as "planBefore"`,
    [id, plan],
  );
}
