import test from 'ava';
import { execute, inTransaction, selectOne } from '../../../store/connection.ts';
import { newId } from '../../../store/new-id.ts';
import { makeDriver, makeOrganization, makeTeam, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { at, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

const DRIVER = { firstName: 'Lina', lastName: 'Haddad', phoneNumber: '+33 6 12 00 00 02' };

async function assignedTask(token: string, driver: string): Promise<string> {
  const shipment = await send(service, 'POST', '/shipments', { token, body: shipmentBodyWith() });
  const task = textAt(shipment.body, 'tasks.0.@id');
  await send(service, 'POST', `${task}/transition`, { token, body: { transition: 'assign', driver } });
  return task;
}

test('201 creates a driver that the answer shows and Location names', async (t) => {
  const { token } = await makeTeam(service);
  const created = await send(service, 'POST', '/drivers', {
    token,
    body: { ...DRIVER, vehicleType: 'van' },
  });
  t.is(created.status, 201);
  t.like(created.body, {
    '@context': '/api/v1/contexts/Driver',
    '@type': 'Driver',
    firstName: 'Lina',
    lastName: 'Haddad',
    phoneNumber: '+33612000002',
    vehicleType: 'van',
    isAvailable: true,
  });
  t.is(created.headers.get('location'), textAt(created.body, '@id'));
  const read = await send(service, 'GET', textAt(created.body, '@id'), { token });
  t.deepEqual([read.status, read.body], [200, created.body]);
  t.is(read.headers.get('etag'), created.headers.get('etag'));
});

test('422 lists every violation of a driver', async (t) => {
  const { token } = await makeTeam(service);
  const answer = await send(service, 'POST', '/drivers', {
    token,
    body: { firstName: ' ', phoneNumber: '0612', vehicleType: 'rocket', isAvailable: 'yes', user: 'me' },
  });
  t.is(answer.status, 422);
  const paths = violationPaths(answer.body);
  t.deepEqual(paths.sort(), ['firstName', 'isAvailable', 'lastName', 'phoneNumber', 'user', 'vehicleType']);
});

test('200 an empty text clears a driver’s field; a second time the version stays', async (t) => {
  const { token } = await makeTeam(service);
  const made = await send(service, 'POST', '/drivers', {
    token,
    body: { ...DRIVER, vehicleType: 'van', user: '' },
  });
  t.is(made.status, 201);
  const clear = () => send(service, 'PATCH', textAt(made.body, '@id'), { token, body: { vehicleType: '' } });
  const cleared = await clear();
  t.is(at(cleared.body, 'vehicleType'), undefined);
  t.not(cleared.headers.get('etag'), made.headers.get('etag'));
  t.is((await clear()).headers.get('etag'), cleared.headers.get('etag'));
});

test('200 lists the organization’s drivers alone, narrowed by isAvailable', async (t) => {
  const { organization, token } = await makeTeam(service);
  const off = await makeDriver(service, organization, { isAvailable: false });
  const on = await makeDriver(service, organization);
  await makeDriver(service, await makeOrganization(service));
  const all = await send(service, 'GET', '/drivers', { token });
  t.is(at(all.body, 'totalItems'), 2);
  t.is(at(all.body, 'member.0.@id'), `/api/v1/drivers/${on}`);
  const unavailable = await send(service, 'GET', '/drivers?isAvailable=false', { token });
  t.is(at(unavailable.body, 'totalItems'), 1);
  t.is(at(unavailable.body, 'member.0.id'), off);
  t.is(at(unavailable.body, 'view.first'), '/api/v1/drivers?isAvailable=false&page=1');
});

test('400 rejects a filter that is not known', async (t) => {
  const { token } = await makeTeam(service);
  t.is((await send(service, 'GET', '/drivers?available=true', { token })).status, 400);
  t.is((await send(service, 'GET', '/drivers?isAvailable=perhaps', { token })).status, 400);
});

test('200 a patch changes its fields, null removes, and the whole document is accepted', async (t) => {
  const { token } = await makeTeam(service);
  const created = await send(service, 'POST', '/drivers', {
    token,
    body: { ...DRIVER, vehicleType: 'van' },
  });
  const path = textAt(created.body, '@id');
  const same = await send(service, 'PATCH', path, { token, body: created.body });
  t.is(same.status, 200);
  const edited = await send(service, 'PATCH', path, {
    token,
    body: { isAvailable: false, vehicleType: null },
  });
  t.is(edited.status, 200);
  t.is(at(edited.body, 'isAvailable'), false);
  t.is(at(edited.body, 'vehicleType'), undefined);
  t.is(at(edited.body, 'firstName'), 'Lina');
});

test('422 a patch may not set the last position', async (t) => {
  const { organization, token } = await makeTeam(service);
  const driver = await makeDriver(service, organization);
  const answer = await send(service, 'PATCH', `/drivers/${driver}`, {
    token,
    body: { lastPosition: { latitude: 1, longitude: 1 }, firstName: 'Nobody' },
  });
  t.is(answer.status, 422);
  t.is(at(answer.body, 'violations.0.propertyPath'), 'lastPosition');
  const read = await send(service, 'GET', `/drivers/${driver}`, { token });
  t.is(at(read.body, 'firstName'), 'Yanis');
});

test('412 an edit of a record that another has changed', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const path = `/drivers/${await makeDriver(service, organization)}`;
  const etag = (await send(service, 'GET', path, { token })).headers.get('etag') ?? '';
  const first = await send(service, 'PATCH', path, {
    token,
    body: { firstName: 'A' },
    headers: { 'if-match': etag },
  });
  t.is(first.status, 200);
  const second = await send(service, 'PATCH', path, {
    token,
    body: { firstName: 'B' },
    headers: { 'if-match': etag },
  });
  t.is(second.status, 412);
  t.is((await send(service, 'DELETE', path, { token, headers: { 'if-match': etag } })).status, 412);
  t.is(at((await send(service, 'GET', path, { token })).body, 'firstName'), 'A');
});

test('200 one of several concurrent edits wins, and none is lost silently', async (t) => {
  const { organization, token } = await makeTeam(service);
  const path = `/drivers/${await makeDriver(service, organization)}`;
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  const etag = (await send(service, 'GET', path, { token })).headers.get('etag') ?? '';
  const answers = await Promise.all(
    names.map((firstName) =>
      send(service, 'PATCH', path, { token, body: { firstName }, headers: { 'if-match': etag } }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  t.deepEqual(statuses, [200, 412, 412, 412, 412, 412]);
});

test('422 a driver’s user is a driver’s user of the organization, and of one driver only', async (t) => {
  const { organization, token } = await makeTeam(service);
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const merchant = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const foreign = await makeUser(service, await makeOrganization(service), 'ROLE_DRIVER');
  const iri = (id: string) => `/api/v1/users/${id}`;
  const created = await send(service, 'POST', '/drivers', { token, body: { ...DRIVER, user: iri(user.id) } });
  t.is(created.status, 201);
  for (const id of [user.id, merchant.id, foreign.id, newId<'user'>()]) {
    const answer = await send(service, 'POST', '/drivers', { token, body: { ...DRIVER, user: iri(id) } });
    t.is(answer.status, 422);
    t.is(at(answer.body, 'violations.0.propertyPath'), 'user');
  }
});

test('204 deletes a driver without open tasks; 404 from then on', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const path = `/drivers/${await makeDriver(service, organization)}`;
  t.is((await send(service, 'DELETE', path, { token })).status, 204);
  t.is((await send(service, 'GET', path, { token })).status, 404);
  t.is((await send(service, 'DELETE', path, { token })).status, 404);
  t.is(at((await send(service, 'GET', '/drivers', { token })).body, 'totalItems'), 0);
});

test('409 a driver with open tasks stays, and blockedBy names them', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const driver = await makeDriver(service, organization);
  const task = await assignedTask(token, driver);
  const refused = await send(service, 'DELETE', `/drivers/${driver}`, { token });
  t.is(refused.status, 409);
  t.deepEqual(at(refused.body, 'blockedBy'), [task]);
  await send(service, 'POST', `${task}/transition`, { token, body: { transition: 'cancel' } });
  t.is((await send(service, 'DELETE', `/drivers/${driver}`, { token })).status, 204);
});

test('409 a deletion waits for an assignment that began before it, and then sees its task', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const driver = await makeDriver(service, organization);
  const shipment = await send(service, 'POST', '/shipments', { token, body: shipmentBodyWith() });
  const task = textAt(shipment.body, 'tasks.0.id');
  const deleted = await inTransaction(service.database, async (transaction) => {
    // As store/commands/apply-command.ts does: the driver first, then the task.
    await execute(transaction, 'select id from drivers where id = $1 for share', [driver]);
    const deletion = send(service, 'DELETE', `/drivers/${driver}`, { token });
    await untilSomebodyWaits();
    const assign = `update tasks set driver_id = $2, status = 'assigned' where id = $1`;
    await execute(transaction, assign, [task, driver]);
    return { deletion };
  });
  t.is((await deleted.deletion).status, 409);
  t.is((await send(service, 'GET', `/drivers/${driver}`, { token })).status, 200);
});

/** Resolves when a statement of this database waits for a lock on a driver. */
async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const waiting = await selectOne(
      service.database,
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like '%from drivers%for no key update%'`,
    );
    if (waiting !== undefined) return;
  }
}

test('422 a deleted driver is assigned nothing', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const driver = await makeDriver(service, organization);
  t.is((await send(service, 'DELETE', `/drivers/${driver}`, { token })).status, 204);
  const shipment = await send(service, 'POST', '/shipments', { token, body: shipmentBodyWith() });
  const answer = await send(service, 'POST', `${textAt(shipment.body, 'tasks.0.@id')}/transition`, {
    token,
    body: { transition: 'assign', driver },
  });
  t.is(answer.status, 422);
});

test('403 another organization’s driver can neither be read, moved, changed nor deleted', async (t) => {
  const { token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const path = `/drivers/${await makeDriver(service, await makeOrganization(service))}`;
  const position = { latitude: 1, longitude: 1 };
  const answers = await Promise.all([
    send(service, 'GET', path, { token }),
    send(service, 'PATCH', path, { token, body: { firstName: 'X' } }),
    send(service, 'DELETE', path, { token }),
    send(service, 'GET', `${path}/positions`, { token }),
    send(service, 'POST', `${path}/location`, { token, body: position }),
  ]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403, 403, 403],
  );
});

test('403 a driver reads only itself and lists no one', async (t) => {
  const { organization } = await makeTeam(service);
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const own = await makeDriver(service, organization, { userId: user.id });
  const other = await makeDriver(service, organization);
  const { token } = user;
  t.is((await send(service, 'GET', `/drivers/${own}`, { token })).status, 200);
  t.is((await send(service, 'GET', `/drivers/${other}`, { token })).status, 403);
  t.is((await send(service, 'GET', '/drivers', { token })).status, 403);
  t.is((await send(service, 'PATCH', `/drivers/${own}`, { token, body: {} })).status, 403);
});
