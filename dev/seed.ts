import { randomBytes } from 'node:crypto';
import { hashPassword } from '../api/auth/passwords.ts';
import { hashSecret, newApiKey } from '../api/auth/tokens.ts';
import type { Plan } from '../domain/enumerations.ts';
import type { MerchantId, OrganizationId } from '../domain/ids.ts';
import { parseAmount } from '../domain/money.ts';
import type { UserRole } from '../domain/permission.ts';
import type { Executor } from '../store/connection.ts';
import { connectDatabase, execute, inTransaction, selectOne } from '../store/connection.ts';
import { createOrganization } from '../store/accounts/organizations.ts';
import { createUser } from '../store/accounts/users.ts';
import { polygonOf, SEEDED_DRIVERS, WORLDS, type World, type WorldDriver } from '../demo/world/world.ts';
import { newId } from '../store/new-id.ts';

/** What a person needs to try the demo; written down once, since passwords and keys are kept as hashes. */
export interface DemoCredentials {
  readonly organizations: readonly DemoOrganization[];
}

export interface DemoOrganization {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly users: readonly { readonly email: string; readonly password: string; readonly role: UserRole }[];
}

/**
 * Makes the demo organizations with users, and the first merchant, pickup point, zone and drivers of each. Undefined when the
 * database has an organization already: the demo is made on the first start only. The day's shipments are made by the running
 * service (demo/run-demo.ts).
 */
export async function seedDemo(databaseUrl: string): Promise<DemoCredentials | undefined> {
  const database = connectDatabase(databaseUrl, { poolSize: 2, applicationName: 'seed' });
  try {
    return await inTransaction(database, async (transaction) => {
      const known = await selectOne(transaction, 'select id from organizations limit 1');
      if (known !== undefined) return undefined;
      const organizations: DemoOrganization[] = [];
      for (const world of WORLDS) organizations.push(await seedOrganization(transaction, world));
      return { organizations };
    });
  } finally {
    await database.close();
  }
}

async function seedOrganization(transaction: Executor, world: World): Promise<DemoOrganization> {
  const { key, shownPrefix } = newApiKey();
  const { name, plan, prefix: trackingPrefix, currency, timezone } = world;
  const apiKeyHash = hashSecret(key);
  const organization = {
    name,
    plan,
    trackingPrefix,
    currency,
    timezone,
    apiKeyHash,
    apiKeyPrefix: shownPrefix,
  };
  const { id, webhookSecret } = await createOrganization(transaction, organization);
  const merchantId = await seedNetwork(transaction, id, world);
  const users: DemoOrganization['users'][number][] = [];
  const userIds = new Map<UserRole, string>();
  for (const { name: mailbox, role, firstName, lastName } of world.users) {
    const email = `${mailbox}@${world.domain}`;
    const password = randomBytes(9).toString('base64url');
    const userId = await createUser(transaction, {
      organizationId: id,
      email,
      passwordHash: await hashPassword(password),
      role,
      firstName,
      lastName,
      merchantId: role === 'ROLE_MERCHANT' ? merchantId : null,
    });
    userIds.set(role, userId);
    users.push({ email, password, role });
  }
  for (const driver of world.drivers.slice(0, SEEDED_DRIVERS)) {
    const userId = driver.hasUser ? userIds.get('ROLE_DRIVER') : undefined;
    await seedDriver(transaction, id, driver, userId ?? null);
  }
  return { id, name, plan, apiKey: key, webhookSecret, users };
}

/** Makes the first merchant with its pickup point, and the first zone. Returns the merchant's id. */
async function seedNetwork(transaction: Executor, id: OrganizationId, world: World): Promise<MerchantId> {
  const [merchant] = world.merchants;
  const [point] = world.pickupPoints;
  const [zone] = world.zones;
  const merchantId = newId<'merchant'>();
  const contact = JSON.stringify({
    name: merchant.contactName,
    phoneNumber: merchant.phoneNumber,
    email: null,
  });
  await execute(
    transaction,
    `insert into merchants (id, organization_id, name, contact, address) values ($1, $2, $3, $4::jsonb, $5::jsonb)`,
    [merchantId, id, merchant.name, contact, JSON.stringify({ landmark: null, ...merchant.address })],
  );
  await execute(
    transaction,
    `insert into pickup_points (id, organization_id, merchant_id, name, code, address, contact, opening_hours)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8)`,
    [
      newId<'pickup_point'>(),
      ...[id, merchantId, point.name, point.code],
      ...[JSON.stringify({ landmark: null, ...point.address }), contact, point.openingHours],
    ],
  );
  await execute(
    transaction,
    `insert into zones (id, organization_id, name, polygon, base_fee_cents) values ($1, $2, $3, $4::jsonb, $5)`,
    [newId<'zone'>(), id, zone.name, JSON.stringify(polygonOf(zone)), parseAmount(zone.baseFee) ?? 0],
  );
  return merchantId;
}

function seedDriver(
  transaction: Executor,
  organizationId: OrganizationId,
  { firstName, lastName, phoneNumber, vehicleType }: WorldDriver,
  userId: string | null,
): Promise<void> {
  return execute(
    transaction,
    `insert into drivers (id, organization_id, first_name, last_name, phone_number, vehicle_type, user_id)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [newId<'driver'>(), organizationId, firstName, lastName, phoneNumber, vehicleType, userId],
  );
}
