import test from 'ava';
import { makeDriver, makeMerchant, makeOrganization, makeUser } from '../../harness/make.ts';
import type { MadeOrganization } from '../../harness/make.ts';
import { at, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

let serial = 0;
function person(fields: Readonly<Record<string, unknown>> = {}) {
  serial += 1;
  return {
    email: `person-${serial}@example.com`,
    password: 'ten characters',
    firstName: 'Marc',
    lastName: 'Lefèvre',
    role: 'ROLE_DISPATCHER',
    ...fields,
  };
}

async function admin(organization?: MadeOrganization) {
  const own = organization ?? (await makeOrganization(service));
  return { organization: own, ...(await makeUser(service, own, 'ROLE_ORG_ADMIN')) };
}

async function signIn(email: string, password: string) {
  const body = { email, password };
  return send(service, 'POST', '/login_check', { body, contentType: 'application/json' });
}

test('201 creates a user who can sign in, and shows no password', async (t) => {
  const { token, organization } = await admin();
  const body = person({ email: 'Marc.Lefevre@Example.com' });
  const created = await send(service, 'POST', '/users', { token, body });
  t.is(created.status, 201);
  t.like(created.body, {
    '@type': 'User',
    email: 'marc.lefevre@example.com',
    role: 'ROLE_DISPATCHER',
    roles: ['ROLE_DISPATCHER'],
    isActive: true,
    organization: `/api/v1/organizations/${organization.id}`,
  });
  t.false(created.bytes.toString().includes(body.password));
  t.false(created.bytes.toString().includes('argon2'));
  const login = await signIn('MARC.lefevre@example.com', body.password);
  t.is(login.status, 200);
  const me = await send(service, 'GET', '/users/me', { token: textAt(login.body, 'token') });
  t.deepEqual([me.status, me.body], [200, created.body]);
});

test('200 users/me shows each role its organization, merchant and driver', async (t) => {
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  const shop = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const shown = await send(service, 'GET', '/users/me', { token: shop.token });
  t.is(at(shown.body, 'merchant'), `/api/v1/merchants/${merchantId}`);
  t.deepEqual(at(shown.body, 'roles'), ['ROLE_MERCHANT']);
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const driver = await makeDriver(service, organization, { userId: user.id });
  const moving = await send(service, 'GET', '/users/me', { token: user.token });
  t.is(at(moving.body, 'driver'), `/api/v1/drivers/${driver}`);
  t.is(at(moving.body, '@id'), `/api/v1/users/${user.id}`);
});

test('403 only an admin can see or write users', async (t) => {
  const organization = await makeOrganization(service);
  const { token, id } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  t.is((await send(service, 'GET', '/users', { token })).status, 403);
  t.is((await send(service, 'GET', `/users/${id}`, { token })).status, 403);
  t.is((await send(service, 'POST', '/users', { token, body: person() })).status, 403);
  t.is((await send(service, 'PATCH', `/users/${id}`, { token, body: {} })).status, 403);
  t.is((await send(service, 'DELETE', `/users/${id}`, { token })).status, 403);
});

test('403 another organization’s user cannot be read, changed, deleted or listed', async (t) => {
  const { token } = await admin();
  const other = await admin();
  const path = `/users/${other.id}`;
  t.is((await send(service, 'GET', path, { token })).status, 403);
  t.is((await send(service, 'PATCH', path, { token, body: { isActive: false } })).status, 403);
  t.is((await send(service, 'DELETE', path, { token })).status, 403);
  t.is(at((await send(service, 'GET', '/users', { token })).body, 'totalItems'), 1);
  t.is((await send(service, 'GET', '/users/me', { token: other.token })).status, 200);
});

test('422 an email is unique in the service, in any letter case, and reusable after a deletion', async (t) => {
  const { token } = await admin();
  const other = await admin();
  const body = person();
  const created = await send(service, 'POST', '/users', { token: other.token, body });
  const again = await send(service, 'POST', '/users', {
    token,
    body: { ...body, email: body.email.toUpperCase() },
  });
  t.is(again.status, 422);
  t.is(at(again.body, 'violations.0.propertyPath'), 'email');
  const second = await send(service, 'POST', '/users', { token, body: person() });
  const moved = await send(service, 'PATCH', textAt(second.body, '@id'), {
    token,
    body: { email: body.email },
  });
  t.is(moved.status, 422);
  await send(service, 'DELETE', textAt(created.body, '@id'), { token: other.token });
  t.is((await send(service, 'POST', '/users', { token, body })).status, 201);
});

test('422 a merchant’s user requires a merchant of the organization; others have none', async (t) => {
  const { token, organization } = await admin();
  const merchant = `/api/v1/merchants/${await makeMerchant(service, organization)}`;
  const foreign = `/api/v1/merchants/${await makeMerchant(service, await makeOrganization(service))}`;
  const refused = [
    person({ role: 'ROLE_MERCHANT' }),
    person({ role: 'ROLE_MERCHANT', merchant: foreign }),
    person({ role: 'ROLE_DISPATCHER', merchant }),
  ];
  for (const body of refused) {
    const answer = await send(service, 'POST', '/users', { token, body });
    t.is(answer.status, 422);
    t.is(at(answer.body, 'violations.0.propertyPath'), 'merchant');
  }
  const taken = await send(service, 'POST', '/users', {
    token,
    body: person({ role: 'ROLE_MERCHANT', merchant }),
  });
  t.is(taken.status, 201);
  const path = textAt(taken.body, '@id');
  const promoted = await send(service, 'PATCH', path, {
    token,
    body: { role: 'ROLE_DISPATCHER', merchant: null },
  });
  t.is(promoted.status, 200);
  t.is(at(promoted.body, 'merchant'), undefined);
});

test('422 no user has the API key’s role, and a password has 12 to 1000 characters', async (t) => {
  const { token } = await admin();
  const refused: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ role: 'ROLE_EXTERNAL_API' }, 'role'],
    [{ password: '11 letters.' }, 'password'],
    [{ password: 'x'.repeat(1_001) }, 'password'],
    [{ password: undefined }, 'password'],
    [{ email: 'nobody' }, 'email'],
  ];
  for (const [fields, path] of refused) {
    const answer = await send(service, 'POST', '/users', { token, body: person(fields) });
    t.is(answer.status, 422);
    t.is(at(answer.body, 'violations.0.propertyPath'), path);
  }
  for (const length of [12, 1_000]) {
    const body = person({ password: 'ab1-cd2_ef3.'.repeat(84).slice(0, length) });
    t.is((await send(service, 'POST', '/users', { token, body })).status, 201);
    t.is((await signIn(body.email, body.password)).status, 200);
  }
});

test('200 lists users, narrowed by role and isActive', async (t) => {
  const { token } = await admin();
  await send(service, 'POST', '/users', { token, body: person() });
  await send(service, 'POST', '/users', { token, body: person({ isActive: false }) });
  t.is(at((await send(service, 'GET', '/users', { token })).body, 'totalItems'), 3);
  const dispatchers = await send(service, 'GET', '/users?role=ROLE_DISPATCHER', { token });
  t.is(at(dispatchers.body, 'totalItems'), 2);
  const off = await send(service, 'GET', '/users?isActive=false', { token });
  t.is(at(off.body, 'totalItems'), 1);
  t.is((await send(service, 'GET', '/users?role=ADMIN', { token })).status, 400);
});

test('401 a changed password ends every session of the user, and the old one signs in no more', async (t) => {
  const { token } = await admin();
  const body = person();
  const created = await send(service, 'POST', '/users', { token, body });
  const login = await signIn(body.email, body.password);
  const own = textAt(login.body, 'token');
  const path = textAt(created.body, '@id');
  const renamed = await send(service, 'PATCH', path, { token, body: { firstName: 'Max' } });
  t.is(renamed.status, 200);
  t.is((await send(service, 'GET', '/users/me', { token: own })).status, 200);
  const changed = await send(service, 'PATCH', path, { token, body: { password: 'another password' } });
  t.is(changed.status, 200);
  t.false(changed.bytes.toString().includes('another password'));
  t.is((await send(service, 'GET', '/users/me', { token: own })).status, 401);
  const refresh = await send(service, 'POST', '/token/refresh', {
    body: { refresh_token: at(login.body, 'refresh_token') },
    contentType: 'application/json',
  });
  t.is(refresh.status, 401);
  t.is((await signIn(body.email, body.password)).status, 401);
  t.is((await signIn(body.email, 'another password')).status, 200);
});

test('401 a disabled user is signed out immediately, and can sign in once enabled again', async (t) => {
  const { token } = await admin();
  const body = person();
  const path = textAt((await send(service, 'POST', '/users', { token, body })).body, '@id');
  const own = textAt((await signIn(body.email, body.password)).body, 'token');
  t.is((await send(service, 'PATCH', path, { token, body: { isActive: false } })).status, 200);
  t.is((await send(service, 'GET', '/users/me', { token: own })).status, 401);
  t.is((await signIn(body.email, body.password)).status, 401);
  t.is((await send(service, 'PATCH', path, { token, body: { isActive: true } })).status, 200);
  t.is((await send(service, 'GET', '/users/me', { token: own })).status, 401);
  t.is((await signIn(body.email, body.password)).status, 200);
});

test('204 a deleted user is signed out and removed from its driver', async (t) => {
  const { token, organization } = await admin();
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const driver = await makeDriver(service, organization, { userId: user.id });
  const path = `/users/${user.id}`;
  t.is((await send(service, 'DELETE', path, { token })).status, 204);
  t.is((await send(service, 'GET', path, { token })).status, 404);
  t.is((await send(service, 'GET', '/users/me', { token: user.token })).status, 401);
  t.is((await signIn(user.email, user.password)).status, 401);
  t.is(at((await send(service, 'GET', `/drivers/${driver}`, { token })).body, 'user'), undefined);
});

test('409 the last active admin can neither be disabled, demoted nor deleted', async (t) => {
  const { token, id, organization } = await admin();
  const path = `/users/${id}`;
  t.is((await send(service, 'PATCH', path, { token, body: { isActive: false } })).status, 409);
  t.is((await send(service, 'PATCH', path, { token, body: { role: 'ROLE_DISPATCHER' } })).status, 409);
  t.is((await send(service, 'DELETE', path, { token })).status, 409);
  t.is((await send(service, 'PATCH', path, { token, body: { firstName: 'Inès' } })).status, 200);
  await admin(organization);
  t.is((await send(service, 'DELETE', path, { token })).status, 204);
});

test('409 of two admins who delete each other at the same moment one stays', async (t) => {
  const first = await admin();
  const second = await admin(first.organization);
  const answers = await Promise.all([
    send(service, 'DELETE', `/users/${second.id}`, { token: first.token }),
    send(service, 'DELETE', `/users/${first.id}`, { token: second.token }),
  ]);
  const statuses = answers.map(({ status }) => status).sort();
  t.is(statuses[0], 204);
  t.true(statuses[1] === 409 || statuses[1] === 401, String(statuses[1]));
});

test('422 roles, organization and driver are not set on the user', async (t) => {
  const { token, id } = await admin();
  const other = await makeOrganization(service);
  const body = {
    roles: ['ROLE_DISPATCHER'],
    organization: `/api/v1/organizations/${other.id}`,
    driver: `/api/v1/drivers/${id}`,
  };
  const answer = await send(service, 'PATCH', `/users/${id}`, { token, body });
  t.is(answer.status, 422);
  const paths = violationPaths(answer.body);
  t.deepEqual(paths.sort(), ['driver', 'organization', 'roles']);
});
