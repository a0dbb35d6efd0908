import type { Plan } from '../../domain/enumerations.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Tariff } from '../../domain/pricing.ts';
import type { DeadlineHours } from '../../domain/deadline.ts';
import type { Executor } from '../connection.ts';
import { selectOne, sqlStateOf } from '../connection.ts';
import type { Lookup, Tenant } from '../tenant.ts';
import { checkTenant } from '../tenant.ts';
import { FAILING_SINCE } from '../webhooks/webhook-endpoints.ts';

/** What an organization's admin may change. */
export interface OrganizationSettings {
  readonly name: string;
  readonly timezone: string;
  /** null: the service's own (domain/pricing.ts). */
  readonly tariff: Tariff | null;
  /** null: the service's own (domain/task-plan.ts). */
  readonly deadlineHours: DeadlineHours | null;
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
}

/** An organization as its staff sees it. */
export interface OrganizationRow extends OrganizationSettings {
  readonly id: OrganizationId;
  readonly organizationId: OrganizationId;
  readonly plan: Plan;
  readonly trackingPrefix: string;
  readonly currency: string;
  readonly webhookSecret: string;
  readonly apiKeyPrefix: string;
  /** Until when the key before the present one is taken; null or past where it is not. */
  readonly previousApiKeyExpiresAt: Date | null;
  /** Since when nothing was delivered to the webhook URL; null while it is not failing. */
  readonly webhookFailingSince: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const ORGANIZATION_COLUMNS = `
  id, id as "organizationId", name, plan, tracking_prefix as "trackingPrefix", currency, timezone, tariff,
  deadline_hours as "deadlineHours", webhook_url as "webhookUrl", is_webhook_enabled as "isWebhookEnabled",
  webhook_secret as "webhookSecret", api_key_prefix as "apiKeyPrefix",
  previous_api_key_expires_at as "previousApiKeyExpiresAt", ${FAILING_SINCE} as "webhookFailingSince", version, created_at as "createdAt",
  updated_at as "updatedAt"`;

/** Reads an organization, which is the tenant's own or foreign. */
export async function findOrganization(tenant: Tenant, id: OrganizationId): Promise<Lookup<OrganizationRow>> {
  const row = await selectOne<OrganizationRow>(
    tenant.executor,
    `select ${ORGANIZATION_COLUMNS} from organizations o where id = $1`,
    [id],
  );
  return checkTenant(tenant, row);
}

/** Writes the tenant's settings over the version that they were made on; false when it has another one now. */
export async function editOrganization(
  { executor, organizationId }: Tenant,
  version: number,
  settings: OrganizationSettings,
): Promise<boolean> {
  const row = await selectOne<{ id: OrganizationId }>(
    executor,
    `update organizations set name = $3, timezone = $4, tariff = $5::jsonb, deadline_hours = $6::jsonb,
       webhook_url = $7, is_webhook_enabled = $8, version = version + 1, updated_at = clock_timestamp()
     where id = $1 and version = $2 returning id`,
    [
      organizationId,
      version,
      settings.name,
      settings.timezone,
      settings.tariff === null ? null : JSON.stringify(settings.tariff),
      settings.deadlineHours === null ? null : JSON.stringify(settings.deadlineHours),
      settings.webhookUrl,
      settings.isWebhookEnabled,
    ],
  );
  return row !== undefined;
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
