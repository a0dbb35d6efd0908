import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_BYTES, webhookSecret } from '../../domain/webhook.ts';
import type { Plan } from '../../domain/enumerations.ts';
import type { MerchantId, OrganizationId, UserId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { Executor } from '../connection.ts';
import { execute } from '../connection.ts';
import { newId } from '../new-id.ts';

/** What an organization is made of; the API key's hash is the caller's, who shows the key once. */
export interface NewOrganization {
  readonly name: string;
  readonly plan: Plan;
  readonly trackingPrefix: string;
  readonly currency: string;
  readonly timezone: string;
  readonly apiKeyHash: Buffer;
  readonly apiKeyPrefix: string;
}

/** Makes an organization with a webhook secret of its own (contract «Organization (webhook-related fields)»). */
export async function createOrganization(
  executor: Executor,
  organization: NewOrganization,
): Promise<{ readonly id: OrganizationId; readonly webhookSecret: string }> {
  const id = newId<'organization'>();
  const secret = webhookSecret(randomBytes(WEBHOOK_SECRET_BYTES).toString('hex'));
  await execute(
    executor,
    `insert into organizations (id, name, plan, tracking_prefix, currency, timezone, webhook_secret, api_key_hash, api_key_prefix)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      organization.name,
      organization.plan,
      organization.trackingPrefix,
      organization.currency,
      organization.timezone,
      secret,
      organization.apiKeyHash,
      organization.apiKeyPrefix,
    ],
  );
  return { id, webhookSecret: secret };
}

/** What a user is made of. */
export interface NewUser {
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: UserRole;
  readonly firstName: string;
  readonly lastName: string;
  readonly merchantId: MerchantId | null;
}

/** Makes a user. Throws a unique-index error (`users_email`) when the address is taken. */
export async function createUser(executor: Executor, user: NewUser): Promise<UserId> {
  const id = newId<'user'>();
  await execute(
    executor,
    `insert into users (id, organization_id, email, password_hash, role, first_name, last_name, merchant_id)
     values ($1, $2, lower($3), $4, $5, $6, $7, $8)`,
    [
      id,
      user.organizationId,
      user.email,
      user.passwordHash,
      user.role,
      user.firstName,
      user.lastName,
      user.merchantId,
    ],
  );
  return id;
}
