import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hashSecret, newApiKey, signToken } from '../api/auth/tokens.ts';
import type { DriverId, OrganizationId, UserId } from '../domain/ids.ts';
import { execute, selectOne } from '../store/connection.ts';
import { createOrganization } from '../store/accounts/organizations.ts';
import { createUser } from '../store/accounts/users.ts';
import { newId } from '../store/new-id.ts';
import { openSession } from '../store/accounts/sessions.ts';
import type { Deployment } from './deployment.ts';
import type { HttpClient } from './http-client.ts';
import { at, textAt } from './http-client.ts';

/** An organization with what a case needs to act for it. */
export interface Organization {
  readonly id: OrganizationId;
  readonly apiKey: string;
  readonly token: string;
  readonly driverId: DriverId;
}

const TOKEN_LIFETIME_SECONDS = 14_400;

/** Makes an organization on Pro with a signed-in dispatcher and an available driver; webhooks are on where a URL is given. */
export async function makeOrganization(
  { database, jwtSecret }: Deployment,
  webhookUrl: string | null = null,
): Promise<Organization> {
  const { key, shownPrefix } = newApiKey();
  const { id } = await createOrganization(database, {
    name: `Bench ${randomUUID()}`,
    plan: 'pro',
    trackingPrefix: 'BEN',
    currency: 'EUR',
    timezone: 'UTC',
    apiKeyHash: hashSecret(key),
    apiKeyPrefix: shownPrefix,
  });
  await execute(
    database,
    'update organizations set webhook_url = $2::text, is_webhook_enabled = $2 is not null where id = $1',
    [id, webhookUrl],
  );
  const driverId = newId<'driver'>();
  await execute(
    database,
    `insert into drivers (id, organization_id, first_name, last_name, phone_number, is_available)
     values ($1, $2, 'Yanis', 'Moreau', '+33612345678', true)`,
    [driverId, id],
  );
  const email = `${randomUUID()}@example.com`;
  const userId: UserId = await createUser(database, {
    organizationId: id,
    email,
    // No password: the bench signs its own token.
    passwordHash: 'none',
    role: 'ROLE_DISPATCHER',
    firstName: 'Bench',
    lastName: 'Dispatcher',
    merchantId: null,
  });
  const sessionId = await openSession(database, userId, hashSecret(randomUUID()), TOKEN_LIFETIME_SECONDS);
  const claims = { userId, sessionId, username: email, roles: ['ROLE_DISPATCHER'] as const };
  return {
    id,
    apiKey: key,
    driverId,
    token: signToken(claims, jwtSecret, new Date(), TOKEN_LIFETIME_SECONDS),
  };
}

const ADDRESS = { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001' };

/** The body of a creation, as `POST /shipments` and `POST /external/shipments` take it. */
export const SHIPMENT_BODY = {
  recipient: {
    firstName: 'Amina',
    lastName: 'Haddad',
    phoneNumber: '+33612345678',
    address: ADDRESS,
  },
  priority: 'normal',
  packageSize: 'medium',
  weight: 2.5,
  codAmount: '49.90',
};

/** A shipment with a pickup and a delivery; both are IRIs of tasks. */
export interface MadeShipment {
  readonly id: string;
  readonly pickup: string;
  readonly delivery: string;
}

/** The moves of a shipment from the first assignment to its delivery, as the contract's typical sequence has them. */
export const JOURNEY = [
  ['pickup', 'assign'],
  ['pickup', 'start_approach'],
  ['pickup', 'pick_up'],
  ['delivery', 'assign'],
  ['delivery', 'start_delivery'],
  ['delivery', 'deliver'],
] as const;

/** Makes shipments over HTTP and waits until a run has taken up each of them. */
export async function makeShipments(
  deployment: Deployment,
  http: HttpClient,
  organization: Organization,
  count: number,
): Promise<MadeShipment[]> {
  const point = await pickupPointOf(deployment, organization);
  const made: MadeShipment[] = [];
  const body = { ...SHIPMENT_BODY, pickupPoint: `/api/v1/pickup-points/${point}` };
  await inParallel(8, count, async () => {
    const answer = await http.send('POST', '/shipments', { token: organization.token, body });
    made.push({
      id: textAt(answer.body, 'id'),
      pickup: textAt(answer.body, 'tasks.0.@id'),
      delivery: textAt(answer.body, 'tasks.1.@id'),
    });
  });
  await untilAllRun(
    deployment,
    made.map(({ id }) => id),
  );
  return made;
}

/** Moves a shipment's task. On a busy machine the answer may be 202; then the time until it is applied counts too. */
export async function move(
  http: HttpClient,
  organization: Organization,
  shipment: MadeShipment,
  [task, transition]: (typeof JOURNEY)[number],
): Promise<void> {
  const driver = transition === 'assign' ? { driver: `/api/v1/drivers/${organization.driverId}` } : {};
  const answer = await http.send('POST', `${shipment[task]}/transition`, {
    token: organization.token,
    body: { transition, ...driver },
  });
  if (answer.status === 200) return;
  if (answer.status === 202) {
    await untilApplied(http, organization, textAt(answer.body, '@id'));
    return;
  }
  throw new Error(`${transition}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
}

async function untilApplied(http: HttpClient, { token }: Organization, command: string): Promise<void> {
  for (;;) {
    const status = at((await http.send('GET', command, { token })).body, 'status');
    if (status === 'applied') return;
    if (status !== 'received') throw new Error(`a command was ${String(status)}`);
    await delay(50);
  }
}

/** Runs `act` for 0 … count - 1, `width` at a time. */
export async function inParallel(
  width: number,
  count: number,
  act: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await act(next - 1);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Waits until a run has taken up each shipment. */
export async function untilAllRun({ pool }: Deployment, ids: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ running: string }>(
      'select count(*) as running from shipments where id = any($1::uuid[]) and workflow_started_at is not null',
      [ids],
    );
    if (Number(rows[0]?.running) === ids.length) return;
    await delay(20);
  }
}

async function pickupPointOf({ database }: Deployment, { id }: Organization): Promise<string> {
  const known = await selectOne<{ id: string }>(
    database,
    'select id from pickup_points where organization_id = $1',
    [id],
  );
  if (known !== undefined) return known.id;
  const point = newId<'pickup_point'>();
  await execute(
    database,
    `insert into pickup_points (id, organization_id, name, address) values ($1, $2, 'Bench', $3::jsonb)`,
    [point, id, JSON.stringify({ ...ADDRESS, latitude: null, longitude: null, landmark: null })],
  );
  return point;
}
