import test from 'ava';
import { newCookieSecret } from '../../../api/auth/session-cookie.ts';
import { IDLE_SECONDS, USE_WRITTEN_EVERY_SECONDS } from '../../../store/accounts/console-sessions.ts';
import { execute, selectOne } from '../../../store/connection.ts';
import type { Desk } from '../../harness/desk.ts';
import { signInAtDesk } from '../../harness/desk.ts';
import type { MadeUser } from '../../harness/make.ts';
import { makeMerchant, makeTeam, makeUser } from '../../harness/make.ts';
import { at, listAt, send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });
const PATCH = 'application/merge-patch+json';

/** An admin who is signed in with a token, and a colleague with two browsers. */
async function makeColleagues() {
  const admin = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const colleague = await makeUser(service, admin.organization, 'ROLE_DISPATCHER');
  const desk = await signInAtDesk(service, colleague);
  const other = await signInAtDesk(service, colleague);
  const asAdmin = (method: string, body?: unknown) =>
    send(service, method, `/users/${colleague.id}`, { token: admin.token, body, contentType: PATCH });
  return { admin, colleague, desk, other, asAdmin };
}

async function isOpen(desk: Desk): Promise<boolean> {
  const answers = [await desk.send('GET', '/session'), await desk.send('GET', '/v1/users/me')];
  const statuses = [...new Set(answers.map(({ status }) => status))];
  if (statuses.length !== 1) throw new Error(`both or none: ${statuses.join(', ')}`);
  return statuses[0] === 200;
}

/** Moves the ends of a user's sessions of the console, by seconds from now. */
async function moveEnds({ id }: MadeUser, idleSeconds: number, lastSeconds: number): Promise<void> {
  await execute(
    service.database,
    `update sessions set idle_expires_at = clock_timestamp() + make_interval(secs => $2),
       expires_at = clock_timestamp() + make_interval(secs => $3) where user_id = $1 and cookie_hash is not null`,
    [id, idleSeconds, lastSeconds],
  );
}

/** Seconds from now until the idle end and the last end of a user's only session of the console, and the row's version. */
async function endsOf({ id }: MadeUser) {
  const found = await selectOne<{ idle: number; last: number; written: string }>(
    service.database,
    `select extract(epoch from idle_expires_at - clock_timestamp())::float8 as idle,
       extract(epoch from expires_at - clock_timestamp())::float8 as last, xmin::text as written
     from sessions where user_id = $1 and cookie_hash is not null`,
    [id],
  );
  if (found === undefined) throw new Error('the user has no session of the console');
  return found;
}

test('401 a session ends after 12 idle hours, and 30 days after the sign-in however it was used', async (t) => {
  const { user } = await makeTeam(service);
  const desk = await signInAtDesk(service, user);
  const fresh = await endsOf(user);
  t.is(Math.round(fresh.idle / 60), 12 * 60);
  t.is(Math.round(fresh.last / 60), 30 * 24 * 60);
  // Idle for almost 12 hours, then used: the idle end is 12 hours away again.
  await moveEnds(user, 60, fresh.last);
  t.true(await isOpen(desk));
  t.is(Math.round((await endsOf(user)).idle / 60), 12 * 60);
  // In its last hour no use moves the idle end beyond the last one, and none is written any more.
  await moveEnds(user, 60, 3_600);
  t.true(await isOpen(desk));
  const last = await endsOf(user);
  t.is(Math.round(last.idle), Math.round(last.last));
  t.true(await isOpen(desk));
  t.is((await endsOf(user)).written, last.written);
  await moveEnds(user, -1, 86_400);
  t.false(await isOpen(desk));
  await moveEnds(user, -1, -1);
  t.false(await isOpen(desk));
});

test('200 a request costs no write within five minutes of the last that was written', async (t) => {
  const { user } = await makeTeam(service);
  const desk = await signInAtDesk(service, user);
  const { written, last } = await endsOf(user);
  for (let requests = 0; requests < 3; requests += 1) t.true(await isOpen(desk));
  t.is((await endsOf(user)).written, written);
  await moveEnds(user, IDLE_SECONDS - USE_WRITTEN_EVERY_SECONDS + 30, last);
  const moved = (await endsOf(user)).written;
  t.true(await isOpen(desk));
  t.is((await endsOf(user)).written, moved);
  await moveEnds(user, IDLE_SECONDS - USE_WRITTEN_EVERY_SECONDS - 1, last);
  // A stream that a forgotten page opens again and again is no use, nor is what the page reads by itself.
  await desk.send('GET', '/session', { headers: { accept: 'text/event-stream' } });
  await desk.send('GET', '/v1/users/me', { headers: { 'x-unattended': 'yes' } });
  t.true((await endsOf(user)).idle < IDLE_SECONDS - USE_WRITTEN_EVERY_SECONDS);
  t.true(await isOpen(desk));
  t.is(Math.round((await endsOf(user)).idle / 60), 12 * 60);
});

test('401 after an admin’s new password, a disabling or a deletion, in every browser', async (t) => {
  const changes: readonly (readonly [method: string, body: unknown])[] = [
    ['PATCH', { password: 'a much better password' }],
    ['PATCH', { isActive: false }],
    ['DELETE', undefined],
  ];
  for (const [method, body] of changes) {
    const { desk, other, colleague, asAdmin } = await makeColleagues();
    t.true((await isOpen(desk)) && (await isOpen(other)));
    t.is((await asAdmin(method, body)).status, method === 'DELETE' ? 204 : 200);
    t.deepEqual([await isOpen(desk), await isOpen(other)], [false, false], JSON.stringify(body));
    t.is((await send(service, 'GET', '/users/me', { token: colleague.token })).status, 401);
  }
});

test('401 a user who was disabled and enabled again has to sign in again', async (t) => {
  const { desk, asAdmin } = await makeColleagues();
  for (const isActive of [false, true]) t.is((await asAdmin('PATCH', { isActive })).status, 200);
  t.false(await isOpen(desk));
});

test('204 an own new password ends all other sessions, of the console and of tokens', async (t) => {
  const { desk, other, colleague } = await makeColleagues();
  const body = { currentPassword: colleague.password, newPassword: 'a much better password' };
  t.is((await desk.send('POST', '/v1/users/me/password', { body })).status, 204);
  t.deepEqual([await isOpen(desk), await isOpen(other)], [true, false]);
  t.is((await send(service, 'GET', '/users/me', { token: colleague.token })).status, 401);
});

test('204 the dashboard’s own sign-out ends the session of the cookie', async (t) => {
  const { desk, other } = await makeColleagues();
  t.is((await desk.send('POST', '/v1/logout')).status, 204);
  t.deepEqual([await isOpen(desk), await isOpen(other)], [false, true]);
});

test('401 a sign-in gives a new cookie and ends the session of the one before, whoever’s it was', async (t) => {
  const { admin, desk, other, colleague } = await makeColleagues();
  const again = await signInAtDesk(service, colleague, { cookie: desk.cookie });
  t.not(again.cookie, desk.cookie);
  t.deepEqual([await isOpen(desk), await isOpen(again), await isOpen(other)], [false, true, true]);
  const asAdmin = await signInAtDesk(service, admin.user, { cookie: again.cookie });
  t.deepEqual([await isOpen(again), await isOpen(asAdmin)], [false, true]);
  t.is(at((await asAdmin.send('GET', '/session')).body, 'user.email'), admin.user.email);
  // A cookie that was put into the browser before is not the one of the session.
  const [name = ''] = desk.cookie.split('=');
  const planted = `${name}=${newCookieSecret()}`;
  const fresh = await signInAtDesk(service, colleague, { cookie: planted });
  t.not(fresh.cookie, planted);
  t.is((await fresh.send('GET', '/session', { headers: { cookie: planted } })).status, 401);
});

test('200 a rejected sign-in leaves the session as it is', async (t) => {
  const { desk, colleague } = await makeColleagues();
  const wrong = { email: colleague.email, password: 'not my password' };
  await t.throwsAsync(signInAtDesk(service, wrong, { cookie: desk.cookie }), { message: /got 401/ });
  t.true(await isOpen(desk));
});

test('403 a role that was taken away is missing from the next request of the same session', async (t) => {
  const { admin, desk, asAdmin } = await makeColleagues();
  const merchant = await makeMerchant(service, admin.organization);
  t.is((await desk.send('GET', '/v1/zones')).status, 200);
  const demoted = { role: 'ROLE_MERCHANT', merchant: `/api/v1/merchants/${merchant}` };
  t.is((await asAdmin('PATCH', demoted)).status, 200);
  t.is((await desk.send('GET', '/v1/zones')).status, 403);
  const { body } = await desk.send('GET', '/session');
  t.is(at(body, 'user.role'), 'ROLE_MERCHANT');
  t.false(listAt(body, 'permissions').includes('zone.read'));
});
