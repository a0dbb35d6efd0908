import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import {
  makeDriver,
  makeMerchant,
  makeOrganization,
  makePickupPoint,
  makeTeam,
  makeUser,
} from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { shipmentCalls } from './calls.ts';

const service = useService();

const { patch, patched, read } = shipmentCalls(service);

test('200 fee, total and breakdown follow size, weight, priority and COD while nothing moves', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  const body = await patched(token, iri, {
    packageSize: 'extra_large',
    weight: 7.5,
    priority: 'high',
    codAmount: '20.00',
  });
  t.deepEqual(at(body, 'feeBreakdown'), {
    base: '5.00',
    size: '5.00',
    weight: '1.50',
    priority: '2.00',
    total: '13.50',
  });
  t.is(at(body, 'deliveryFee'), '13.50');
  t.is(at(body, 'totalCodToCollect'), '33.50');
});

test('200 another merchant’s payer of the fee comes with it', async (t) => {
  const { token, organization } = await makeTeam(service);
  const merchant = `/api/v1/merchants/${await makeMerchant(service, organization, { feePayer: 'merchant' })}`;
  const { iri } = await makeShipment(service, token, { fields: { codAmount: '20.00' } });
  const body = await patched(token, iri, { merchant });
  t.is(at(body, 'feePayer'), 'merchant');
  t.is(at(body, 'totalCodToCollect'), '20.00');
  t.is(at(await patched(token, iri, { merchant: null }), 'totalCodToCollect'), '25.00');
});

test('200 the fee is frozen once the delivery is under way; the total still follows the COD amount', async (t) => {
  const { token, organization } = await makeTeam(service);
  const driver = await makeDriver(service, organization);
  const { iri, delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver });
  await move(service, token, delivery, 'start_delivery');
  const body = await patched(token, iri, { packageSize: 'extra_large', codAmount: '20.00' });
  t.is(at(body, 'packageSize'), 'extra_large');
  t.is(at(body, 'deliveryFee'), '5.00');
  t.is(at(body, 'totalCodToCollect'), '25.00');
});

test('200 the deadline follows priority and schedule, counted from the creation', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  const urgent = await patched(token, iri, { priority: 'urgent' });
  const tookMs = Date.parse(textAt(urgent, 'deliveryDeadline')) - Date.parse(textAt(urgent, 'createdAt'));
  t.true(Math.abs(tookMs - 4 * 3_600_000) < 5_000);
  const later = await patched(token, iri, { scheduledAfter: '2030-01-01T00:00:00Z' });
  t.is(at(later, 'deliveryDeadline'), '2030-01-01T04:00:00.000Z');
  const bounded = await patched(token, iri, { scheduledBefore: '2030-01-01T01:00:00Z' });
  t.is(at(bounded, 'deliveryDeadline'), '2030-01-01T01:00:00.000Z');
  const task = await read(token, textAt(bounded, 'tasks.0.@id'));
  t.is(at(task.body, 'before'), '2030-01-01T01:00:00.000Z');
  t.is(at(task.body, 'after'), '2030-01-01T00:00:00.000Z');
});

test('200 the delivery task’s address and contact follow the recipient', async (t) => {
  const { token } = await makeTeam(service);
  const { iri, delivery } = await makeShipment(service, token);
  await patched(token, iri, {
    recipient: { firstName: 'Zoé', phoneNumber: '+33700000000', address: { street: '2 quai', city: 'Lyon' } },
  });
  const { body } = await read(token, delivery);
  t.deepEqual(at(body, 'address'), { street: '2 quai', city: 'Lyon', postalCode: '75001' });
  t.deepEqual(at(body, 'contact'), { name: 'Zoé Haddad', phoneNumber: '+33700000000' });
});

test('200 the pickup point changes to another while the pickup is pending, and the pickup task with it', async (t) => {
  const { token, organization } = await makeTeam(service);
  const first = await makePickupPoint(service, organization);
  const second = await makePickupPoint(service, organization);
  await execute(
    service.database,
    `update pickup_points set address = jsonb_set(address, '{street}', '"Second street"') where id = $1`,
    [second],
  );
  const { iri, pickup = '' } = await makeShipment(service, token, { pickupPoint: first });
  const body = await patched(token, iri, { pickupPoint: `/api/v1/pickup_points/${second}` });
  t.is(at(body, 'pickupPoint'), `/api/v1/pickup-points/${second}`);
  t.is(at((await read(token, pickup)).body, 'address.street'), 'Second street');
});

test('409 the pickup point is neither taken away, nor given, nor changed after the pickup was assigned', async (t) => {
  const { token, organization } = await makeTeam(service);
  const first = await makePickupPoint(service, organization);
  const other = { pickupPoint: `/api/v1/pickup-points/${await makePickupPoint(service, organization)}` };
  const driver = await makeDriver(service, organization);
  const { iri, pickup = '' } = await makeShipment(service, token, { pickupPoint: first });
  t.is((await patch(token, iri, { pickupPoint: null })).status, 409);
  await move(service, token, pickup, 'assign', { driver });
  const answer = await patch(token, iri, other);
  t.is(answer.status, 409);
  t.is(at(answer.body, 'currentStatus'), 'assigned');
  const without = await makeShipment(service, token);
  t.is((await patch(token, without.iri, other)).status, 409);
});

test('422 a pickup point of another organization is as unknown as none', async (t) => {
  const { token, organization } = await makeTeam(service);
  const { iri } = await makeShipment(service, token, {
    pickupPoint: await makePickupPoint(service, organization),
  });
  const foreign = await makePickupPoint(service, await makeOrganization(service));
  for (const point of [foreign, randomUUID()]) {
    const answer = await patch(token, iri, { pickupPoint: `/api/v1/pickup-points/${point}` });
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), ['pickupPoint']);
  }
});

test('200 a pickup point that was deleted since stays with its shipment', async (t) => {
  const { token, organization } = await makeTeam(service);
  const point = await makePickupPoint(service, organization);
  const { iri } = await makeShipment(service, token, { pickupPoint: point });
  await execute(service.database, 'update pickup_points set deleted_at = now() where id = $1', [point]);
  const body = await patched(token, iri, { notes: 'x' });
  t.is(at(body, 'pickupPoint'), `/api/v1/pickup-points/${point}`);
});

test('409 a terminal shipment is not edited', async (t) => {
  const { token } = await makeTeam(service);
  const { iri, delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'cancel');
  const answer = await patch(token, iri, { notes: 'x' });
  t.is(answer.status, 409);
  t.is(at(answer.body, 'currentStatus'), 'cancelled');
  t.regex(textAt(answer.body, 'detail'), /cancelled/);
});

test('200 a merchant edits its own while it awaits approval, 409 after', async (t) => {
  const { token, organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const created = await send(service, 'POST', '/shipments', {
    token: merchant.token,
    body: { recipient: { firstName: 'A', phoneNumber: '+33612345678', address: { street: 'S', city: 'C' } } },
  });
  const iri = textAt(expectStatus(created, 201).body, '@id');
  t.is(at(await patched(merchant.token, iri, { priority: 'urgent' }), 'deliveryFee'), '10.00');
  expectStatus(await send(service, 'POST', `${iri}/approve`, { token }), 200);
  const answer = await patch(merchant.token, iri, { notes: 'x' });
  t.is(answer.status, 409);
  t.is(at(answer.body, 'currentStatus'), 'pending');
});

test('200 a merchant cannot give its shipment to another', async (t) => {
  const { token, organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const { token: own } = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const created = await makeOwn(own);
  const other = `/api/v1/merchants/${await makeMerchant(service, organization)}`;
  t.is(at(await patched(own, created, { merchant: other }), 'merchant'), `/api/v1/merchants/${merchantId}`);
  t.is(at(await patched(own, created, { merchant: null }), 'merchant'), `/api/v1/merchants/${merchantId}`);
  t.is((await read(token, created)).status, 200);
});

async function makeOwn(token: string): Promise<string> {
  const recipient = { firstName: 'A', phoneNumber: '+33612345678', address: { street: 'S', city: 'C' } };
  return textAt(
    expectStatus(await send(service, 'POST', '/shipments', { token, body: { recipient } }), 201).body,
    '@id',
  );
}

test('403 a merchant neither reads nor edits another’s shipment', async (t) => {
  const { token, organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const { iri } = await makeShipment(service, token);
  t.is((await read(merchant.token, iri)).status, 403);
  t.is((await patch(merchant.token, iri, { notes: 'x' })).status, 403);
});
