import test from 'ava';
import { command as deadLetters } from '../../ops/dead-letters.ts';
import { command } from '../../ops/person.ts';
import { execute, select } from '../../store/connection.ts';
import { hitRateWindow } from '../../store/accounts/rate-windows.ts';
import type { Team } from '../harness/make.ts';
import { makeDriver, makeTeam, makeUser } from '../harness/make.ts';
import { expectStatus, makeShipment, move } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import { at, listAt, send, textAt } from '../harness/request.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';
import { columnsWith, personEverywhere, settled, TRACES } from './person.ts';
import { runAsOperator } from './run-as-operator.ts';

const service = useService();
const ID = '0199a000-0000-7000-8000-000000000000';
const run = (...argv: string[]) => runAsOperator(service, command, argv);
const organizationArgument = (id: string) => ['--organization', id];

test.serial('a recipient is found in no column after the erasure, and amounts stay', async (t) => {
  const { team, own, ofOther } = await personEverywhere(service, t);
  const { organization, token } = team;
  const who = [...organizationArgument(organization.id), '--phone', '+33 6 98 76 54 32'];
  const shipments = () =>
    select<{ id: string; status: string }>(
      service.database,
      'select id, status from shipments where organization_id = $1',
      [organization.id],
    );
  await until(async () => (await shipments()).length === 4, 'the external shipment is not there');
  await settled(service, organization.id);
  t.deepEqual(await columnsWith(service, TRACES), [
    ...['commands.request', 'external_intakes.request', 'idempotency_keys.response_body'],
    ...['imports.errors', 'imports.file_name', 'merchants.contact'],
    ...[
      'shipments.external_reference',
      'shipments.items',
      'shipments.notes',
      'shipments.recipient',
      'shipments.search_text',
    ],
    ...[
      'tasks.address',
      'tasks.contact',
      'tasks.notes',
      'tasks.proof',
      'timeline_entries.comment',
      'webhook_events.body',
    ],
  ]);

  const early = await run('erase', ...who);
  t.is(early.code, 1);
  t.regex(early.printedErrors, /cannot be erased yet:[\s\S]*pending, and its delivery needs the recipient/);
  t.regex(early.printedErrors, new RegExp(`${ofOther.trackingNumber}: the person is the contact of a task`));
  for (const { id, status } of await shipments()) {
    if (status === 'pending') expectStatus(await send(service, 'DELETE', `/shipments/${id}`, { token }), 204);
  }
  await settled(service, organization.id);

  const decide = (from: string, to: string) =>
    execute(
      service.database,
      `update commands set status = $3 where kind = 'add_task' and status = $2 and organization_id = $1`,
      [organization.id, from, to],
    );
  await decide('applied', 'failed');
  t.regex((await run('erase', ...who)).printedErrors, /the contact of a task that is not decided/);
  await decide('failed', 'applied');
  const dry = await run('erase', ...who, '--dry-run');
  t.is(dry.code, 0);
  t.regex(dry.printed, /^3 {2}shipments$/m);
  t.regex(dry.printed, /Nothing stands in the way/);
  t.true((await columnsWith(service, TRACES)).length > 10, 'a dry run changes nothing');
  const erased = await run('erase', ...who);
  t.is(erased.code, 0, erased.printedErrors);
  t.regex(erased.printed, /^3 {2}shipments$/m);
  t.deepEqual(await columnsWith(service, TRACES), []);
  t.is((await select(service.database, 'select from failed_imports')).length, 0);
  t.is((await select(service.database, 'select from remembered_places')).length, 0);

  const left = await send(service, 'GET', own.iri, { token });
  t.like(left.body, { status: 'delivered', codAmount: '49.90', recipient: { firstName: 'Erased' } });
  t.is(at(left.body, 'items.0.unitPrice'), '7.50');
  t.is(at((await send(service, 'GET', own.delivery, { token })).body, 'proof.cashCollected'), '49.90');
  t.regex((await run('erase', ...who)).printed, /Nothing is kept of this person/);
  const audit = await select<{ kind: string; count: number }>(
    service.database,
    `select kind, count from audit_events where organization_id = $1 and kind like 'person.%'`,
    [organization.id],
  );
  t.true(audit.length >= 3 && audit.every(({ kind, count }) => kind === 'person.erased' && count > 0));
});

/** Delivers a shipment of a team by a driver. */
async function deliver({ token }: Team, driver: string, fields: Readonly<Record<string, unknown>> = {}) {
  const shipment = await makeShipment(service, token, { fields });
  await move(service, token, shipment.delivery, 'assign', { driver: `/api/v1/drivers/${driver}` });
  await move(service, token, shipment.delivery, 'start_delivery');
  await move(service, token, shipment.delivery, 'deliver');
  return shipment;
}

async function eventsOf(token: string, status: string) {
  const { body } = await send(service, 'GET', `/webhook-deliveries?status=${status}`, { token });
  return listAt(body, 'member');
}

test.serial('409 erased events are not replayed: one, many, or by the operator', async (t) => {
  const receiver = await startReceiver({ answers: [410] });
  t.teardown(receiver.close);
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN', { webhookUrl: receiver.url });
  const { token, organization } = team;
  const driver = await makeDriver(service, organization);
  const shipment = await deliver(team, driver, { externalReference: 'order-5' });
  await deliver(team, driver);
  await settled(service, organization.id);
  const own = organizationArgument(organization.id);
  t.is((await run('erase', ...own, '--shipment', shipment.id)).code, 0);
  t.regex(
    (await run('erase', ...own, '--shipment', shipment.id)).printedErrors,
    /no such shipment, or its recipient is erased already\./,
  );

  const events = await eventsOf(token, 'rejected');
  const erased = events.filter((event) => at(event, 'erasedAt') !== undefined);
  t.deepEqual([events.length, erased.length], [6, 3]);
  const [one] = erased;
  const shown = await send(service, 'GET', textAt(one, '@id'), { token });
  t.like(at(shown.body, 'body'), {
    event: 'shipment.status_changed',
    shipmentId: shipment.id,
    externalReference: null,
  });
  const replay = await send(service, 'POST', `${textAt(one, '@id')}/replay`, { token });
  t.is(replay.status, 409);
  t.is(at(replay.body, 'messageKey'), 'webhook_erased');
  const listed = await runAsOperator(service, deadLetters, ['list', ...own, '--status', 'rejected']);
  t.regex(listed.printed, /^3 events in all/m);
  const many = await send(service, 'POST', '/webhook-deliveries/replay', { token });
  t.is(at(many.body, 'count'), 3);
});

test.serial('a repeat of a request from before the erasure gets the erased record', async (t) => {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { token, organization } = team;
  const body = { recipient: { ...RECIPIENT, phoneNumber: '+33644556677' } };
  const request = { token, body, headers: { 'idempotency-key': 'once' } };
  const made = expectStatus(await send(service, 'POST', '/shipments', request), 201);
  await move(service, token, textAt(made.body, 'tasks.0.@id'), 'cancel');
  const erased = await run('erase', ...organizationArgument(organization.id), '--phone', '+33644556677');
  t.is(erased.code, 0, erased.printedErrors);
  const again = await send(service, 'POST', '/shipments', request);
  t.is(again.status, 201);
  t.is(at(again.body, 'recipient.firstName'), 'Erased');
  t.false(JSON.stringify(again.body).includes('+33644556677'));
  t.is(
    (await select(service.database, 'select from shipments where organization_id = $1', [organization.id]))
      .length,
    1,
  );
});

const RECIPIENT = { firstName: 'Odile', address: { street: '1 rue Haute', city: 'Lyon' } };

test.serial('an export has each kind of row of a person, and of nobody else', async (t) => {
  const team = await makeTeam(service);
  const { token, organization } = team;
  const phoneNumber = '+33611112222';
  const own = await makeShipment(service, token, { fields: { recipient: { ...RECIPIENT, phoneNumber } } });
  await makeShipment(service, token);
  const exported = await run('export', ...organizationArgument(organization.id), '--phone', phoneNumber);
  t.is(exported.code, 0);
  const lines = exported.printed.split('\n').map((line): unknown => JSON.parse(line));
  t.deepEqual(
    lines.map((line) => textAt(line, 'table')),
    ['shipments', 'tasks', 'timeline_entries'],
  );
  t.is(at(lines[0], 'row.id'), own.id);
  t.is(at(lines[0], 'row.recipient.phoneNumber'), phoneNumber);
  t.is(at(lines[0], 'row.search_text'), undefined);
  t.deepEqual(
    await select(
      service.database,
      `select actor, count from audit_events where kind = 'person.exported' and organization_id = $1`,
      [organization.id],
    ),
    [{ actor: 'operator', count: null }],
  );
});

test.serial('a driver is erased with its user, its positions and its name in events', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN', { webhookUrl: receiver.url });
  const { token, organization } = team;
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  await execute(
    service.database,
    `update users set first_name = 'Ximenia', last_name = 'Voss', email = 'ximenia@voss.example' where id = $1`,
    [user.id],
  );
  const driver = await makeDriver(service, organization, { userId: user.id, firstName: 'Ximenia' });
  await execute(
    service.database,
    `update drivers set phone_number = '+33655443322', last_name = 'Voss' where id = $1`,
    [driver],
  );
  const location = { latitude: 48.85, longitude: 2.35 };
  const where = `/drivers/${driver}/location`;
  expectStatus(await send(service, 'POST', where, { token: user.token, body: location }), 200);
  await send(service, 'POST', '/login_check', {
    body: { email: 'ximenia@voss.example', password: 'wrong' },
    contentType: 'application/json',
  });
  await execute(
    service.database,
    `insert into second_factors (user_id, organization_id, secret, confirmed_at) values ($1, $2, 'JBSWY3DPEHPK3PXP', clock_timestamp())`,
    [user.id, organization.id],
  );
  await hitRateWindow(service.database, `login-code:${user.id}`, 5, 600);
  const open = await makeShipment(service, token);
  await move(service, token, open.delivery, 'assign', { driver: `/api/v1/drivers/${driver}` });
  await deliver(team, driver);
  await settled(service, organization.id);
  const who = [...organizationArgument(organization.id), '--driver', driver];
  const traces = ['Ximenia', 'Voss', '655443322'];
  t.regex((await run('erase', ...who)).printedErrors, /The driver has 1 open tasks/);
  await move(service, token, open.delivery, 'unassign');
  await settled(service, organization.id);
  t.deepEqual(await columnsWith(service, traces), [
    ...['drivers.first_name', 'drivers.last_name', 'drivers.phone_number', 'rate_windows.subject'],
    ...['users.email', 'users.first_name', 'users.last_name', 'webhook_events.body'],
  ]);
  const exported = await run('export', ...who);
  t.regex(exported.printed, /"table":"driver_positions"/);
  t.regex(exported.printed, /"table":"second_factors"/);
  t.notRegex(exported.printed, /password_hash|JBSWY3DPEHPK3PXP|last_step/);
  const erased = await run('erase', ...who);
  t.is(erased.code, 0, erased.printedErrors);
  t.deepEqual(await columnsWith(service, traces), []);
  const rowsOf = (sql: string, of: string) => select(service.database, sql, [of]);
  t.deepEqual(await rowsOf('select from driver_positions where driver_id = $1', driver), []);
  t.deepEqual(await rowsOf(`select from rate_windows where subject = 'login-code:' || $1`, user.id), []);
  t.is((await send(service, 'GET', '/users/me', { token: user.token })).status, 401);
  t.is((await send(service, 'GET', `/drivers/${driver}`, { token })).status, 404);
  const timeline = await send(service, 'GET', open.iri, { token });
  t.is(timeline.status, 200);
  const last = [...organizationArgument(organization.id), '--user', team.user.id];
  t.regex((await run('erase', ...last)).printedErrors, /last active admin/);
});

test.serial('a driver that was deleted and made again is erased whole, by whichever is named', async (t) => {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { token, organization } = team;
  for (const by of ['first', 'second', 'user'] as const) {
    const user = await makeUser(service, organization, 'ROLE_DRIVER');
    const first = await makeDriver(service, organization, { userId: user.id, firstName: 'Wilhelmine' });
    expectStatus(await send(service, 'DELETE', `/drivers/${first}`, { token }), 204);
    const second = await makeDriver(service, organization, { userId: user.id, firstName: 'Wilma' });
    const open = await makeShipment(service, token);
    await move(service, token, open.delivery, 'assign', { driver: `/api/v1/drivers/${second}` });
    const who = by === 'user' ? ['--user', user.id] : ['--driver', by === 'first' ? first : second];
    const erase = () => run('erase', ...organizationArgument(organization.id), ...who);
    t.regex((await erase()).printedErrors, /The driver has 1 open tasks/, by);
    await move(service, token, open.delivery, 'unassign');
    const erased = await erase();
    t.is(erased.code, 0, erased.printedErrors);
    t.regex(erased.printed, /^2 {2}drivers$/m, by);
    t.deepEqual(await columnsWith(service, ['Wilhelmine', 'Wilma']), [], by);
  }
});

const FAULTY: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no act', [], /Usage: npm run person/],
  ['nobody', ['erase', '--organization', ID], /Name the person in one way/],
  [
    'two names',
    ['erase', '--organization', ID, '--phone', '+33612345678', '--email', 'a@b.example'],
    /in one way/,
  ],
  ['a number without a country', ['erase', '--organization', ID, '--phone', '0612345678'], /--phone must be/],
  ['no organization', ['export', '--email', 'a@b.example'], /--organization must be/],
  ['an unknown driver', ['erase', '--organization', ID, '--driver', ID], /no such driver/],
];
test('faulty arguments are rejected with what to do', async (t) => {
  for (const [what, argv, message] of FAULTY) {
    const { code, printedErrors } = await run(...argv);
    t.is(code, 1, what);
    t.regex(printedErrors, message, what);
  }
});
