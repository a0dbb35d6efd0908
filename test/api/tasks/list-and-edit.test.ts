import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { makeDriver, makePickupPoint, makeTeam, makeTeamWithDriver, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

async function found(token: string, query: string): Promise<unknown[]> {
  const { body } = expectStatus(await send(service, 'GET', `/tasks${query}`, { token }), 200);
  const members = listAt(body, 'member').map((task) => at(task, '@id'));
  if (at(body, 'totalItems') !== members.length) throw new Error('the total is not what is shown');
  return members;
}

function patch(token: string, task: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return send(service, 'PATCH', task, { token, body, headers });
}

test('200 each filter alone and together finds exactly its tasks', async (t) => {
  const { token, driver, organization } = await makeTeamWithDriver(service);
  const pickupPoint = await makePickupPoint(service, organization);
  const first = await makeShipment(service, token, { pickupPoint });
  const second = await makeShipment(service, token);
  const pickup = first.pickup ?? '';
  await move(service, token, pickup, 'assign', { driver });
  const all = [first.delivery, pickup, second.delivery];
  t.deepEqual((await found(token, '')).sort(), all.sort());
  t.deepEqual(await found(token, '?type=pickup'), [pickup]);
  t.deepEqual(await found(token, '?status=waiting_for_pickup'), [first.delivery]);
  t.deepEqual(await found(token, `?driver=${driver}`), [pickup]);
  t.deepEqual(await found(token, `?driver=/api/v1/drivers/${driver}`), [pickup]);
  t.deepEqual(await found(token, `?driver=${randomUUID()}`), []);
  t.deepEqual((await found(token, `?shipment=${first.iri}`)).sort(), [first.delivery, pickup].sort());
  t.deepEqual(await found(token, `?shipment=${first.id}&type=delivery`), [first.delivery]);
  t.deepEqual(await found(token, `?deliveryRun=${randomUUID()}`), []);
  t.deepEqual(await found(token, '?status=pending&type=delivery'), [second.delivery]);
  const stranger = await makeTeamWithDriver(service);
  t.deepEqual(await found(stranger.token, `?shipment=${first.id}`), []);
});

for (const query of [
  'status=lost',
  'type=parcel',
  'driver=x',
  'shipment=/api/v1/tasks/x',
  'page=0',
  'itemsPerPage=101',
  'state=x',
]) {
  test(`400 ?${query} is rejected by name`, async (t) => {
    const { token } = await makeTeam(service);
    const answer = await send(service, 'GET', `/tasks?${query}`, { token });
    t.is(answer.status, 400);
    t.true(textAt(answer.body, 'detail').includes(`${query.split('=')[0]}: `));
  });
}

test('200 what a dispatcher may edit is edited, and null removes it', async (t) => {
  const { token } = await makeTeam(service);
  const { delivery } = await makeShipment(service, token);
  const edit = {
    notes: 'Back door',
    address: { street: '2 quai', landmark: 'Gate' },
    contact: { name: 'Zoé', phoneNumber: '+33 7 00 00 00 00' },
    after: '2030-01-01T08:00:00+01:00',
    before: '2030-01-01T10:00:00+01:00',
    position: 3,
  };
  const edited = expectStatus(await patch(token, delivery, edit), 200).body;
  t.is(at(edited, 'notes'), 'Back door');
  t.deepEqual(at(edited, 'address'), {
    street: '2 quai',
    city: 'Paris',
    postalCode: '75001',
    landmark: 'Gate',
  });
  t.deepEqual(at(edited, 'contact'), { name: 'Zoé', phoneNumber: '+33700000000' });
  t.is(at(edited, 'after'), '2030-01-01T07:00:00.000Z');
  t.is(at(edited, 'before'), '2030-01-01T09:00:00.000Z');
  t.is(at(edited, 'position'), 3);
  const nulls = { notes: null, contact: null, after: null, before: null, position: null };
  const emptied = fieldsOf(expectStatus(await patch(token, delivery, nulls), 200).body);
  for (const name of Object.keys(nulls)) t.false(name in emptied, name);
});

test('200 sending back the whole task changes nothing, not even the version', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver });
  const before = await send(service, 'GET', delivery, { token });
  const answer = await patch(token, delivery, before.body);
  t.is(answer.status, 200);
  t.deepEqual(answer.body, before.body);
  t.is(answer.headers.get('etag'), before.headers.get('etag'));
});

test('200 a driver’s task has all that is needed at the door, in the list too', async (t) => {
  const { token, organization } = await makeTeam(service);
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const driver = await makeDriver(service, organization, { userId: user.id });
  const pickupPoint = await makePickupPoint(service, organization);
  await execute(service.database, 'update pickup_points set contact = $2::jsonb where id = $1', [
    pickupPoint,
    JSON.stringify({ name: 'Salma', phoneNumber: '+33611111111', email: null }),
  ]);
  const fields = { codAmount: '49.90', handlingOptions: ['fragile', 'id_check'], notes: 'Ring twice' };
  const { iri, pickup = '', delivery } = await makeShipment(service, token, { pickupPoint, fields });
  const shipment = fieldsOf((await send(service, 'GET', iri, { token })).body);
  const { trackingNumber, recipient, totalCodToCollect } = shipment;
  const needed = {
    ...{ trackingNumber, recipient, totalCodToCollect, currency: 'EUR' },
    ...{ codAmount: '49.90', handlingOptions: ['fragile', 'id_check'], shipmentNotes: 'Ring twice' },
    pickupContact: { name: 'Salma', phoneNumber: '+33611111111' },
  };
  for (const task of [pickup, delivery]) await move(service, token, task, 'assign', { driver });
  const { body: list } = expectStatus(await send(service, 'GET', '/tasks', { token: user.token }), 200);
  const read = await send(service, 'GET', delivery, { token: user.token });
  const moved = await move(service, user.token, pickup, 'pick_up');
  const shown = [...listAt(list, 'member'), read.body, moved].map(fieldsOf);
  t.is(shown.length, 4);
  for (const task of shown) t.like(task, needed);
  t.false('notes' in (shown[0] ?? {}), 'those are the task’s own');

  await send(service, 'PATCH', iri, { token, body: { notes: 'Third floor' } });
  const after = await send(service, 'GET', delivery, { token: user.token });
  t.is(at(after.body, 'shipmentNotes'), 'Third floor');
  t.not(after.headers.get('etag'), read.headers.get('etag'));
});

test('422 driver, status and run are rejected with the endpoint to use', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const answer = await patch(token, delivery, {
    driver: `/api/v1/drivers/${driver}`,
    status: 'delivered',
    deliveryRun: `/api/v1/delivery-runs/${randomUUID()}`,
    attempts: 5,
    codAmount: '10.00',
  });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body).sort(), [
    'attempts',
    'codAmount',
    'deliveryRun',
    'driver',
    'status',
  ]);
  const detail = textAt(answer.body, 'detail');
  const endpoints = ['/tasks/{id}/transition', "'assign'", '/delivery-runs/{id}/tasks', '/shipments/{id}'];
  for (const endpoint of endpoints) {
    t.true(detail.includes(endpoint), endpoint);
  }
});

for (const [name, body, paths] of [
  ['the address away', { address: null }, ['address']],
  ['a blank street', { address: { street: ' ' } }, ['address.street']],
  ['notes too long', { notes: 'x'.repeat(2_001) }, ['notes']],
  ['a contact of no name', { contact: { name: null } }, ['contact.name']],
  ['a position below zero', { position: -1 }, ['position']],
  ['a position that is text', { position: '1' }, ['position']],
  ['a day that does not exist', { after: '2030-02-30T00:00:00Z' }, ['after']],
] as const) {
  test(`422 an edit with ${name} is rejected at the wrong field`, async (t) => {
    const { token } = await makeTeam(service);
    const { delivery } = await makeShipment(service, token);
    const answer = await patch(token, delivery, body);
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), [...paths]);
  });
}

test('409 an ended task is not edited', async (t) => {
  const { token } = await makeTeam(service);
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'cancel');
  const answer = await patch(token, delivery, { notes: 'x' });
  t.is(answer.status, 409);
  t.is(at(answer.body, 'currentStatus'), 'cancelled');
});

test('412 an edit with a stale tag', async (t) => {
  const { token } = await makeTeam(service);
  const { delivery } = await makeShipment(service, token);
  const stale = (await send(service, 'GET', delivery, { token })).headers.get('etag') ?? '';
  t.is((await patch(token, delivery, { notes: 'a' }, { 'if-match': stale })).status, 200);
  t.is((await patch(token, delivery, { notes: 'b' }, { 'if-match': stale })).status, 412);
  t.is(at((await send(service, 'GET', delivery, { token })).body, 'notes'), 'a');
});
