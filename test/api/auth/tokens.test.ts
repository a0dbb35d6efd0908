import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import test from 'ava';
import { SignJWT } from 'jose';
import { execute } from '../../../store/connection.ts';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import { at, send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** Tokens of every kind that must not open anything, made with another author's library or by hand. */

const service = useService({ withWorkers: false });

type Claims = Readonly<Record<string, unknown>>;

/** A user, and the claims of a token that is good for it. */
async function cast() {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const [, payload = ''] = user.token.split('.');
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return { organization, user, claims: typeof claims === 'object' ? { ...claims } : {} };
}

function signed(claims: Claims, secret: string, algorithm = 'HS256'): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: algorithm }).sign(Buffer.from(secret));
}

/** A token with whatever header and signature, which no library would make. */
function assembled(header: Claims, claims: Claims, signature: (input: string) => string): string {
  const input = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${signature(input)}`;
}

async function statusOf(token: string): Promise<{ status: number; message: unknown }> {
  const { status, body } = await send(service, 'GET', '/shipments', { token });
  return { status, message: at(body, 'message') };
}

const INVALID = { status: 401, message: 'Invalid JWT Token' };
const now = () => Math.floor(Date.now() / 1_000);

test('200 the same claims signed by another library with our key are taken', async (t) => {
  const { claims } = await cast();
  t.is((await statusOf(await signed(claims, service.config.jwtSecret))).status, 200);
});

test('401 without a token', async (t) => {
  const answer = await send(service, 'GET', '/shipments');
  t.is(answer.status, 401);
  t.is(at(answer.body, 'message'), 'JWT Token not found');
  t.is(answer.headers.get('www-authenticate'), 'Bearer');
});

for (const header of ['Basic dTpw', 'Bearer', 'token', 'Bearer a b', 'JWT x']) {
  test(`401 with Authorization: ${header}`, async (t) => {
    const answer = await send(service, 'GET', '/shipments', { headers: { authorization: header } });
    t.is(answer.status, 401);
  });
}

for (const token of ['x', 'a.b.c', '..', 'eyJhbGciOiJIUzI1NiJ9..', `${'a'.repeat(5_000)}.b.c`]) {
  test(`401 with the token ${token.slice(0, 25)}`, async (t) => {
    t.deepEqual(await statusOf(token), INVALID);
  });
}

test('401 an expired token is told that it is', async (t) => {
  const { claims } = await cast();
  const token = await signed({ ...claims, iat: now() - 14_401, exp: now() - 1 }, service.config.jwtSecret);
  t.deepEqual(await statusOf(token), { status: 401, message: 'Expired JWT Token' });
});

test('401 a token signed with another key', async (t) => {
  const { claims } = await cast();
  t.deepEqual(await statusOf(await signed(claims, randomUUID() + randomUUID())), INVALID);
});

test('401 a token whose claims were changed after the signature', async (t) => {
  const { user, claims } = await cast();
  const [header = '', , signature = ''] = user.token.split('.');
  const payload = Buffer.from(JSON.stringify({ ...claims, exp: now() + 999_999 })).toString('base64url');
  t.deepEqual(await statusOf(`${header}.${payload}.${signature}`), INVALID);
});

for (const algorithm of ['none', 'None', 'NONE', 'nOnE', '']) {
  test(`401 a token with the algorithm '${algorithm}' and no signature`, async (t) => {
    const { claims } = await cast();
    t.deepEqual(await statusOf(assembled({ alg: algorithm, typ: 'JWT' }, claims, () => '')), INVALID);
  });
}

for (const algorithm of ['HS384', 'HS512']) {
  test(`401 a token signed with our key by ${algorithm}: the algorithm is pinned`, async (t) => {
    const { claims } = await cast();
    const long = service.config.jwtSecret;
    t.deepEqual(await statusOf(await signed(claims, long, algorithm)), INVALID);
  });
}

test('401 a token that says RS256 and is signed by HMAC with our key', async (t) => {
  const { claims } = await cast();
  const token = assembled({ alg: 'RS256', typ: 'JWT' }, claims, (input) =>
    createHmac('sha256', service.config.jwtSecret).update(input).digest('base64url'),
  );
  t.deepEqual(await statusOf(token), INVALID);
});

test('401 a token truly signed by RS256 with a key of the attacker', async (t) => {
  const { claims } = await cast();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const token = await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  t.deepEqual(await statusOf(token), INVALID);
});

for (const name of ['exp', 'sub', 'sid', 'iss', 'aud']) {
  test(`401 a token without ${name}`, async (t) => {
    const { claims } = await cast();
    const without = Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));
    t.deepEqual(await statusOf(await signed(without, service.config.jwtSecret)), INVALID);
  });
}

for (const [name, wrong] of [
  ['iss', 'another-service'],
  ['aud', 'external'],
  ['sub', 'no-uuid'],
  ['sub', randomUUID()],
  ['sid', randomUUID()],
  ['exp', 'tomorrow'],
  ['nbf', 4_102_444_800],
  ['roles', ['ROLE_ROOT']],
] as const) {
  test(`401 a token whose ${name} is ${String(wrong)}`, async (t) => {
    const { claims } = await cast();
    t.deepEqual(
      await statusOf(await signed({ ...claims, [name]: wrong }, service.config.jwtSecret)),
      INVALID,
    );
  });
}

test('401 a token of one user with the session of another', async (t) => {
  const { claims } = await cast();
  const other = await cast();
  const sid = at(other.claims, 'sid');
  t.deepEqual(await statusOf(await signed({ ...claims, sid }, service.config.jwtSecret)), INVALID);
});

test('401 a token whose session was revoked', async (t) => {
  const { user, claims } = await cast();
  t.is((await statusOf(user.token)).status, 200);
  await execute(service.database, 'update sessions set revoked_at = now() where id = $1', [
    at(claims, 'sid'),
  ]);
  t.deepEqual(await statusOf(user.token), INVALID);
});

test('401 a token of a user who was disabled', async (t) => {
  const { user } = await cast();
  await execute(service.database, 'update users set is_active = false where id = $1', [user.id]);
  t.deepEqual(await statusOf(user.token), INVALID);
});

test('403 a demotion acts at once: the roles in the token are for show', async (t) => {
  const { user } = await cast();
  await execute(service.database, `update users set role = 'ROLE_DISPATCHER' where id = $1`, [user.id]);
  const answer = await send(service, 'DELETE', `/shipments/${randomUUID()}`, { token: user.token });
  t.is(answer.status, 403);
});

test('401 an API key does not open the dashboard, in either header', async (t) => {
  const { organization } = await cast();
  const { apiKey } = organization;
  t.is((await send(service, 'GET', '/shipments', { key: apiKey })).status, 401);
  t.is((await send(service, 'GET', '/shipments', { token: apiKey })).status, 401);
});

test('401 a token does not open the external API, in either header', async (t) => {
  const { user } = await cast();
  const path = `/external/shipments/${randomUUID()}`;
  t.is((await send(service, 'GET', path, { token: user.token })).status, 401);
  t.is((await send(service, 'GET', path, { key: user.token })).status, 401);
});

test('404 with both headers each surface reads its own', async (t) => {
  const { user, organization } = await cast();
  const both = { token: user.token, key: organization.apiKey };
  t.is((await send(service, 'GET', `/external/shipments/${randomUUID()}`, both)).status, 404);
  t.is((await send(service, 'GET', `/shipments/${randomUUID()}`, both)).status, 404);
  const wrongKey = { token: user.token, key: 'sds_wrong' };
  t.is((await send(service, 'GET', `/external/shipments/${randomUUID()}`, wrongKey)).status, 401);
});

for (const key of ['', 'x', 'sds_', 'x'.repeat(300), 'Bearer x']) {
  test(`401 the external API with the key '${key.slice(0, 12)}'`, async (t) => {
    const answer = await send(service, 'GET', `/external/shipments/${randomUUID()}`, { key });
    t.is(answer.status, 401);
    t.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  });
}

test('404 a rolled key opens during its grace, 401 after it', async (t) => {
  const { organization } = await cast();
  const path = `/external/shipments/${randomUUID()}`;
  const roll = (grace: string) =>
    execute(
      service.database,
      `update organizations set previous_api_key_hash = coalesce(previous_api_key_hash, api_key_hash),
         api_key_hash = sha256($2::bytea), previous_api_key_expires_at = now() + $3::interval where id = $1`,
      [organization.id, Buffer.from(randomUUID()), grace],
    );
  await roll('1 hour');
  t.is((await send(service, 'GET', path, { key: organization.apiKey })).status, 404);
  await roll('-1 second');
  t.is((await send(service, 'GET', path, { key: organization.apiKey })).status, 401);
});
