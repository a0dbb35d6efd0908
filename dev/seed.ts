import { randomBytes } from 'node:crypto';
import { hashPassword } from '../api/auth/passwords.ts';
import { hashSecret, newApiKey } from '../api/auth/tokens.ts';
import type { Plan } from '../domain/enumerations.ts';
import type { OrganizationId } from '../domain/ids.ts';
import type { UserRole } from '../domain/permission.ts';
import type { Executor } from '../store/connection.ts';
import { connectDatabase, execute, inTransaction, selectOne } from '../store/connection.ts';
import { createOrganization } from '../store/accounts/organizations.ts';
import { createUser } from '../store/accounts/users.ts';
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

const DEMO = [
  { name: 'Atlas Livraison', plan: 'pro', prefix: 'ATL', domain: 'atlas.example' },
  { name: 'Petit Colis', plan: 'decouverte', prefix: 'PCO', domain: 'petit-colis.example' },
] as const satisfies readonly { name: string; plan: Plan; prefix: string; domain: string }[];

/**
 * Makes the demo organizations with users, a merchant, a pickup point, a zone and drivers. Undefined when the database
 * has an organization already: the demo is made on the first start only.
 */
export async function seedDemo(databaseUrl: string): Promise<DemoCredentials | undefined> {
  const database = connectDatabase(databaseUrl, { poolSize: 2, applicationName: 'seed' });
  try {
    return await inTransaction(database, async (transaction) => {
      const known = await selectOne(transaction, 'select id from organizations limit 1');
      if (known !== undefined) return undefined;
      const organizations: DemoOrganization[] = [];
      for (const demo of DEMO) organizations.push(await seedOrganization(transaction, demo));
      return { organizations };
    });
  } finally {
    await database.close();
  }
}

async function seedOrganization(
  transaction: Executor,
  demo: (typeof DEMO)[number],
): Promise<DemoOrganization> {
  const { key, shownPrefix } = newApiKey();
  const { id, webhookSecret } = await createOrganization(transaction, {
    name: demo.name,
    plan: demo.plan,
    trackingPrefix: demo.prefix,
    currency: 'EUR',
    timezone: 'Europe/Paris',
    apiKeyHash: hashSecret(key),
    apiKeyPrefix: shownPrefix,
  });
  const merchantId = newId<'merchant'>();
  await execute(
    transaction,
    `insert into merchants (id, organization_id, name, contact, address) values ($1, $2, 'Épicerie du Marché', $3::jsonb, $4::jsonb)`,
    [merchantId, id, JSON.stringify(CONTACT), JSON.stringify(SHOP)],
  );
  await seedNetwork(transaction, id, merchantId);
  const users: DemoOrganization['users'][number][] = [];
  for (const { name, role, firstName, lastName } of PEOPLE) {
    const email = `${name}@${demo.domain}`;
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
    if (role === 'ROLE_DRIVER')
      await seedDriver(transaction, id, { firstName, lastName, phone: '+33612000001', userId });
    users.push({ email, password, role });
  }
  await seedDriver(transaction, id, {
    firstName: 'Lina',
    lastName: 'Haddad',
    phone: '+33612000002',
    userId: null,
  });
  return { id, name: demo.name, plan: demo.plan, apiKey: key, webhookSecret, users };
}

const PEOPLE = [
  { name: 'admin', role: 'ROLE_ORG_ADMIN', firstName: 'Inès', lastName: 'Benali' },
  { name: 'dispatch', role: 'ROLE_DISPATCHER', firstName: 'Marc', lastName: 'Lefèvre' },
  { name: 'shop', role: 'ROLE_MERCHANT', firstName: 'Salma', lastName: 'Idrissi' },
  { name: 'driver', role: 'ROLE_DRIVER', firstName: 'Yanis', lastName: 'Moreau' },
] as const satisfies readonly { name: string; role: UserRole; firstName: string; lastName: string }[];

const CONTACT = { name: 'Salma Idrissi', phoneNumber: '+33145000000', email: null };
const SHOP = {
  street: '12 rue Oberkampf',
  city: 'Paris',
  postalCode: '75011',
  latitude: 48.8649,
  longitude: 2.3669,
  landmark: null,
};

async function seedNetwork(transaction: Executor, id: OrganizationId, merchantId: string): Promise<void> {
  await execute(
    transaction,
    `insert into pickup_points (id, organization_id, merchant_id, name, code, address, contact, opening_hours)
     values ($1, $2, $3, 'Dépôt Oberkampf', 'OBK', $4::jsonb, $5::jsonb, 'Mo-Sa 08:00-19:00')`,
    [newId<'pickup_point'>(), id, merchantId, JSON.stringify(SHOP), JSON.stringify(CONTACT)],
  );
  const paris = {
    type: 'Polygon',
    coordinates: [
      [
        [2.22, 48.81],
        [2.47, 48.81],
        [2.47, 48.91],
        [2.22, 48.91],
        [2.22, 48.81],
      ],
    ],
  };
  await execute(
    transaction,
    `insert into zones (id, organization_id, name, polygon, base_fee_cents) values ($1, $2, 'Paris', $3::jsonb, 690)`,
    [newId<'zone'>(), id, JSON.stringify(paris)],
  );
}

function seedDriver(
  transaction: Executor,
  organizationId: OrganizationId,
  driver: { firstName: string; lastName: string; phone: string; userId: string | null },
): Promise<void> {
  return execute(
    transaction,
    `insert into drivers (id, organization_id, first_name, last_name, phone_number, vehicle_type, user_id)
     values ($1, $2, $3, $4, $5, 'bicycle', $6)`,
    [newId<'driver'>(), organizationId, driver.firstName, driver.lastName, driver.phone, driver.userId],
  );
}
