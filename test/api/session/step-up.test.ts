import test from 'ava';
import { execute, select } from '../../../store/connection.ts';
import type { Desk } from '../../harness/desk.ts';
import { signInAtDesk } from '../../harness/desk.ts';
import { makeFactor } from '../../harness/factor.ts';
import type { Team } from '../../harness/make.ts';
import { makeTeam, makeUser, PASSWORD } from '../../harness/make.ts';
import { at, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const NOW = new Date();
const LIMIT = 5;
const service = useService({
  withWorkers: false,
  overrides: { clock: () => NOW },
  settings: { LOGIN_ATTEMPTS_PER_MINUTE: String(LIMIT) },
});
const contentType = 'application/merge-patch+json';

/** An admin at the console whose last password was given so many seconds ago. */
async function scene(secondsAgo: number) {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const desk = await signInAtDesk(service, team.user);
  await execute(
    service.database,
    `update sessions set confirmed_at = clock_timestamp() - make_interval(secs => $2) where user_id = $1`,
    [team.user.id, secondsAgo],
  );
  const other = await makeUser(service, team.organization, 'ROLE_DISPATCHER');
  return { team, desk, other };
}

const NEW_USER = {
  password: 'a long enough pass phrase',
  firstName: 'Noor',
  lastName: 'Belkacem',
  role: 'ROLE_DISPATCHER',
};

/** What is asked for the password: keys, the webhook secret, users, and who needs a second factor. */
function asked(
  send_: Desk['send'],
  { organization }: Team,
  other: { readonly id: string },
): Readonly<Record<string, () => Promise<{ readonly status: number; readonly body: unknown }>>> {
  const own = `/v1/organizations/${organization.id}`;
  const user = `/v1/users/${other.id}`;
  const edit = (body: object) => () => send_('PATCH', user, { body, contentType });
  return {
    'a new key': () => send_('POST', `${own}/api-key`, { body: {} }),
    'the webhook secret': () => send_('GET', `${own}/webhook-secret`),
    'a new user': () =>
      send_('POST', '/v1/users', { body: { ...NEW_USER, email: `new-${other.id}@example.com` } }),
    'a role': edit({ role: 'ROLE_ORG_ADMIN' }),
    'an address': edit({ email: `moved-${other.id}@example.com` }),
    'a password': edit({ password: 'another long pass phrase' }),
    'a disabled user': edit({ isActive: false }),
    'a deleted user': () => send_('DELETE', user),
  };
}

test('403 where the password is older than five minutes, and nothing is done; 2xx after it is given', async (t) => {
  const { team, desk, other } = await scene(301);
  const acts = asked(desk.send, team, other);
  for (const [what, act] of Object.entries(acts)) {
    const { status, body } = await act();
    t.is(`${status} ${String(at(body, 'messageKey'))}`, '403 step_up_required', what);
  }
  const before = await desk.send('GET', `/v1/users/${other.id}`);
  t.like(before.body, { email: other.email, role: 'ROLE_DISPATCHER', isActive: true });
  const given = await desk.send('POST', '/session/step-up', { body: { password: PASSWORD } });
  t.is(given.status, 204);
  for (const [what, act] of Object.entries(acts)) {
    const { status, body } = await act();
    t.true([200, 201, 204].includes(status), `${what}: ${status} ${JSON.stringify(body)}`);
  }
  const rows = await select<{ kind: string }>(
    service.database,
    'select kind from audit_events where organization_id = $1 order by created_at, id',
    [team.organization.id],
  );
  const kinds = rows.map(({ kind }) => kind);
  t.deepEqual(kinds.slice(0, 4), ['session.opened', 'session.confirmed', 'api_key.rolled', 'secret.viewed']);
});

test('200 a sign-in counts as the password, for five minutes; names and lists are never asked', async (t) => {
  const { team, desk, other } = await scene(290);
  t.is((await desk.send('GET', `/v1/organizations/${team.organization.id}/webhook-secret`)).status, 200);
  await execute(service.database, 'update sessions set confirmed_at = null where user_id = $1', [
    team.user.id,
  ]);
  for (const [method, path, body] of [
    ['GET', '/v1/users', undefined],
    ['PATCH', `/v1/users/${other.id}`, { firstName: 'Nora' }],
    ['GET', `/v1/organizations/${team.organization.id}`, undefined],
    ['PATCH', `/v1/organizations/${team.organization.id}`, { name: 'Atlas' }],
  ] as const) {
    const request = body === undefined ? {} : { body, contentType };
    t.is((await desk.send(method, path, request)).status, 200, `${method} ${path}`);
  }
});

test('200 a token is never asked, and reads the secret with the organization; a session of the console does not', async (t) => {
  const { team, desk, other } = await scene(301);
  const path = `/organizations/${team.organization.id}`;
  const viaToken: Desk['send'] = (method, address, request) =>
    send(service, method, address.replace('/v1', ''), { ...request, token: team.token });
  t.is(
    at((await send(service, 'GET', path, { token: team.token })).body, 'webhookSecret'),
    team.organization.webhookSecret,
  );
  for (const [what, act] of Object.entries(asked(viaToken, team, other))) {
    t.true([200, 201, 204].includes((await act()).status), what);
  }
  const shown = await desk.send('GET', `/v1${path}`);
  t.deepEqual([shown.status, at(shown.body, 'webhookSecret')], [200, undefined]);
  t.true(listAt(desk.signedIn.body, 'permissions').includes('organization.edit'));
});

test('403 who may not is told so, and is not asked for a password', async (t) => {
  const { organization, user } = await makeTeam(service);
  const desk = await signInAtDesk(service, user);
  await execute(service.database, 'update sessions set confirmed_at = null where user_id = $1', [user.id]);
  const { status, body } = await desk.send('GET', `/v1/organizations/${organization.id}/webhook-secret`);
  t.is(`${status} ${textAt(body, 'messageKey')}`, '403 role_may_not');
});

test('403 to require a second factor of everybody, or no longer, the password is asked for', async (t) => {
  const { team, desk } = await scene(301);
  const { code } = await makeFactor(service, team.organization, team.user);
  const path = `/v1/organizations/${team.organization.id}`;
  const change = async (requiresSecondFactor: boolean) => {
    const { status, body } = await desk.send('PATCH', path, { body: { requiresSecondFactor }, contentType });
    return status === 403 ? at(body, 'messageKey') : at(body, 'requiresSecondFactor');
  };
  t.is(await change(true), 'step_up_required');
  const given = await desk.send('POST', '/session/step-up', {
    body: { password: PASSWORD, totp: code(0, NOW) },
  });
  t.is(given.status, 204);
  t.deepEqual([await change(true), await change(false)], [true, false]);
});

test('422 a wrong password or code is said at its field; 429 guesses count as sign-ins', async (t) => {
  const { team, desk } = await scene(301);
  const { code } = await makeFactor(service, team.organization, team.user);
  const stepUp = (body: object) => desk.send('POST', '/session/step-up', { body });
  const paths = async (body: object) => violationPaths((await stepUp(body)).body);
  t.deepEqual(await paths({ password: 'wrong', totp: code(0, NOW) }), ['password']);
  t.deepEqual(await paths({ password: PASSWORD }), ['totp']);
  t.is((await stepUp({ password: PASSWORD, totp: code(0, NOW) })).status, 204);
  t.deepEqual(await paths({ password: PASSWORD, totp: code(0, NOW) }), ['totp']);
  // The sign-in of the scene was the first of five.
  t.is((await stepUp({ password: PASSWORD })).status, 429);
  t.is((await desk.send('GET', '/session')).status, 200, 'the session goes on');
});
