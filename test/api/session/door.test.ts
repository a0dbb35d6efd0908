import { randomUUID } from 'node:crypto';
import test from 'ava';
import { routes } from '../../../api/routes.ts';
import { OWN_PAGE, sendToDesk, signInAtDesk } from '../../harness/desk.ts';
import { makeOrganization, makeTeam, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { sendRaw } from '../../harness/raw-request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

type Headers = Readonly<Record<string, string>>;

/** Where a request comes from, as its headers say, and whether it may change something. */
const ORIGINS: readonly (readonly [name: string, headers: (ownOrigin: string) => Headers, isOwn: boolean])[] =
  [
    ['the own page', () => OWN_PAGE, true],
    ['the own page, by Origin', (origin) => ({ origin, 'x-requested-with': 'x' }), true],
    [
      'the own page behind a development proxy',
      () => ({ ...OWN_PAGE, origin: 'http://localhost:5173' }),
      true,
    ],
    ['the own page without the header', () => ({ 'sec-fetch-site': 'same-origin' }), false],
    ['the own page by Origin, without the header', (origin) => ({ origin }), false],
    [
      'a form of another site',
      () => ({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
      false,
    ],
    ['a script of another site', () => ({ ...OWN_PAGE, 'sec-fetch-site': 'cross-site' }), false],
    ['a sibling domain', () => ({ ...OWN_PAGE, 'sec-fetch-site': 'same-site' }), false],
    ['an address that was typed', () => ({ ...OWN_PAGE, 'sec-fetch-site': 'none' }), false],
    [
      'another site that forges Origin beside',
      (origin) => ({ ...OWN_PAGE, 'sec-fetch-site': 'cross-site', origin }),
      false,
    ],
    ['another origin', () => ({ origin: 'https://evil.example', 'x-requested-with': 'x' }), false],
    ['an origin that begins alike', (origin) => ({ origin: `${origin}0`, 'x-requested-with': 'x' }), false],
    ['an origin that is hidden', () => ({ origin: 'null', 'x-requested-with': 'x' }), false],
    ['no browser at all', () => ({ 'x-requested-with': 'x' }), false],
  ];

test('403 every unsafe request, sign-in too, that does not come from the console’s own page', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { email, password } = user;
  const { cookie } = await signInAtDesk(service, user);
  const ownOrigin = new URL(service.baseUrl).origin;
  for (const [name, headersOf, isOwn] of ORIGINS) {
    const headers = { ...headersOf(ownOrigin), cookie };
    const zone = { name: 'Forged', polygon: null, baseFee: '1.00' };
    // What is wrong with the zone is only seen by a request that passes.
    const write = await sendToDesk(service, 'POST', '/v1/zones', { body: zone, headers });
    t.is(write.status, isOwn ? 422 : 403, name);
    t.regex(write.headers.get('content-type') ?? '', /^application\/problem\+json/, name);
    const signIn = { body: { email, password }, headers: headersOf(ownOrigin) };
    const session = await sendToDesk(service, 'POST', '/session', signIn);
    t.is(session.status, isOwn ? 200 : 403, name);
    t.is(session.headers.has('set-cookie'), isOwn, name);
  }
});

test('403 the forged requests of each method did nothing; reads are answered from anywhere', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { cookie } = await signInAtDesk(service, user);
  const forged = { headers: { cookie, 'sec-fetch-site': 'cross-site' } };
  for (const [method, path] of [
    ['DELETE', '/session'],
    ['PATCH', '/session'],
    ['POST', '/v1/logout'],
    ['DELETE', `/v1/users/${user.id}`],
    ['PUT', '/session'],
    ['POST', '/nothing'],
  ] as const) {
    t.is((await sendToDesk(service, method, path, forged)).status, 403, `${method} ${path}`);
  }
  t.is((await sendToDesk(service, 'GET', '/session', forged)).status, 200);
  t.is((await sendToDesk(service, 'HEAD', '/session', forged)).status, 200);
  t.is(
    (await sendToDesk(service, 'OPTIONS', '/session', forged)).headers.get('access-control-allow-origin'),
    null,
  );
});

test('401 whatever is not the cookie of a live session opens nothing at the console’s door', async (t) => {
  const { user, token, organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { cookie } = await signInAtDesk(service, user);
  const [name = '', secret = ''] = cookie.split('=');
  const rows: Readonly<Record<string, Headers>> = {
    nothing: {},
    'a token': { authorization: `Bearer ${token}` },
    'a token as cookie': { cookie: `${name}=${token}` },
    'the secret as token': { authorization: `Bearer ${secret}` },
    'a key': { 'x-api-key': organization.apiKey },
    'a key as cookie': { cookie: `${name}=${organization.apiKey}` },
    'an empty cookie': { cookie: `${name}=` },
    'a guessed cookie': { cookie: `${name}=${'A'.repeat(43)}` },
    'a longer cookie': { cookie: `${cookie}A` },
    'a shorter cookie': { cookie: cookie.slice(0, -1) },
    'another name': { cookie: `${name}s=${secret}` },
    'the name of a service on another port': { cookie: `session-1=${secret}` },
    'the name of https': { cookie: `__Secure-${cookie}` },
  };
  for (const [row, headers] of Object.entries(rows)) {
    for (const path of ['/session', '/v1/users/me']) {
      const answer = await sendToDesk(service, 'GET', path, { headers: { ...OWN_PAGE, ...headers } });
      t.is(answer.status, 401, `${row}: ${path}`);
      t.is(answer.headers.get('www-authenticate'), 'Cookie realm="desk"', row);
    }
  }
  t.is((await sendToDesk(service, 'GET', '/session', { headers: { cookie } })).status, 200);
  const both = { cookie, authorization: 'Bearer nonsense' };
  t.is((await sendToDesk(service, 'GET', '/v1/users/me', { headers: both })).status, 200);
});

test('401 every row of the dashboard reads the cookie alone at the door, 403 without the own page', async (t) => {
  const { token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const rows = routes.filter(({ surface }) => surface === 'dashboard');
  t.true(rows.length > 50);
  for (const { method, path, operation } of rows) {
    const address = `/desk/api/v1${path.replaceAll(/\{\w+\}/g, randomUUID())}`;
    const authorization = `Bearer ${token}`;
    const own = await sendRaw(service, method, address, { headers: { ...OWN_PAGE, authorization } });
    t.is(own.status, 401, operation);
    const other = await sendRaw(service, method, address, { headers: { 'sec-fetch-site': 'cross-site' } });
    t.is(other.status, method === 'GET' ? 401 : 403, operation);
  }
});

test('401 a cookie opens nothing on /api/v1, which reads the token alone', async (t) => {
  const { user, token } = await makeTeam(service);
  const { cookie } = await signInAtDesk(service, user);
  const headers = { ...OWN_PAGE, cookie };
  t.is((await send(service, 'GET', '/users/me', { headers })).status, 401);
  t.is((await send(service, 'GET', '/external/shipments/x', { headers })).status, 401);
  t.is((await send(service, 'GET', '/users/me', { headers, token })).status, 200);
  const secret = cookie.slice(cookie.indexOf('=') + 1);
  t.is((await send(service, 'GET', '/users/me', { token: secret })).status, 401);
});

test('404 the door leads to the dashboard’s rows alone', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { cookie } = await signInAtDesk(service, user);
  const others = routes.filter(({ surface }) => surface !== 'dashboard');
  t.true(others.length >= 4);
  const addresses: readonly (readonly [method: string, path: string])[] = [
    ...others.map(({ method, path }) => [method, `/v1${path.replace('{id}', randomUUID())}`] as const),
    ...['', '/', '/v1', '/v1/', '/v1/docs', '/v1/session', '/v2/users/me', '/session/', '/board'].map(
      (path) => ['GET', path] as const,
    ),
    ['GET', '/v1/../../../api/v1/docs.json'],
    ['GET', '/v1/%2e%2e/%2e%2e/api/v1/docs.json'],
  ];
  for (const [method, path] of addresses) {
    const answer = await sendRaw(service, method, `/desk/api${path}`, { headers: { ...OWN_PAGE, cookie } });
    t.is(answer.status, 404, path);
    t.regex(answer.headers['content-type'] ?? '', /^application\/problem\+json/, path);
  }
});

test('200 the rows answer as on /api/v1: bodies, links, tags, problems and permissions', async (t) => {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { token } = user;
  const desk = await signInAtDesk(service, user);
  for (const body of [shipmentBodyWith(), shipmentBodyWith()]) {
    t.is((await desk.send('POST', '/v1/shipments', { body })).status, 201);
  }
  const page = '/shipments?itemsPerPage=1';
  const [ours, theirs] = [await desk.send('GET', `/v1${page}`), await send(service, 'GET', page, { token })];
  const withoutMoment = (body: unknown) => JSON.stringify(body).replaceAll(/asOf=[^"&]*/g, '');
  t.is(withoutMoment(ours.body), withoutMoment(theirs.body));
  t.true(textAt(ours.body, 'view.next').startsWith('/api/v1/shipments?'));
  t.is(ours.headers.get('vary'), 'Accept, Accept-Language, Cookie');
  t.is(ours.headers.get('cache-control'), 'no-store');
  t.truthy(ours.headers.get('ratelimit'));

  const shipment = textAt(listAt(ours.body, 'member')[0], '@id').replace('/api', '');
  const read = await desk.send('GET', shipment);
  const etag = read.headers.get('etag') ?? '';
  t.is((await desk.send('GET', shipment, { headers: { 'if-none-match': etag } })).status, 304);
  const stale = { body: { notes: 'x' }, headers: { 'if-match': '"another"' } };
  t.is(
    (await desk.send('PATCH', shipment, { ...stale, contentType: 'application/merge-patch+json' })).status,
    412,
  );
  t.is((await desk.send('DELETE', shipment)).status, 403);
  const foreign = await makeTeam(service);
  const notOurs = await (await signInAtDesk(service, foreign.user)).send('GET', shipment);
  t.is(notOurs.status, 403);
  t.is(at(notOurs.body, '@type'), 'Error');
});

test('201 a key of Idempotency-Key means the same request at both doors', async (t) => {
  const { user, token } = await makeTeam(service);
  const desk = await signInAtDesk(service, user);
  const request = { body: shipmentBodyWith(), headers: { 'idempotency-key': randomUUID() } };
  const first = await desk.send('POST', '/v1/shipments', request);
  const again = await send(service, 'POST', '/shipments', { ...request, token });
  t.deepEqual([first.status, again.status], [201, 201]);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  t.is(textAt(again.body, '@id'), textAt(first.body, '@id'));
});
