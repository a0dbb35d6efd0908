import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Command } from '../../ops/command-line.ts';
import { command as keyCommand } from '../../ops/key.ts';
import { command as organizationCommand } from '../../ops/organization.ts';
import { command as userCommand } from '../../ops/user.ts';
import { select } from '../../store/connection.ts';
import { follow } from '../harness/events.ts';
import { makeFactor } from '../harness/factor.ts';
import { makeDriver, makeOrganization, makeTeam, makeUser } from '../harness/make.ts';
import { expectStatus, makeShipment } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import { at, send, textAt } from '../harness/request.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';
import { runAsOperator } from './run-as-operator.ts';

const service = useService({
  withWorkers: false,
  settings: { COMMAND_WAIT_MS: '0' },
  feedLimits: { sessionCheckMs: 30 },
});

const run = (command: Command, ...argv: string[]) => runAsOperator(service, command, argv);
const signIn = async ({ email, password }: { readonly email: string; readonly password: string }) =>
  (
    await send(service, 'POST', '/login_check', {
      body: { email, password },
      contentType: 'application/json',
    })
  ).status;

test('a suspension ends sign-in, sessions, streams, refreshes and keys; a resume gives them back', async (t) => {
  const { organization, user, token } = await makeTeam(service);
  const other = await makeTeam(service);
  const login = await send(service, 'POST', '/login_check', {
    body: { email: user.email, password: user.password },
    contentType: 'application/json',
  });
  const refreshToken = textAt(login.body, 'refresh_token');
  const stream = await follow(service, { token });
  t.teardown(stream.close);
  const statuses = async () => ({
    token: (await send(service, 'GET', '/users/me', { token })).status,
    key: (await send(service, 'GET', `/external/shipments/${randomUUID()}`, { key: organization.apiKey }))
      .status,
    signIn: await signIn(user),
    other: (await send(service, 'GET', '/users/me', { token: other.token })).status,
  });

  t.is((await run(organizationCommand, 'suspend', organization.id, 'unpaid since May')).code, 0);
  t.deepEqual(await statuses(), { token: 401, key: 401, signIn: 401, other: 200 });
  const refresh = () => send(service, 'POST', '/token/refresh', { body: { refresh_token: refreshToken } });
  t.is((await refresh()).status, 401);
  await until(() => stream.isEnded(), 'the stream goes on');
  t.is((await follow(service, { token })).status, 401);
  const again = await run(organizationCommand, 'suspend', organization.id, 'unpaid since April');
  t.regex(again.printed, /is suspended since .*the reason is changed/);

  t.is((await run(organizationCommand, 'resume', organization.id)).code, 0);
  t.deepEqual(await statuses(), { token: 200, key: 404, signIn: 200, other: 200 });
  t.is((await refresh()).status, 200);
  t.regex((await run(organizationCommand, 'resume', organization.id)).printed, /is not suspended/);
});

test('what was accepted before a suspension is decided; its events are skipped, and sent by a replay', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN', { webhookUrl: receiver.url });
  const driver = await makeDriver(service, organization);
  const shipment = await makeShipment(service, token);
  const moved = await send(service, 'POST', `${shipment.delivery}/transition`, {
    token,
    body: { transition: 'assign', driver: `/api/v1/drivers/${driver}` },
  });
  expectStatus(moved, 202);
  t.is((await run(organizationCommand, 'suspend', organization.id, 'abuse')).code, 0);
  await service.startWorkers();
  const events = () =>
    select<{ status: string; command: string }>(
      service.database,
      `select e.status, c.status as command from webhook_events e join commands c on c.shipment_id = e.shipment_id
       where e.shipment_id = $1 and e.status <> 'pending'`,
      [shipment.id],
    );
  await until(async () => (await events()).length > 0, 'the event is not settled');
  t.deepEqual(await events(), [{ status: 'skipped', command: 'applied' }]);
  t.is(receiver.requests.length, 0);

  t.is((await run(organizationCommand, 'resume', organization.id)).code, 0);
  const replay = await send(service, 'POST', '/webhook-deliveries/replay', {
    token,
    body: { status: 'skipped' },
  });
  t.is(at(replay.body, 'count'), 1);
  await receiver.waitForRequests(1);
});

test('a disabled user is signed out and cannot sign in, the last admin too, until it is enabled', async (t) => {
  const { user, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const off = await run(userCommand, 'disable', user.email.toUpperCase());
  t.is(off.code, 0);
  t.regex(off.printed, new RegExp(`${user.id} .* is disabled[\\s\\S]*no active admin`));
  t.deepEqual([(await send(service, 'GET', '/users/me', { token })).status, await signIn(user)], [401, 401]);
  t.regex((await run(userCommand, 'disable', user.email)).printed, /was already disabled/);
  t.is((await run(userCommand, 'enable', user.email)).code, 0);
  t.is(await signIn(user), 200);
  t.is((await send(service, 'GET', '/users/me', { token })).status, 401, 'its sessions stay ended');
});

test('a reset second factor lets the user in with the password alone, and ends its sessions', async (t) => {
  const { organization, user, token } = await makeTeam(service);
  await makeFactor(service, organization, user);
  t.is(await signIn(user), 401);
  const reset = await run(userCommand, 'reset-factor', user.email.toUpperCase());
  t.is(reset.code, 0);
  t.regex(reset.printed, new RegExp(`${user.id} .* has no second factor any more. Its sessions have ended`));
  t.deepEqual([(await send(service, 'GET', '/users/me', { token })).status, await signIn(user)], [401, 200]);
  t.regex((await run(userCommand, 'reset-factor', user.email)).printed, /had no second factor/);
  const rows = await select<{ kind: string }>(
    service.database,
    `select kind from audit_events where organization_id = $1 and actor = 'operator'`,
    [organization.id],
  );
  t.deepEqual(
    rows.map(({ kind }) => kind),
    ['second_factor.reset', 'second_factor.reset'],
  );
});

test('a rotated key ends the one before now, or after the grace that is asked for', async (t) => {
  const organization = await makeOrganization(service);
  await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const status = async (key: string) =>
    (await send(service, 'GET', `/external/shipments/${randomUUID()}`, { key })).status;
  const rotate = async (...grace: string[]) =>
    /API key +(\S+)/.exec((await run(keyCommand, 'rotate', organization.id, ...grace)).printed)?.[1] ?? '';
  const second = await rotate();
  t.deepEqual([await status(organization.apiKey), await status(second)], [401, 404]);
  const third = await rotate('2');
  t.deepEqual([await status(second), await status(third)], [404, 404]);
});

test('each act of the operator is a row of the audit log, one that fails is none', async (t) => {
  const { organization, user } = await makeTeam(service);
  await run(organizationCommand, 'suspend', organization.id, 'unpaid');
  await run(organizationCommand, 'resume', organization.id);
  await run(userCommand, 'disable', user.email);
  await run(userCommand, 'enable', user.email);
  await run(keyCommand, 'rotate', organization.id);
  await run(organizationCommand, 'suspend', organization.id);
  const rows = await select<{ kind: string; actor: string }>(
    service.database,
    'select kind, actor from audit_events where organization_id = $1 order by created_at, id',
    [organization.id],
  );
  t.deepEqual(
    rows.map(({ kind, actor }) => `${actor} ${kind}`),
    ['organization.suspended', 'organization.resumed', 'user.disabled', 'user.enabled', 'api_key.rolled'].map(
      (kind) => `operator ${kind}`,
    ),
  );
});

const FAULTY: readonly (readonly [string, Command, readonly string[], RegExp])[] = [
  ['no act', organizationCommand, [], /Usage: npm run organization/],
  ['an id that is none', organizationCommand, ['suspend', 'atlas', 'why'], /a UUID/],
  ['a suspension without a reason', organizationCommand, ['suspend', randomUUID()], /reason/],
  ['an unknown organization', organizationCommand, ['resume', randomUUID()], /There is no organization/],
  ['a user without an address', userCommand, ['disable'], /Usage: npm run user/],
  ['an unknown user', userCommand, ['disable', 'nobody@example.com'], /No user has the address/],
  ['a factor of an unknown user', userCommand, ['reset-factor', 'nobody@example.com'], /No user has the/],
  ['a grace beyond a day', keyCommand, ['rotate', randomUUID(), '25'], /Usage: npm run key/],
  ['a key of an unknown organization', keyCommand, ['rotate', randomUUID()], /There is no organization/],
];
test('faulty arguments and unknown records change nothing and say what to do', async (t) => {
  for (const [what, command, argv, message] of FAULTY) {
    const { code, printed, printedErrors } = await run(command, ...argv);
    t.deepEqual([code, printed], [1, ''], what);
    t.regex(printedErrors, message, what);
  }
});
