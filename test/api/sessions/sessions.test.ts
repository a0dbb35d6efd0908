import test from 'ava';
import { execute, selectOne } from '../../../store/connection.ts';
import { deleteExpired } from '../../../store/expiry.ts';
import { signInAtDesk } from '../../harness/desk.ts';
import type { MadeUser } from '../../harness/make.ts';
import { makeTeam, makeUser } from '../../harness/make.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false, settings: { SESSION_LIFETIME_SECONDS: '86400' } });

async function sessionsOf(token: string, query = '') {
  const { body } = await send(service, 'GET', `/sessions?order[createdAt]=asc${query}`, { token });
  return listAt(body, 'member');
}

async function signIn({ email, password }: MadeUser) {
  const { body } = await send(service, 'POST', '/login_check', {
    body: { email, password },
    contentType: 'application/json',
    headers: { 'user-agent': 'Phone/1.0' },
  });
  return { token: textAt(body, 'token'), refreshToken: textAt(body, 'refresh_token') };
}

function refresh(refreshToken: string) {
  const body = { refresh_token: refreshToken };
  return send(service, 'POST', '/token/refresh', { body, contentType: 'application/json' });
}

const isOpen = async (token: string) => (await send(service, 'GET', '/users/me', { token })).status === 200;

test('200 lists one’s own sessions, with where each was opened and which one this is', async (t) => {
  const { user, organization } = await makeTeam(service);
  await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { token } = await signIn(user);
  await signInAtDesk(service, user, { 'user-agent': 'Browser/2.0' });
  const found = await sessionsOf(token);
  t.like(found, [
    { kind: 'token', isCurrent: false, user: `/api/v1/users/${user.id}` },
    { kind: 'token', isCurrent: true, userAgent: 'Phone/1.0', address: '127.0.0.1' },
    { kind: 'console', isCurrent: false, userAgent: 'Browser/2.0', userName: 'Test ROLE_DISPATCHER' },
  ]);
  t.is(found.length, 3);
  const hours =
    (Date.parse(textAt(found[1], 'expiresAt')) - Date.parse(textAt(found[1], 'createdAt'))) / 3_600_000;
  t.is(Math.round(hours), 24);
});

test('200 a user ends all its other sessions in one request, and nobody else’s', async (t) => {
  const { user, organization, token } = await makeTeam(service);
  const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const phone = await signIn(user);
  const desk = await signInAtDesk(service, user);
  const ended = await desk.send('POST', '/v1/sessions/end-others');
  t.deepEqual([ended.status, at(ended.body, 'count')], [200, 2]);
  t.deepEqual(
    [await isOpen(token), await isOpen(phone.token), await isOpen(colleague.token)],
    [false, false, true],
  );
  t.is((await refresh(phone.refreshToken)).status, 401);
  t.is((await desk.send('GET', '/session')).status, 200);
  t.is(at((await desk.send('POST', '/v1/sessions/end-others')).body, 'count'), 0);
});

test('204 a user ends its own session, whose tokens and cookie open nothing any more', async (t) => {
  const { user, organization, token } = await makeTeam(service);
  const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const phone = await signIn(user);
  const desk = await signInAtDesk(service, user);
  const others = (await sessionsOf(token)).filter((session) => at(session, 'isCurrent') === false);
  t.is(others.length, 2);
  for (const session of others) {
    const path = textAt(session, '@id');
    t.is((await send(service, 'DELETE', path, { token: colleague.token })).status, 403);
    t.is((await send(service, 'DELETE', path, { token })).status, 204);
    t.is((await send(service, 'GET', path, { token })).status, 404);
  }
  t.false(await isOpen(phone.token));
  t.is((await refresh(phone.refreshToken)).status, 401);
  t.is((await desk.send('GET', '/session')).status, 401);
  t.true(await isOpen(token));
});

test('204 an admin ends a session of a user, and the audit log says so', async (t) => {
  const admin = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const driver = await makeUser(service, admin.organization, 'ROLE_DRIVER');
  t.is((await sessionsOf(admin.token)).length, 2);
  const [session] = await sessionsOf(admin.token, `&user=${driver.id}`);
  t.is((await send(service, 'DELETE', textAt(session, '@id'), { token: admin.token })).status, 204);
  t.false(await isOpen(driver.token));
  const { body } = await send(service, 'GET', '/audit-events?kind=session.revoked', { token: admin.token });
  t.like(listAt(body, 'member'), [
    { subject: `/api/v1/users/${driver.id}`, user: `/api/v1/users/${admin.user.id}` },
  ]);
});

test('401 a session of tokens ends at its last end, however often it was refreshed', async (t) => {
  const { user } = await makeTeam(service);
  const first = await signIn(user);
  const next = await refresh(first.refreshToken);
  t.is(next.status, 200);
  await execute(
    service.database,
    `update sessions set expires_at = clock_timestamp() - interval '1 second' where user_id = $1`,
    [user.id],
  );
  t.is((await refresh(textAt(next.body, 'refresh_token'))).status, 401);
  t.false(await isOpen(textAt(next.body, 'token')));
  await deleteExpired(service.database);
  const left = await selectOne<{ count: number }>(
    service.database,
    'select count(*)::int as count from sessions where user_id = $1',
    [user.id],
  );
  t.is(left?.count, 0);
});

test('a session that an earlier release opens has a last end too', async (t) => {
  const { user } = await makeTeam(service);
  const made = await selectOne<{ days: number }>(
    service.database,
    `insert into sessions (id, user_id) values (gen_random_uuid(), $1)
     returning round(extract(epoch from expires_at - clock_timestamp()) / 86400)::int as days`,
    [user.id],
  );
  t.is(made?.days, 90);
});
