import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { makeMerchant, makePickupPoint, makeTeamWithDriver } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import type { MadeShipment } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

const HUB = { street: '8 quai de la Gare', city: 'Paris' };

test('201 a transfer sends the delivery back to waiting, and its deliver releases it', async (t) => {
  const { token, driver, shipment } = await pickedUpShipment();
  const answer = await addTask(token, shipment, { type: 'transfer', address: HUB });
  t.is(answer.status, 201);
  const transfer = textAt(answer.body, '@id');
  t.is(answer.headers.get('location'), transfer);
  t.is(at(answer.body, 'type'), 'transfer');
  t.is(at(answer.body, 'address.street'), HUB.street);
  t.is(at(answer.body, 'contact'), undefined);
  t.deepEqual(at(answer.body, 'allowedTransitions'), ['assign', 'cancel']);
  const waiting = await read(token, shipment.delivery);
  t.is(at(waiting, 'status'), 'waiting_for_pickup');
  t.is(at(waiting, 'previous'), transfer);

  await move(service, token, transfer, 'assign', { driver });
  t.is(at(await move(service, token, transfer, 'start_transit'), 'shipmentStatus'), 'in_transit');
  const arrived = await move(service, token, transfer, 'deliver');
  t.is(at(arrived, 'shipmentStatus'), 'picked_up');
  t.is(at(await read(token, shipment.delivery), 'status'), 'pending');
  await move(service, token, shipment.delivery, 'assign', { driver });
  await move(service, token, shipment.delivery, 'start_delivery');
  t.is(at(await move(service, token, shipment.delivery, 'deliver'), 'shipmentStatus'), 'delivered');
});

test('201 a return goes to the pickup’s address; then the shipment is returned', async (t) => {
  const { token, driver, shipment } = await pickedUpShipment();
  await failDelivery(token, driver, shipment);
  const answer = await addTask(token, shipment, { type: 'return' });
  t.is(answer.status, 201);
  t.is(at(answer.body, 'address.street'), '12 rue Oberkampf');
  t.is(at(answer.body, 'contact'), undefined, 'the recipient is not whom the driver meets');
  const task = textAt(answer.body, '@id');
  t.is(at(answer.body, 'previous'), shipment.delivery);
  await move(service, token, task, 'assign', { driver });
  await move(service, token, task, 'start_transit');
  t.is(at(await move(service, token, task, 'deliver'), 'shipmentStatus'), 'returned');
  t.is(at(await read(token, shipment.delivery), 'status'), 'cancelled');
});

test('201 a return holds a delivery that was not tried, and ends or releases it', async (t) => {
  const { token, driver, shipment } = await pickedUpShipment();
  const { delivery } = shipment;
  const called = textAt(expectStatus(await addTask(token, shipment, { type: 'return' }), 201).body, '@id');
  const waiting = await read(token, delivery);
  t.is(at(waiting, 'status'), 'waiting_for_pickup');
  t.is(at(waiting, 'previous'), called);
  t.is(at(await move(service, token, called, 'cancel'), 'shipmentStatus'), 'picked_up');
  t.is(at(await read(token, delivery), 'status'), 'pending');

  await move(service, token, delivery, 'assign', { driver });
  const again = textAt(expectStatus(await addTask(token, shipment, { type: 'return' }), 201).body, '@id');
  t.is(at(await read(token, delivery), 'status'), 'assigned_waiting');
  t.is(await statusOf(token, delivery, { transition: 'deliver' }), 409, 'the parcel goes back');
  await move(service, token, again, 'assign', { driver });
  t.is(at(await move(service, token, again, 'deliver'), 'shipmentStatus'), 'returned');
  t.is(at(await read(token, delivery), 'status'), 'cancelled');
});

test('201 a return without a pickup goes to the merchant’s address, with its contact', async (t) => {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  const merchant = await makeMerchant(service, organization);
  await execute(
    service.database,
    'update merchants set address = $2::jsonb, contact = $3::jsonb where id = $1',
    [
      merchant,
      JSON.stringify({ street: '3 rue du Port', city: 'Lyon' }),
      JSON.stringify({ name: 'Ines Caron', phoneNumber: '+33611111111', email: null }),
    ],
  );
  const shipment = await makeShipment(service, token, {
    fields: { merchant: `/api/v1/merchants/${merchant}` },
  });
  await failDelivery(token, driver, shipment);
  const answer = expectStatus(await addTask(token, shipment, { type: 'return' }), 201);
  t.is(at(answer.body, 'address.city'), 'Lyon');
  t.is(at(answer.body, 'contact.name'), 'Ines Caron');
});

test('422 a return with neither pickup nor merchant requires an address', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const shipment = await makeShipment(service, token);
  await failDelivery(token, driver, shipment);
  const refused = await addTask(token, shipment, { type: 'return' });
  t.is(refused.status, 422);
  t.is(at(refused.body, 'violations.0.propertyPath'), 'address');
  t.is((await addTask(token, shipment, { type: 'return', address: HUB })).status, 201);
});

test('422 a transfer without address, an unknown type, a foreign shipment: together or alone', async (t) => {
  const { token, shipment } = await pickedUpShipment();
  const noAddress = await addTask(token, shipment, { type: 'transfer' });
  t.is(noAddress.status, 422);
  t.is(at(noAddress.body, 'violations.0.propertyPath'), 'address');
  const noType = await addTask(token, shipment, { type: 'delivery' });
  t.is(noType.status, 422);
  t.is(at(noType.body, 'violations.0.propertyPath'), 'type');
  const other = await makeTeamWithDriver(service);
  const foreign = await addTask(other.token, shipment, { type: 'transfer', address: HUB });
  t.is(foreign.status, 422);
  t.is(at(foreign.body, 'violations.0.propertyPath'), 'shipment');
});

test('409 before the pickup, while another transfer is open, and on a terminal shipment', async (t) => {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  const point = await makePickupPoint(service, organization);
  const shipment = await makeShipment(service, token, { pickupPoint: point });
  const early = await addTask(token, shipment, { type: 'transfer', address: HUB });
  t.is(early.status, 409);
  t.is(at(early.body, 'currentStatus'), 'pending');
  await pickUp(token, driver, shipment);
  await move(service, token, shipment.delivery, 'assign', { driver });
  await move(service, token, shipment.delivery, 'start_delivery');
  t.is((await addTask(token, shipment, { type: 'return' })).status, 409, 'the delivery is under way');
  await move(service, token, shipment.delivery, 'fail', { reason: 'refused' });
  t.is((await addTask(token, shipment, { type: 'transfer', address: HUB })).status, 201);
  t.is((await addTask(token, shipment, { type: 'transfer', address: HUB })).status, 409);
  await move(service, token, shipment.delivery, 'cancel');
  const late = await addTask(token, shipment, { type: 'transfer', address: HUB });
  t.is(late.status, 409);
  t.is(at(late.body, 'currentStatus'), 'cancelled');
});

test('201 the same Idempotency-Key adds one task', async (t) => {
  const { token, shipment } = await pickedUpShipment();
  const body = { shipment: shipment.iri, type: 'transfer', address: HUB };
  const headers = { 'idempotency-key': 'one-transfer' };
  const first = await send(service, 'POST', '/tasks', { token, body, headers });
  const second = await send(service, 'POST', '/tasks', { token, body, headers });
  t.deepEqual([first.status, second.status], [201, 201]);
  t.is(at(second.body, '@id'), at(first.body, '@id'));
});

async function pickedUpShipment() {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  const pickupPoint = await makePickupPoint(service, organization);
  const shipment = await makeShipment(service, token, { pickupPoint });
  await pickUp(token, driver, shipment);
  return { token, driver, shipment };
}

async function pickUp(token: string, driver: string, { pickup = '' }: MadeShipment): Promise<void> {
  await move(service, token, pickup, 'assign', { driver });
  await move(service, token, pickup, 'pick_up');
}

async function failDelivery(token: string, driver: string, { delivery }: MadeShipment): Promise<void> {
  await move(service, token, delivery, 'assign', { driver });
  await move(service, token, delivery, 'fail', { reason: 'refused' });
}

function addTask(token: string, shipment: MadeShipment, fields: Readonly<Record<string, unknown>>) {
  return send(service, 'POST', '/tasks', { token, body: { shipment: shipment.iri, ...fields } });
}

async function statusOf(token: string, task: string, body: unknown): Promise<number> {
  return (await send(service, 'POST', `${task}/transition`, { token, body })).status;
}

async function read(token: string, iri: string): Promise<unknown> {
  return expectStatus(await send(service, 'GET', iri, { token }), 200).body;
}
