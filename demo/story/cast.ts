import type { Checks } from './checks.ts';
import type { Caller, ServiceClient } from './client.ts';
import { faultsOfCollection } from './contract.ts';
import type { Deployment, Organization } from './deployment.ts';
import { idOf, listAt, neededText, StoryStopped, textAt, valueAt } from './reading.ts';

/** Who takes part, signed in. */
export interface Cast {
  readonly shop: Caller;
  readonly admin: Caller;
  readonly dispatcher: Caller;
  readonly merchant: Caller;
  readonly drivers: readonly [Driver, ...Driver[]];
}

/** A driver whom the dispatcher may assign. */
export interface Driver {
  readonly iri: string;
  readonly name: string;
  /** The driver's own app, where the driver can sign in; else the dispatcher reports the driver's moves. */
  readonly app: Caller | undefined;
}

/** Someone who has signed in, with the id that the token names. */
interface SignedIn {
  readonly caller: Caller;
  readonly userId: string;
}

const ROLES = {
  admin: 'ROLE_ORG_ADMIN',
  dispatcher: 'ROLE_DISPATCHER',
  merchant: 'ROLE_MERCHANT',
  driver: 'ROLE_DRIVER',
} as const;

/** Signs in the admin, the dispatcher, the merchant and the driver of the organization, and lists its drivers. */
export async function signIn(client: ServiceClient, deployment: Deployment, checks: Checks): Promise<Cast> {
  const { organization } = deployment;
  const admin = await signInAs(client, organization, 'admin', checks);
  const dispatcher = await signInAs(client, organization, 'dispatcher', checks);
  const merchant = await signInAs(client, organization, 'merchant', checks);
  const driver = await signInAs(client, organization, 'driver', checks);
  return {
    shop: keyHolder('shop', organization),
    admin: admin.caller,
    dispatcher: dispatcher.caller,
    merchant: merchant.caller,
    drivers: await findDrivers(client, dispatcher.caller, driver, checks),
  };
}

/** A system with an organization's API key. */
export function keyHolder(name: string, { apiKey }: Organization): Caller {
  return { name, headers: { 'x-api-key': apiKey } };
}

/** Lists the available drivers, the one who signed in first, and hires one where there is none. */
async function findDrivers(
  client: ServiceClient,
  dispatcher: Caller,
  signedIn: SignedIn,
  checks: Checks,
): Promise<readonly [Driver, ...Driver[]]> {
  const listed = await client.send(dispatcher, 'GET', '/drivers?isAvailable=true');
  checks.same(listed.status, 200, 'GET /drivers');
  checks.faultless(faultsOfCollection(listed.body), 'GET /drivers');
  const [first, ...others] = listAt(listed.body, 'member')
    .map((driver) => readDriver(driver, signedIn))
    .toSorted((left, right) => Number(right.app !== undefined) - Number(left.app !== undefined));
  if (first !== undefined) return [first, ...others];
  const hired = await client.send(dispatcher, 'POST', '/drivers', {
    firstName: 'Nadia',
    lastName: 'Berrada',
    phoneNumber: '+33639980077',
    vehicleType: 'van',
  });
  checks.same(hired.status, 201, 'POST /drivers');
  return [readDriver(hired.body, signedIn)];
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

function readDriver(driver: unknown, signedIn: SignedIn): Driver {
  const name = ['firstName', 'lastName'].map((part) => textAt(driver, part)).join(' ');
  const isSignedIn = idOf(textAt(driver, 'user')) === signedIn.userId;
  return {
    iri: neededText(driver, '@id'),
    name: name.trim(),
    app: isSignedIn ? signedIn.caller : undefined,
  };
}

async function signInAs(
  client: ServiceClient,
  organization: Organization,
  part: keyof typeof ROLES,
  checks: Checks,
): Promise<SignedIn> {
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
  const token = neededText(answer.body, 'token');
  return {
    caller: { name: part, headers: { authorization: `Bearer ${token}` } },
    userId: subjectOf(token),
  };
}

/** The `sub` claim of a token (RFC 7519), unverified: it only tells which driver has signed in. */
function subjectOf(token: string): string {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return neededText(claims, 'sub');
}
