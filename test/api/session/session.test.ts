import test from 'ava';
import { hashSecret } from '../../../api/auth/tokens.ts';
import { PERMISSIONS, USER_ROLES } from '../../../domain/permission.ts';
import { execute, selectOne } from '../../../store/connection.ts';
import { deleteExpired } from '../../../store/expiry.ts';
import { signInAtDesk } from '../../harness/desk.ts';
import { makeDriver, makeMerchant, makeOrganization, makeTeam, makeUser } from '../../harness/make.ts';
import { at, fieldsOf, listAt, send } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

/** The attributes of a `Set-Cookie` header, in their order. */
const attributesOf = (setCookie: string | null) => (setCookie ?? '').split('; ').slice(1);

test('200 a sign-in says who is signed in, and its cookie is opaque and for the console alone', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_DISPATCHER', { currency: 'DZD' });
  const { signedIn, cookie } = await signInAtDesk(service, user);
  const setCookie = signedIn.headers.get('set-cookie');
  t.regex(cookie, /^session-\d+=[\w-]{43}$/);
  t.deepEqual(attributesOf(setCookie), ['Path=/desk', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Lax']);
  t.is(signedIn.headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(signedIn.headers.get('cache-control'), 'no-store');
  t.regex(signedIn.headers.get('vary') ?? '', /\bCookie\b/);
  const { expiresAt, permissions, ...answer } = fieldsOf(signedIn.body);
  t.deepEqual(answer, {
    user: {
      '@id': `/api/v1/users/${user.id}`,
      email: user.email,
      firstName: 'Test',
      lastName: 'ROLE_DISPATCHER',
      role: 'ROLE_DISPATCHER',
      merchant: null,
      driver: null,
      language: null,
      secondFactor: 'off',
    },
    organization: {
      '@id': `/api/v1/organizations/${organization.id}`,
      name: at(answer, 'organization.name'),
      currency: 'DZD',
      timezone: 'UTC',
      plan: 'pro',
    },
    version: service.dependencies.consoleFiles?.version ?? null,
    settings: { tilesUrl: null, tilesAttribution: null, hasGeocoder: false },
    links: { history: null },
  });
  const hours = (Date.parse(String(expiresAt)) - Date.now()) / 3_600_000;
  t.true(hours > 11.9 && hours < 12.1, String(hours));
  t.true(listAt({ permissions }, 'permissions').includes('task.transition'));
});

test('200 the answer is the same when the session is read, and names merchant and driver', async (t) => {
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const driver = await makeUser(service, organization, 'ROLE_DRIVER');
  const driverId = await makeDriver(service, organization, { userId: driver.id });
  for (const [user, path, iri] of [
    [merchant, 'user.merchant', `/api/v1/merchants/${merchantId}`],
    [driver, 'user.driver', `/api/v1/drivers/${driverId}`],
  ] as const) {
    const desk = await signInAtDesk(service, user);
    const read = await desk.send('GET', '/session');
    t.is(read.status, 200);
    t.deepEqual(read.body, desk.signedIn.body);
    t.is(at(read.body, path), iri);
  }
});

test('200 permissions are the actions of the table that the role may do', async (t) => {
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  for (const role of USER_ROLES) {
    const options = role === 'ROLE_MERCHANT' ? { merchantId } : {};
    const { signedIn } = await signInAtDesk(service, await makeUser(service, organization, role, options));
    const granted = Object.entries(PERMISSIONS).flatMap(([action, grants]) =>
      role in grants ? [action] : [],
    );
    t.deepEqual(listAt(signedIn.body, 'permissions'), granted, role);
  }
});

test('200 settings and links are those of the deployment; histories are for those who see all', async (t) => {
  const other = await startService({
    besides: service,
    withWorkers: false,
    settings: {
      PUBLIC_URL: 'https://desk.example.com',
      MAP_TILES_URL: 'https://{s}.tiles.example.com/{z}/{x}/{y}.png',
      MAP_TILES_ATTRIBUTION: '© Tiles',
      GEOCODER_URL: 'https://geocoder.example.com/api',
      TEMPORAL_UI_URL: 'https://temporal.example.com/',
    },
  });
  t.teardown(other.stop);
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  const desk = await signInAtDesk(other, await makeUser(service, organization, 'ROLE_ORG_ADMIN'));
  t.deepEqual(at(desk.signedIn.body, 'settings'), {
    tilesUrl: 'https://{s}.tiles.example.com/{z}/{x}/{y}.png',
    tilesAttribution: '© Tiles',
    hasGeocoder: true,
  });
  const history = 'https://temporal.example.com/namespaces/default/workflows/{workflowId}';
  t.is(at(desk.signedIn.body, 'links.history'), history);
  const merchant = await signInAtDesk(
    other,
    await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId }),
  );
  t.is(at(merchant.signedIn.body, 'links.history'), null);

  // Where the public address is https, the cookie is for TLS alone, and another name of it opens nothing.
  t.regex(desk.cookie, /^__Secure-session=[\w-]{43}$/);
  t.is(attributesOf(desk.signedIn.headers.get('set-cookie')).at(-1), 'Secure');
  t.is((await desk.send('GET', '/session')).status, 200);
  const bare = desk.cookie.replace('__Secure-', '');
  t.is((await desk.send('GET', '/session', { headers: { cookie: bare } })).status, 401);
});

test('200 the chosen language is kept, for this session and the next; 422 another one', async (t) => {
  const { user, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const desk = await signInAtDesk(service, user);
  const before = await send(service, 'GET', '/users/me', { token });
  const contentType = 'application/merge-patch+json';
  const changed = await desk.send('PATCH', '/session', { body: { language: 'ar' }, contentType });
  t.is(changed.status, 200);
  t.is(at(changed.body, 'user.language'), 'ar');
  const next = await signInAtDesk(service, user);
  t.is(at(next.signedIn.body, 'user.language'), 'ar');
  for (const language of ['de', null, 7]) {
    t.is((await desk.send('PATCH', '/session', { body: { language } })).status, 422, String(language));
  }
  t.is((await desk.send('PATCH', '/session', { body: {} })).status, 422);
  t.is(at((await desk.send('GET', '/session')).body, 'user.language'), 'ar');
  const after = await send(service, 'GET', '/users/me', { token });
  t.is(after.headers.get('etag'), before.headers.get('etag'), 'an edit of the user is not in conflict');
});

test('204 a sign-out ends the session immediately and takes the cookie away', async (t) => {
  const { user } = await makeTeam(service);
  const desk = await signInAtDesk(service, user);
  const elsewhere = await signInAtDesk(service, user);
  const answer = await desk.send('DELETE', '/session');
  t.is(answer.status, 204);
  const [name = ''] = desk.cookie.split('=');
  const gone = `${name}=; Path=/desk; Max-Age=0; HttpOnly; SameSite=Lax`;
  t.is(answer.headers.get('set-cookie'), gone);
  t.is((await desk.send('GET', '/session')).status, 401);
  t.is((await desk.send('DELETE', '/session')).status, 401);
  t.is((await elsewhere.send('GET', '/session')).status, 200);
});

test('422 and 400 a sign-in without credentials; 405 names the methods of the session', async (t) => {
  const desk = await signInAtDesk(service, (await makeTeam(service)).user);
  t.is((await desk.send('POST', '/session', { body: {} })).status, 422);
  t.is((await desk.send('POST', '/session', { body: 'email=a&password=b' })).status, 400);
  const put = await desk.send('PUT', '/session', { body: {} });
  t.is(put.status, 405);
  t.is(put.headers.get('allow'), 'OPTIONS, POST, GET, HEAD, PATCH, DELETE');
});

test('429 sign-ins at the console and with tokens count against the same limit', async (t) => {
  const settings = { LOGIN_ATTEMPTS_PER_MINUTE: '2' };
  const strict = await startService({ besides: service, withWorkers: false, settings });
  t.teardown(strict.stop);
  const { user } = await makeTeam(service);
  const wrong = { email: user.email, password: 'not my password' };
  const atConsole = await t.throwsAsync(signInAtDesk(strict, wrong));
  t.regex(atConsole.message, /got 401.*Invalid credentials/);
  const login = (body: unknown) =>
    send(strict, 'POST', '/login_check', { body, contentType: 'application/json' });
  t.is((await login(wrong)).status, 401);
  const limited = await t.throwsAsync(signInAtDesk(strict, user));
  t.regex(limited.message, /got 429/);
  t.is((await login({ email: user.email, password: user.password })).status, 429);
});

test('the cookie is not stored as it is, and an ended session is deleted in its time', async (t) => {
  const { user } = await makeTeam(service);
  const { cookie } = await signInAtDesk(service, user);
  const secret = cookie.slice(cookie.indexOf('=') + 1);
  const stored = await selectOne<{ row: string; hash: Buffer }>(
    service.database,
    'select s::text as row, s.cookie_hash as hash from sessions s where user_id = $1 and cookie_hash is not null',
    [user.id],
  );
  t.deepEqual(stored?.hash, hashSecret(secret));
  t.false(stored?.row.includes(secret));
  await execute(
    service.database,
    `update sessions set idle_expires_at = clock_timestamp() - interval '1 second' where user_id = $1 and cookie_hash is not null`,
    [user.id],
  );
  await deleteExpired(service.database);
  const left = await selectOne<{ tokens: number; cookies: number }>(
    service.database,
    `select count(*) filter (where cookie_hash is null)::int as tokens,
       count(*) filter (where cookie_hash is not null)::int as cookies from sessions where user_id = $1`,
    [user.id],
  );
  t.deepEqual(left, { tokens: 1, cookies: 0 }, 'sessions of tokens stay');
});
