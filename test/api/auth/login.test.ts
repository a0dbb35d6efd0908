import { randomUUID } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import test from 'ava';
import { createPasswords, hashingBounds, hashPassword } from '../../../api/auth/passwords.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';
import { execute } from '../../../store/connection.ts';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import type { MadeUser } from '../../harness/make.ts';
import { at, fieldsOf, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** The hashes that passwords were compared with, in that order. */
const comparedWith: string[] = [];
const passwords = createPasswords(createFairQueue(hashingBounds(null)), systemClock, {
  hash: hashPassword,
  verify: (passwordHash, password) => {
    comparedWith.push(passwordHash);
    return verify(passwordHash, password);
  },
});
const service = useService({ withWorkers: false, overrides: { passwords } });

function login(body: unknown, contentType = 'application/json') {
  return send(service, 'POST', '/login_check', { body, contentType });
}

async function user(): Promise<MadeUser> {
  return makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
}

test('200 login gives a token that opens the dashboard, and a refresh token', async (t) => {
  const { email, password } = await user();
  const answer = await login({ email, password });
  t.is(answer.status, 200);
  t.deepEqual(Object.keys(fieldsOf(answer.body)).sort(), ['refresh_token', 'token']);
  t.is(answer.headers.get('cache-control'), 'no-store');
  t.regex(textAt(answer.body, 'refresh_token'), /^[0-9a-f]{128}$/);
  const list = await send(service, 'GET', '/shipments', { token: textAt(answer.body, 'token') });
  t.is(list.status, 200);
});

test('200 the token lives four hours and says who, with which roles, for which session', async (t) => {
  const { email, password, id } = await user();
  const { body } = await login({ email, password });
  const [, payload = ''] = textAt(body, 'token').split('.');
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  t.is(Number(at(claims, 'exp')) - Number(at(claims, 'iat')), 14_400);
  t.is(at(claims, 'sub'), id);
  t.is(at(claims, 'username'), email);
  t.deepEqual(at(claims, 'roles'), ['ROLE_DISPATCHER']);
  t.regex(textAt(claims, 'sid'), /^[0-9a-f-]{36}$/);
});

test('200 the address is taken in any letter case', async (t) => {
  const { email, password } = await user();
  t.is((await login({ email: ` ${email.toUpperCase()} `, password })).status, 200);
});

test('401 a wrong password and an unknown user are answered alike, word for word', async (t) => {
  const { email } = await user();
  const wrong = await login({ email, password: 'wrong' });
  const unknown = await login({ email: `${randomUUID()}@example.com`, password: 'wrong' });
  t.is(wrong.status, 401);
  t.is(unknown.status, 401);
  t.is(at(wrong.body, 'message'), 'Invalid credentials.');
  t.is(at(wrong.body, 'code'), 401);
  t.deepEqual({ ...fieldsOf(wrong.body), instance: '' }, { ...fieldsOf(unknown.body), instance: '' });
  t.is(wrong.headers.get('www-authenticate'), 'Bearer');
  t.deepEqual([...wrong.headers.keys()].sort(), [...unknown.headers.keys()].sort());
});

test.serial('401 an unknown user’s password is hashed as a known user’s is, at the same cost', async (t) => {
  const { email, id } = await user();
  const kept = await hashPassword('the right one');
  await execute(service.database, 'update users set password_hash = $2 where id = $1', [id, kept]);
  comparedWith.length = 0;
  await login({ email, password: 'wrong' });
  await login({ email: `${randomUUID()}@example.com`, password: 'wrong' });
  t.is(comparedWith.length, 2);
  t.is(comparedWith[0], kept);
  // Version, memory, passes and lanes stand before the salt.
  const costOf = (passwordHash = ''): string => passwordHash.split('$').slice(0, 4).join('$');
  t.is(costOf(comparedWith[1]), costOf(kept));
  t.is(costOf(kept), '$argon2id$v=19$m=19456,t=2,p=1');
});

test('401 a disabled user is refused as if unknown', async (t) => {
  const { email, password, id } = await user();
  await execute(service.database, 'update users set is_active = false where id = $1', [id]);
  const answer = await login({ email, password });
  t.is(answer.status, 401);
  t.is(at(answer.body, 'message'), 'Invalid credentials.');
});

for (const [name, body, paths] of [
  ['nothing in it', {}, ['email', 'password']],
  ['wrong types', { email: 7, password: ['x'] }, ['email', 'password']],
  ['nulls', { email: null, password: null }, ['email', 'password']],
  ['a blank address', { email: ' ', password: 'x' }, ['email']],
  ['an address too long', { email: 'x'.repeat(256), password: 'x' }, ['email']],
  ['a password too long', { email: 'a@example.com', password: 'x'.repeat(1_001) }, ['password']],
  ['NUL', { email: 'a\u0000@example.com', password: 'x' }, ['email']],
] as const) {
  test(`422 a login with ${name} is told every violation`, async (t) => {
    const answer = await login(body);
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), [...paths]);
  });
}

test('400 and 415 a login that is no JSON is told so', async (t) => {
  t.is((await login('{')).status, 400);
  t.is((await login('email=a&password=b', 'application/x-www-form-urlencoded')).status, 415);
});
