import type { Checks } from './checks.ts';
import type { Caller, ServiceClient } from './client.ts';
import { faultsOfCollection } from './contract.ts';
import type { Deployment, Organization } from './deployment.ts';
import { listAt, neededText, StoryStopped, textAt, valueAt } from './reading.ts';

/** Who takes part, signed in. */
export interface Cast {
  readonly shop: Caller;
  readonly admin: Caller;
  readonly dispatcher: Caller;
  readonly merchant: Caller;
}

/** A driver whom the dispatcher may assign. */
export interface Driver {
  readonly iri: string;
  readonly name: string;
}

const ROLES = {
  admin: 'ROLE_ORG_ADMIN',
  dispatcher: 'ROLE_DISPATCHER',
  merchant: 'ROLE_MERCHANT',
} as const;

/** Signs in the admin, the dispatcher and the merchant of the organization. */
export async function signIn(client: ServiceClient, deployment: Deployment, checks: Checks): Promise<Cast> {
  const { organization } = deployment;
  const [admin, dispatcher, merchant] = [
    await signInAs(client, organization, 'admin', checks),
    await signInAs(client, organization, 'dispatcher', checks),
    await signInAs(client, organization, 'merchant', checks),
  ];
  return { shop: keyHolder('shop', organization), admin, dispatcher, merchant };
}

/** A system with an organization's API key. */
export function keyHolder(name: string, { apiKey }: Organization): Caller {
  return { name, headers: { 'x-api-key': apiKey } };
}

/** Lists the available drivers, and hires one where there is none. */
export async function findDrivers(
  client: ServiceClient,
  dispatcher: Caller,
  checks: Checks,
): Promise<readonly [Driver, ...Driver[]]> {
  const listed = await client.send(dispatcher, 'GET', '/drivers?isAvailable=true');
  checks.same(listed.status, 200, 'GET /drivers');
  checks.faultless(faultsOfCollection(listed.body), 'GET /drivers');
  const [first, ...others] = listAt(listed.body, 'member').map(readDriver);
  if (first !== undefined) return [first, ...others];
  const hired = await client.send(dispatcher, 'POST', '/drivers', {
    firstName: 'Nadia',
    lastName: 'Berrada',
    phoneNumber: '+33639980077',
    vehicleType: 'van',
  });
  checks.same(hired.status, 201, 'POST /drivers');
  return [readDriver(hired.body)];
}

/** Finds a pickup point, and opens one where there is none. */
export async function findPickupPoint(
  client: ServiceClient,
  caller: Caller,
  checks: Checks,
): Promise<string> {
  const listed = await client.send(caller, 'GET', '/pickup-points');
  checks.same(listed.status, 200, 'GET /pickup-points');
  const known = textAt(listed.body, 'member.0.@id');
  if (known !== '') return known;
  const opened = await client.send(caller, 'POST', '/pickup-points', {
    name: 'Dépôt Bretagne',
    address: { street: '55 rue de Bretagne', city: 'Paris', postalCode: '75003' },
  });
  checks.same(opened.status, 201, 'POST /pickup-points');
  return neededText(opened.body, '@id');
}

function readDriver(driver: unknown): Driver {
  const name = ['firstName', 'lastName'].map((part) => textAt(driver, part)).join(' ');
  return { iri: neededText(driver, '@id'), name: name.trim() };
}

async function signInAs(
  client: ServiceClient,
  organization: Organization,
  part: keyof typeof ROLES,
  checks: Checks,
): Promise<Caller> {
  const user = organization.users.find(({ role }) => role === ROLES[part]);
  if (user === undefined) {
    throw new StoryStopped(`The credentials file has no user with ${ROLES[part]} in ${organization.name}.`);
  }
  const { email, password } = user;
  const answer = await client.send({ name: part, headers: {} }, 'POST', '/login_check', { email, password });
  if (answer.status === 401) {
    throw new StoryStopped(
      `${email} cannot sign in: the password in the credentials file is not the right one.`,
    );
  }
  checks.same(answer.status, 200, 'POST /login_check');
  checks.expect(
    typeof valueAt(answer.body, 'refresh_token') === 'string',
    'signing in gives a refresh_token',
  );
  return { name: part, headers: { authorization: `Bearer ${neededText(answer.body, 'token')}` } };
}
