import { randomUUID } from 'node:crypto';
import test from 'ava';
import { AUDIT_KIND_NAMES } from '../../../domain/audit.ts';
import { newId } from '../../../store/new-id.ts';
import { execute } from '../../../store/connection.ts';
import type { Team } from '../../harness/make.ts';
import { makeTeam, makeUser, PASSWORD } from '../../harness/make.ts';
import { signInAtDesk } from '../../harness/desk.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });
const PATCH = 'application/merge-patch+json';
const JSON_TYPE = 'application/json';

/** The rows of an organization's audit log, the oldest first. */
async function rowsOf({ token }: Pick<Team, 'token'>, query = ''): Promise<readonly unknown[]> {
  const { status, body } = await send(
    service,
    'GET',
    `/audit-events?order[createdAt]=asc&itemsPerPage=100${query}`,
    { token },
  );
  if (status !== 200) throw new Error(`answered ${status}`);
  return listAt(body, 'member');
}

async function kindsOf(team: Pick<Team, 'token'>, query = ''): Promise<readonly unknown[]> {
  return (await rowsOf(team, query)).map((row) => at(row, 'kind'));
}

const makeAdmin = (): Promise<Team> =>
  makeTeam(service, 'ROLE_ORG_ADMIN', { plan: 'pro', webhookUrl: 'https://example.com/hook' });

function signIn(email: string, password: string) {
  return send(service, 'POST', '/login_check', { body: { email, password }, contentType: JSON_TYPE });
}

async function makeDeadEvent({ organization }: Team): Promise<string> {
  const id = newId<'webhook_event'>();
  await execute(
    service.database,
    `insert into webhook_events (id, organization_id, kind, body, event_updated_at, status, settled_at)
     values ($1, $2, 'shipment.status_changed', convert_to('{}', 'UTF8'), '2030-01-01T00:00:00.000000+00:00', 'dead', now())`,
    [id, organization.id],
  );
  return id;
}

const PERSON = {
  email: 'a.person@example.com',
  password: 'a long enough pass phrase',
  firstName: 'Noor',
  lastName: 'Belkacem',
  role: 'ROLE_DISPATCHER',
};

test('200 lists what was done, by whom, from where, with names of fields and no values', async (t) => {
  const team = await makeAdmin();
  const { token, organization } = team;
  const organizationPath = `/organizations/${organization.id}`;
  const created = await send(service, 'POST', '/users', {
    token,
    body: { ...PERSON, email: `${randomUUID()}@example.com` },
  });
  const userPath = `/users/${textAt(created.body, 'id')}`;
  const patch = (path: string, body: unknown) =>
    send(service, 'PATCH', path, { token, body, contentType: PATCH });
  await patch(userPath, { firstName: 'Nora', password: 'another long pass phrase' });
  const promoted = await patch(userPath, { role: 'ROLE_ORG_ADMIN' });
  await send(service, 'DELETE', userPath, { token });
  await patch(organizationPath, { name: 'Autre nom', isWebhookEnabled: true, webhookUrl: null });
  await patch(organizationPath, { webhookUrl: 'https://192.0.2.1/secret-path' });
  await patch(organizationPath, { name: 'Autre nom' });
  await send(service, 'POST', `${organizationPath}/api-key`, { token, body: {} });
  await send(service, 'GET', '/shipments/export', { token, headers: { accept: 'text/csv' } });
  await send(service, 'POST', '/users/me/password', {
    token,
    body: { currentPassword: 'not this one', newPassword: 'a third long pass phrase' },
  });
  await send(service, 'POST', '/users/me/password', {
    token,
    body: { currentPassword: PASSWORD, newPassword: 'a third long pass phrase' },
  });

  const rows = await rowsOf(team);
  const user = `/api/v1${userPath}`;
  const own = `/api/v1${organizationPath}`;
  t.deepEqual(
    rows.map((row) => [at(row, 'kind'), at(row, 'operation'), at(row, 'subject'), at(row, 'fields')]),
    [
      ['user.created', 'users.create', user, []],
      ['user.edited', 'users.edit', user, ['firstName', 'password']],
      ['user.role_changed', 'users.edit', user, ['role']],
      ['user.deleted', 'users.delete', user, []],
      ['secret.viewed', 'organizations.edit', own, []],
      ['organization.edited', 'organizations.edit', own, ['name', 'webhookUrl']],
      ['organization.edited', 'organizations.edit', own, ['webhookUrl']],
      ['api_key.rolled', 'organizations.rollApiKey', own, []],
      ['shipments.exported', 'shipments.export', undefined, []],
      ['password.rejected', 'users.changeOwnPassword', undefined, []],
      ['password.changed', 'users.changeOwnPassword', undefined, []],
    ],
  );
  t.true(
    rows.every(
      (row) =>
        at(row, 'actor') === 'user' &&
        at(row, 'user') === `/api/v1/users/${team.user.id}` &&
        at(row, 'userName') === 'Test ROLE_ORG_ADMIN' &&
        at(row, 'address') === '127.0.0.1',
    ),
  );
  t.is(at(rows[2], 'requestId'), promoted.headers.get('x-request-id'));
  t.notRegex(JSON.stringify(rows), /Noor|Belkacem|Nora|phrase|secret-path|Autre|whsec_|sds_/);
});

test('200 lists sign-ins and sign-outs, those that were rejected, and reused refresh tokens', async (t) => {
  const team = await makeAdmin();
  const { email } = team.user;
  await signIn(email.toUpperCase(), PASSWORD);
  await signInAtDesk(service, team.user);
  const again = await signIn(email, PASSWORD);
  const refresh = () =>
    send(service, 'POST', '/token/refresh', {
      body: { refresh_token: at(again.body, 'refresh_token') },
      contentType: JSON_TYPE,
    });
  t.deepEqual(
    [(await refresh()).status, (await refresh()).status, (await refresh()).status],
    [200, 200, 401],
  );
  const desk = await signInAtDesk(service, team.user);
  t.is((await desk.send('DELETE', '/session')).status, 204);
  const last = await signIn(email, PASSWORD);
  t.is((await send(service, 'POST', '/logout', { token: textAt(last.body, 'token') })).status, 204);
  await signIn(email, 'wrong');
  await signIn(`${randomUUID()}@example.com`, 'wrong');
  const rows = await rowsOf(team);
  t.deepEqual(
    rows.map((row) => [at(row, 'kind'), at(row, 'operation'), at(row, 'actor'), at(row, 'subject')]),
    [
      ['session.opened', 'auth.login', 'user', `/api/v1/users/${team.user.id}`],
      ['session.opened', 'session.open', 'user', `/api/v1/users/${team.user.id}`],
      ['session.opened', 'auth.login', 'user', `/api/v1/users/${team.user.id}`],
      ['refresh_token.reused', 'auth.refresh', 'unknown', `/api/v1/users/${team.user.id}`],
      ['session.opened', 'session.open', 'user', `/api/v1/users/${team.user.id}`],
      ['session.revoked', 'session.end', 'user', `/api/v1/users/${team.user.id}`],
      ['session.opened', 'auth.login', 'user', `/api/v1/users/${team.user.id}`],
      ['session.revoked', 'auth.logout', 'user', `/api/v1/users/${team.user.id}`],
      ['session.rejected', 'auth.login', 'unknown', `/api/v1/users/${team.user.id}`],
    ],
  );
});

test('200 lists a secret that is read and an access that is rejected once in a while', async (t) => {
  const team = await makeAdmin();
  const { token, organization } = team;
  const dispatcher = await makeUser(service, organization, 'ROLE_DISPATCHER');
  for (let times = 0; times < 3; times += 1) {
    await send(service, 'GET', `/organizations/${organization.id}`, { token });
    await send(service, 'GET', `/organizations/${organization.id}`, { token: dispatcher.token });
    t.is((await send(service, 'GET', '/users', { token: dispatcher.token })).status, 403);
    t.is((await send(service, 'GET', '/audit-events', { token: dispatcher.token })).status, 403);
  }
  const rows = await rowsOf(team);
  t.deepEqual(
    rows.map((row) => [at(row, 'kind'), at(row, 'operation'), at(row, 'user')]),
    [
      ['secret.viewed', 'organizations.read', `/api/v1/users/${team.user.id}`],
      ['access.rejected', 'users.list', `/api/v1/users/${dispatcher.id}`],
      ['access.rejected', 'auditEvents.list', `/api/v1/users/${dispatcher.id}`],
    ],
  );
});

test('202 a replay is in the log with the number of its notifications, a repeat is not', async (t) => {
  const team = await makeAdmin();
  const { token } = team;
  const event = await makeDeadEvent(team);
  t.is((await send(service, 'POST', `/webhook-deliveries/${event}/replay`, { token })).status, 202);
  t.is((await send(service, 'POST', `/webhook-deliveries/${event}/replay`, { token })).status, 409);
  t.is((await send(service, 'POST', '/webhook-deliveries/replay', { token })).status, 202);
  const rows = await rowsOf(team);
  t.deepEqual(
    rows.map((row) => [at(row, 'kind'), at(row, 'subject')]),
    [['webhooks.replayed', `/api/v1/webhook-deliveries/${event}`]],
  );
});

test('409 and 422 what was not written is not in the log', async (t) => {
  const team = await makeAdmin();
  const { token, user } = team;
  t.is((await send(service, 'DELETE', `/users/${user.id}`, { token })).status, 409);
  const taken = await send(service, 'POST', '/users', { token, body: { ...PERSON, email: user.email } });
  t.is(taken.status, 422);
  t.deepEqual(await rowsOf(team), []);
});

test('200 filters by kind, user and time, and shows no row of another organization', async (t) => {
  const team = await makeAdmin();
  const other = await makeUser(service, team.organization, 'ROLE_ORG_ADMIN');
  await signIn(team.user.email, PASSWORD);
  await signIn(other.email, PASSWORD);
  await signIn(other.email, 'wrong');
  await signIn((await makeAdmin()).user.email, PASSWORD);
  t.deepEqual(await kindsOf(team), ['session.opened', 'session.opened', 'session.rejected']);
  t.deepEqual(await kindsOf(team, '&kind[]=session.rejected&kind[]=user.edited'), ['session.rejected']);
  t.deepEqual(await kindsOf(team, `&user=${other.id}`), ['session.opened']);
  const [first] = await rowsOf(team);
  const moment = encodeURIComponent(textAt(first, 'createdAt'));
  t.is((await kindsOf(team, `&createdAt[before]=${moment}`)).length, 1);
  t.deepEqual(await kindsOf(team, '&createdAt[after]=2099-01-01T00:00:00Z'), []);
  t.is((await send(service, 'GET', '/audit-events?kind=party', { token: team.token })).status, 400);
  const read = await send(service, 'GET', textAt(first, '@id'), { token: team.token });
  t.like(read.body, { kind: 'session.opened', '@type': 'AuditEvent' });
});

test('the description says what each kind stands for', async (t) => {
  const { body } = await send(service, 'GET', '/docs', { headers: { accept: 'application/json' } });
  const text = JSON.stringify(body);
  for (const kind of AUDIT_KIND_NAMES) t.true(text.includes(`${kind}: `), kind);
});
