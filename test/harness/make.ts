import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { hashSecret, newApiKey, signToken } from '../../api/auth/tokens.ts';
import type { Plan } from '../../domain/enumerations.ts';
import type { DriverId, MerchantId, OrganizationId, PickupPointId, UserId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import { execute } from '../../store/connection.ts';
import { createOrganization } from '../../store/accounts/organizations.ts';
import { createUser } from '../../store/accounts/users.ts';
import { newId } from '../../store/new-id.ts';
import { openSession } from '../../store/accounts/sessions.ts';
import type { TestService } from './service.ts';

/** An organization of a test's own. */
export interface MadeOrganization {
  readonly id: OrganizationId;
  readonly apiKey: string;
  readonly webhookSecret: string;
}

/** A user who is signed in. */
export interface MadeUser {
  readonly id: UserId;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export const PASSWORD = 'correct horse battery staple';
/** The cheapest that argon2 allows: what hashing costs in production has tests of its own. */
const CHEAPEST_HASHING = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;
/** The bench runs for hours. */
const SESSION_SECONDS = 14_400;
let passwordHash: Promise<string> | undefined;

/** Where rows are made, and the secret that signs the users' tokens. */
export interface SignedRows extends Pick<TestService, 'database'> {
  readonly config: Pick<TestService['config'], 'jwtSecret'>;
}

/** How an organization differs from one on Pro without webhooks. */
export interface OrganizationOptions {
  readonly plan?: Plan;
  readonly webhookUrl?: string;
  readonly currency?: string;
}

/** Makes an organization. */
export async function makeOrganization(
  { database }: Pick<TestService, 'database'>,
  options: OrganizationOptions = {},
): Promise<MadeOrganization> {
  const { key, shownPrefix } = newApiKey();
  const organization = await createOrganization(database, {
    name: `Organization ${randomUUID()}`,
    plan: options.plan ?? 'pro',
    trackingPrefix: 'TST',
    currency: options.currency ?? 'EUR',
    timezone: 'UTC',
    apiKeyHash: hashSecret(key),
    apiKeyPrefix: shownPrefix,
  });
  if (options.webhookUrl !== undefined) {
    await execute(
      database,
      'update organizations set webhook_url = $2, is_webhook_enabled = true where id = $1',
      [organization.id, options.webhookUrl],
    );
  }
  return { ...organization, apiKey: key };
}

/** Makes a signed-in user of a role; a merchant's user needs its merchant. `passwordHash` is another hash of PASSWORD. */
export async function makeUser(
  { database, config }: SignedRows,
  organization: { readonly id: OrganizationId },
  role: UserRole,
  options: { readonly merchantId?: MerchantId; readonly passwordHash?: string } = {},
): Promise<MadeUser> {
  passwordHash ??= hash(PASSWORD, CHEAPEST_HASHING);
  const email = `${randomUUID()}@example.com`;
  const id = await createUser(database, {
    organizationId: organization.id,
    email,
    passwordHash: options.passwordHash ?? (await passwordHash),
    role,
    firstName: 'Test',
    lastName: role,
    merchantId: options.merchantId ?? null,
  });
  const sessionId = await openSession(
    database,
    id,
    hashSecret(randomUUID()),
    { session: SESSION_SECONDS, refreshToken: SESSION_SECONDS },
    { address: null, userAgent: null },
  );
  const claims = { userId: id, sessionId, username: email, roles: [role] };
  const token = signToken(claims, config.jwtSecret, new Date(), SESSION_SECONDS);
  return { id, email, password: PASSWORD, token };
}

/** An organization of a test's own and one of its users, who is signed in. */
export interface Team {
  readonly organization: MadeOrganization;
  readonly user: MadeUser;
  /** The user's. */
  readonly token: string;
}

/** Makes an organization with one signed-in user, a dispatcher if no other role is given. */
export async function makeTeam(
  service: SignedRows,
  role: UserRole = 'ROLE_DISPATCHER',
  options: OrganizationOptions = {},
): Promise<Team> {
  const organization = await makeOrganization(service, options);
  const user = await makeUser(service, organization, role);
  return { organization, user, token: user.token };
}

/** A team with an available driver. */
export interface TeamWithDriver extends Team {
  readonly driver: DriverId;
}

/** As `makeTeam`, with an available driver. */
export async function makeTeamWithDriver(
  service: SignedRows,
  role?: UserRole,
  options?: OrganizationOptions,
): Promise<TeamWithDriver> {
  const team = await makeTeam(service, role, options);
  return { ...team, driver: await makeDriver(service, team.organization) };
}

/** Makes an available driver, with a user where one is given. */
export async function makeDriver(
  { database }: Pick<TestService, 'database'>,
  organization: { readonly id: OrganizationId },
  options: { readonly userId?: UserId; readonly isAvailable?: boolean; readonly firstName?: string } = {},
): Promise<DriverId> {
  const id = newId<'driver'>();
  await execute(
    database,
    `insert into drivers (id, organization_id, first_name, last_name, phone_number, is_available, user_id)
     values ($1, $2, $3, 'Moreau', '+33612345678', $4, $5)`,
    [id, organization.id, options.firstName ?? 'Yanis', options.isAvailable ?? true, options.userId ?? null],
  );
  return id;
}

/** Makes a merchant. */
export async function makeMerchant(
  { database }: Pick<TestService, 'database'>,
  organization: { readonly id: OrganizationId },
  options: { readonly feePayer?: 'recipient' | 'merchant'; readonly name?: string } = {},
): Promise<MerchantId> {
  const id = newId<'merchant'>();
  await execute(
    database,
    'insert into merchants (id, organization_id, name, fee_payer) values ($1, $2, $3, $4)',
    [id, organization.id, options.name ?? `Merchant ${id}`, options.feePayer ?? 'recipient'],
  );
  return id;
}

/** Makes a pickup point. */
export async function makePickupPoint(
  { database }: Pick<TestService, 'database'>,
  organization: { readonly id: OrganizationId },
  options: { readonly merchantId?: MerchantId } = {},
): Promise<PickupPointId> {
  const id = newId<'pickup_point'>();
  await execute(
    database,
    `insert into pickup_points (id, organization_id, merchant_id, name, address) values ($1, $2, $3, $4, $5::jsonb)`,
    [
      id,
      organization.id,
      options.merchantId ?? null,
      `Point ${id}`,
      JSON.stringify({
        street: '12 rue Oberkampf',
        city: 'Paris',
        postalCode: '75011',
        latitude: null,
        longitude: null,
        landmark: null,
      }),
    ],
  );
  return id;
}

/** A small valid body of `POST /shipments`; what is given replaces or adds fields. */
export function shipmentBodyWith(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    recipient: {
      firstName: 'Amina',
      lastName: 'Haddad',
      phoneNumber: '+33612345678',
      address: { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001' },
    },
    ...fields,
  };
}
