import test from 'ava';
import { toId } from '../../../domain/ids.ts';
import {
  makeDriver,
  makeOrganization,
  makePickupPoint,
  makeTeamWithDriver,
  makeUser,
} from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { storedEvents } from '../../store/shipments.ts';

const service = useService();

async function read(token: string, iri: string): Promise<unknown> {
  return expectStatus(await send(service, 'GET', iri, { token }), 200).body;
}

function post(token: string, task: string, body: unknown) {
  return send(service, 'POST', `${task}/transition`, { token, body });
}

/** A tour of a driver with the pickup and the delivery of one shipment, both assigned. */
async function tourOfOneShipment() {
  const organization = await makeOrganization(service, { webhookUrl: 'https://shop.example/hook' });
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const driver = await makeDriver(service, organization);
  const pickupPoint = await makePickupPoint(service, organization);
  const { id, iri, pickup = '', delivery } = await makeShipment(service, token, { pickupPoint });
  const body = { driver, tasks: [pickup, delivery] };
  const run = textAt(
    expectStatus(await send(service, 'POST', '/delivery-runs', { token, body }), 201).body,
    '@id',
  );
  const events = async () =>
    (await storedEvents(service.database, toId<'shipment'>(id))).map((event): unknown =>
      JSON.parse(event.body),
    );
  return { token, driver, iri, pickup, delivery, run, events };
}

test('200 unassign takes a waiting delivery from its driver and its tour, and nothing else', async (t) => {
  const { token, driver, iri, pickup, delivery, run, events } = await tourOfOneShipment();
  const before = await events();
  const freed = await move(service, token, delivery, 'unassign');
  t.like(freed, { status: 'waiting_for_pickup', shipmentStatus: 'pending', attempts: 1 });
  for (const name of ['driver', 'deliveryRun', 'position', 'assignedAt'])
    t.is(at(freed, name), undefined, name);
  t.deepEqual(at(freed, 'allowedTransitions'), ['assign', 'cancel']);
  const tour = await read(token, run);
  t.deepEqual(
    listAt(tour, 'tasks').map((task) => at(task, '@id')),
    [pickup],
  );
  t.is(at(await read(token, pickup), 'driver'), `/api/v1/drivers/${driver}`);

  const [event, ...others] = (await events()).slice(before.length);
  t.deepEqual(others, []);
  t.like(event, {
    event: 'shipment.status_changed',
    status: 'pending',
    taskType: 'delivery',
    taskStatus: 'waiting_for_pickup',
    driverName: null,
  });
  const entry = listAt(await read(token, iri), 'timeline').at(-1);
  t.like(entry, { transition: 'unassign', taskType: 'delivery', status: 'pending' });
});

test('200 what was unassigned is assigned and put on a tour again', async (t) => {
  const { token, driver, pickup, delivery, run } = await tourOfOneShipment();
  t.is(at(await move(service, token, pickup, 'unassign'), 'status'), 'pending');
  await move(service, token, delivery, 'unassign');
  t.is(at(await read(token, run), 'taskCounts.total'), 0);
  const body = { driver, tasks: [delivery, pickup] };
  const again = expectStatus(await send(service, 'POST', '/delivery-runs', { token, body }), 201);
  t.deepEqual(
    listAt(again.body, 'tasks').map((task) => at(task, 'status')),
    ['assigned_waiting', 'assigned'],
  );
  await move(service, token, pickup, 'pick_up');
  const freed = await move(service, token, delivery, 'unassign');
  t.like(freed, { status: 'pending', shipmentStatus: 'picked_up' });
});

test('409 a task without a driver, or that has begun, is not unassigned', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const free = await post(token, delivery, { transition: 'unassign' });
  t.is(free.status, 409);
  t.like(free.body, { currentStatus: 'pending', allowedTransitions: ['assign', 'cancel'] });
  await move(service, token, delivery, 'assign', { driver });
  await move(service, token, delivery, 'start_delivery');
  const begun = await post(token, delivery, { transition: 'unassign' });
  t.is(begun.status, 409);
  t.is(at(begun.body, 'currentStatus'), 'delivery_in_progress');
});

test('403 a task that was unassigned is no longer its driver’s', async (t) => {
  const { token, organization } = await makeTeamWithDriver(service);
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const driver = await makeDriver(service, organization, { userId: user.id });
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver });
  t.is((await post(user.token, delivery, { transition: 'unassign' })).status, 403);
  await move(service, token, delivery, 'unassign');
  t.is((await post(user.token, delivery, { transition: 'deliver' })).status, 403);
  t.is(at(await read(user.token, '/tasks'), 'totalItems'), 0);
});
