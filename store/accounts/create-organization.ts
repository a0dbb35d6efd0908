import { randomBytes } from 'node:crypto';
import type { MerchantId, OrganizationId, UserId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import { WEBHOOK_SECRET_BYTES, webhookSecret } from '../../domain/webhook.ts';
import type { Executor } from '../connection.ts';
import { withoutValues } from '../connection.ts';
import type { OrganizationCreation } from '../models/models.ts';
import { newId } from '../new-id.ts';

/** What an organization is made of; the API key's hash is the caller's, who shows the key once. */
export type NewOrganization = Omit<OrganizationCreation, 'id' | 'webhookSecret'>;

/** Makes an organization with a webhook secret of its own (contract «Organization (webhook-related fields)»). */
export async function createOrganization(
  { models, transaction }: Executor,
  organization: NewOrganization,
): Promise<{ readonly id: OrganizationId; readonly webhookSecret: string }> {
  const own = {
    id: newId<'organization'>(),
    webhookSecret: webhookSecret(randomBytes(WEBHOOK_SECRET_BYTES).toString('hex')),
  };
  await withoutValues(models.organizations.create({ ...organization, ...own }, { transaction }));
  return own;
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
export async function createUser({ models, transaction }: Executor, user: NewUser): Promise<UserId> {
  const id = newId<'user'>();
  const email = user.email.toLowerCase();
  await withoutValues(models.users.create({ ...user, id, email }, { transaction }));
  return id;
}
