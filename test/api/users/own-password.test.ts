import test from 'ava';
import { USER_ROLES } from '../../../domain/permission.ts';
import { makeMerchant, makeOrganization, makeUser } from '../../harness/make.ts';
import type { MadeUser } from '../../harness/make.ts';
import { at, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const LIMIT = 4;
const service = useService({
  withWorkers: false,
  settings: { LOGIN_ATTEMPTS_PER_MINUTE: String(LIMIT) },
});

const NEW_PASSWORD = 'a much better password';

function change(token: string, currentPassword: unknown, newPassword: unknown = NEW_PASSWORD) {
  return send(service, 'POST', '/users/me/password', { token, body: { currentPassword, newPassword } });
}

function login({ email }: MadeUser, password: string) {
  const body = { email, password };
  return send(service, 'POST', '/login_check', { body, contentType: 'application/json' });
}

async function opens(token: string): Promise<boolean> {
  return (await send(service, 'GET', '/users/me', { token })).status === 200;
}

for (const role of USER_ROLES) {
  test(`204 a user with ${role} changes its password and signs in with the new one alone`, async (t) => {
    const organization = await makeOrganization(service);
    const merchant =
      role === 'ROLE_MERCHANT' ? { merchantId: await makeMerchant(service, organization) } : {};
    const user = await makeUser(service, organization, role, merchant);
    const answer = await change(user.token, user.password);
    t.is(answer.status, 204);
    t.is(answer.bytes.length, 0);
    t.is((await login(user, user.password)).status, 401);
    t.is((await login(user, NEW_PASSWORD)).status, 200);
  });
}

test('204 every other session of the user ends, the one that asked and other users’ go on', async (t) => {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const elsewhere = await login(user, user.password);
  t.true(await opens(textAt(elsewhere.body, 'token')));
  t.is((await change(user.token, user.password)).status, 204);
  t.false(await opens(textAt(elsewhere.body, 'token')));
  const refreshed = await send(service, 'POST', '/token/refresh', {
    body: { refresh_token: textAt(elsewhere.body, 'refresh_token') },
    contentType: 'application/json',
  });
  t.is(refreshed.status, 401);
  t.true(await opens(user.token));
  t.true(await opens(colleague.token));
});

test('422 a wrong current password, and a short or common new one, change nothing', async (t) => {
  const user = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  const wrong = await change(user.token, 'not my password');
  t.is(wrong.status, 422);
  t.deepEqual(violationPaths(wrong.body), ['currentPassword']);
  for (const [password, message] of [
    ['elevenchars', 'Must have at least 12 characters.'],
    ['Password!2026', 'This password is among those that are tried first; choose another.'],
  ] as const) {
    const rejected = await change(user.token, user.password, password);
    t.is(rejected.status, 422);
    t.deepEqual(violationPaths(rejected.body), ['newPassword']);
    t.is(at(rejected.body, 'violations.0.message'), message);
  }
  t.is((await login(user, user.password)).status, 200);
});

test('429 guesses at the current password are limited together with sign-ins', async (t) => {
  const user = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  t.is((await login(user, 'wrong')).status, 401);
  for (let guess = 1; guess < LIMIT; guess += 1) {
    t.is((await change(user.token, `guess number ${guess}`)).status, 422);
  }
  const limited = await change(user.token, user.password);
  t.is(limited.status, 429);
  t.regex(limited.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.is((await login(user, user.password)).status, 429);
});

test('409 of two concurrent changes one is made', async (t) => {
  const user = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  const answers = await Promise.all([
    change(user.token, user.password, 'the first new password'),
    change(user.token, user.password, 'the second new password'),
  ]);
  const statuses = answers.map(({ status }) => status).sort((left, right) => left - right);
  t.is(statuses[0], 204);
  t.true([409, 422].includes(statuses[1] ?? 0));
  const made = answers[0].status === 204 ? 'the first new password' : 'the second new password';
  t.is((await login(user, made)).status, 200);
});
