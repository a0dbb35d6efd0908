import { randomInt, randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, selectOne } from '../../../store/connection.ts';
import { deleteExpired } from '../../../store/expiry.ts';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import type { MadeUser } from '../../harness/make.ts';
import { at, send } from '../../harness/request.ts';
import type { HttpAnswer } from '../../harness/request.ts';
import type { TestService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';

/** Two API processes behind a proxy, over one database. */

const SETTINGS = {
  TRUSTED_PROXY_HOPS: '1',
  LOGIN_FAILURES_PER_MINUTE: '4',
  LOGIN_ATTEMPTS_PER_MINUTE: '3',
};
const service = useService({ withWorkers: false, settings: SETTINGS });
const twin = useService({ besides: service, withWorkers: false, settings: SETTINGS });

/** An address of a test's own. */
function anyAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

function login(
  address: string,
  email: string,
  password = 'wrong',
  api: TestService = service,
): Promise<HttpAnswer> {
  const headers = { 'x-forwarded-for': address };
  return send(api, 'POST', '/login_check', {
    body: { email, password },
    contentType: 'application/json',
    headers,
  });
}

function anyEmail(): string {
  return `${randomUUID()}@example.com`;
}

async function person(): Promise<MadeUser> {
  return makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
}

async function exhaust(address: string): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt += 1) await login(address, anyEmail());
}

/** Lets time pass for an address's window, as the database would see it. */
async function age(address: string, seconds: number): Promise<void> {
  await execute(
    service.database,
    `update rate_windows set hits = array(select h - make_interval(secs => $2) from unnest(hits) h)
     where subject = 'login-address:' || $1`,
    [address, seconds],
  );
}

function windowOf(subject: string): Promise<{ hits: number } | undefined> {
  return selectOne(
    service.database,
    'select cardinality(hits) as hits from rate_windows where subject = $1',
    [subject],
  );
}

test('429 past the wrong passwords of an address, at every process and for every account', async (t) => {
  const address = anyAddress();
  const { email, password } = await person();
  for (const api of [service, twin, service, twin]) {
    t.is((await login(address, anyEmail(), 'wrong', api)).status, 401);
  }
  for (const api of [service, twin]) {
    const answer = await login(address, email, password, api);
    t.is(answer.status, 429);
    t.is(at(answer.body, 'status'), 429);
    t.regex(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    t.is(answer.headers.get('ratelimit-policy'), '"login-address";q=4;w=60');
    t.regex(answer.headers.get('ratelimit') ?? '', /^"login-address";r=0;t=\d+$/);
    t.is(answer.headers.get('x-ratelimit-remaining'), '0');
  }
  t.is((await login(anyAddress(), email, password)).status, 200);
});

test('401 and 200 tell what both limits still take', async (t) => {
  const address = anyAddress();
  const { email, password } = await person();
  await login(address, anyEmail());
  for (const [guess, status, rest] of [
    ['wrong', 401, '"login-address";r=2;t=60, "login";r=2;t=60'],
    [password, 200, '"login-address";r=1;t=60, "login";r=1;t=60'],
  ] as const) {
    const answer = await login(address, email, guess);
    t.is(answer.status, status);
    t.is(answer.headers.get('ratelimit-policy'), '"login-address";q=4;w=60, "login";q=3;w=60');
    t.is(answer.headers.get('ratelimit')?.replaceAll(/t=\d+/g, 't=60'), rest);
    t.is(answer.headers.get('x-ratelimit-limit'), '4');
  }
});

test('200 right passwords cost the address nothing: a whole shift signs in from one', async (t) => {
  const address = anyAddress();
  const organization = await makeOrganization(service);
  for (let count = 0; count < 9; count += 1) {
    const { email, password } = await makeUser(service, organization, 'ROLE_DRIVER');
    t.is((await login(address, email, password)).status, 200);
  }
  t.is((await windowOf(`login-address:${address}`))?.hits, 0);
  await deleteExpired(service.database);
  t.is(await windowOf(`login-address:${address}`), undefined);
});

test('200 wrong passwords from other addresses do not lock an account', async (t) => {
  const { email, password } = await person();
  for (let count = 0; count < 12; count += 1) {
    t.is((await login(anyAddress(), email)).status, 401);
  }
  t.is((await login(anyAddress(), email, password)).status, 200);
});

test('429 addresses of one IPv6 /64 count as one, those of the next do not', async (t) => {
  const network = `2001:db8:${randomInt(65_536).toString(16)}`;
  for (const host of ['::1', '::2', ':3:4:5:6', '::ffff']) {
    t.is((await login(`${network}:0${host}`, anyEmail())).status, 401);
  }
  t.is((await login(`${network}:0::9`, anyEmail())).status, 429);
  t.is((await login(`${network}:1::9`, anyEmail())).status, 401);
});

test('429 an attempt that its account refuses costs the address nothing, and the other way round', async (t) => {
  const address = anyAddress();
  const { email } = await person();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await login(address, email)).status);
  t.deepEqual(statuses, [401, 401, 401, 429, 429, 429]);
  t.is((await windowOf(`login-address:${address}`))?.hits, 3);
  t.is((await login(address, anyEmail())).status, 401);
  const untouched = anyEmail();
  t.is((await login(address, untouched)).status, 429);
  t.is(await windowOf(`login:${address} ${untouched}`), undefined);
});

test('401 waiting exactly as Retry-After says is enough, two seconds less are not', async (t) => {
  const address = anyAddress();
  await exhaust(address);
  const limited = await login(address, anyEmail());
  t.is(limited.status, 429);
  const seconds = Number(limited.headers.get('retry-after'));
  t.true(seconds > 30 && seconds <= 60);
  await age(address, seconds - 2);
  t.is((await login(address, anyEmail(), 'wrong', twin)).status, 429);
  await age(address, 2);
  t.is((await login(address, anyEmail())).status, 401);
});

test('422 a signed-in user’s own password is not closed by strangers at its address', async (t) => {
  const address = anyAddress();
  const { token, password } = await person();
  await exhaust(address);
  const answer = await send(service, 'POST', '/users/me/password', {
    token,
    body: { currentPassword: 'not my password', newPassword: 'a much better password' },
    headers: { 'x-forwarded-for': address },
  });
  t.is(answer.status, 422);
  t.is(answer.headers.get('ratelimit-policy'), '"login";q=3;w=60');
  const changed = await send(service, 'POST', '/users/me/password', {
    token,
    body: { currentPassword: password, newPassword: 'a much better password' },
    headers: { 'x-forwarded-for': address },
  });
  t.is(changed.status, 204);
});
