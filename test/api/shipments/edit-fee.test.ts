import test from 'ava';
import { makeMerchant, makePickupPoint, makeTeamWithDriver } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, fieldsOf, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { shipmentCalls } from './calls.ts';

const service = useService();

const { patched, read } = shipmentCalls(service);

const RECIPIENT = {
  firstName: 'Amina',
  phoneNumber: '+33612345678',
  address: { street: '1 rue de Rivoli', city: 'Paris', latitude: 48.85, longitude: 2.35 },
};
const polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [2, 48],
      [3, 48],
      [3, 49],
      [2, 49],
      [2, 48],
    ],
  ],
};

/** A team whose zone cost 7.00 when its shipment was made, and costs 19.00 now. */
async function dearerZone({ pickupPoint = false } = {}) {
  const team = await makeTeamWithDriver(service);
  const { token, organization } = team;
  const body = { name: 'Centre', polygon, baseFee: '7.00' };
  const zone = expectStatus(await send(service, 'POST', '/zones', { token, body }), 201);
  const shipment = await makeShipment(service, token, {
    ...(pickupPoint ? { pickupPoint: await makePickupPoint(service, organization) } : {}),
    fields: { recipient: RECIPIENT, weight: 2.125 },
  });
  await patched(token, textAt(zone.body, '@id'), { baseFee: '19.00' });
  return { ...team, ...shipment };
}

const feeOf = (body: unknown) => at(body, 'deliveryFee');

test('200 an edit of what has no price leaves the fee as it was, whatever the prices are now', async (t) => {
  const { token, iri, organization } = await dearerZone();
  const merchant = `/api/v1/merchants/${await makeMerchant(service, organization)}`;
  for (const edit of [
    { notes: 'Ring twice' },
    { recipient: { firstName: 'Zoé', address: { landmark: 'Blue gate' } } },
    { externalReference: 'R-1', handlingOptions: ['fragile'], items: [{ name: 'Book' }] },
    { scheduledAfter: '2030-01-01T00:00:00Z' },
    { merchant },
    { codAmount: '20.00' },
  ]) {
    t.is(feeOf(await patched(token, iri, edit)), '7.00', JSON.stringify(edit));
  }
  const { body } = await read(token, iri);
  t.is(at(body, 'feeBreakdown.base'), '7.00');
  t.is(at(body, 'totalCodToCollect'), '27.00');
});

test('200 the address, size, weight and priority sent back unchanged leave the fee as it was', async (t) => {
  const { token, iri } = await dearerZone();
  const whole = fieldsOf((await read(token, iri)).body);
  t.is(feeOf(await patched(token, iri, { ...whole, notes: 'Ring twice' })), '7.00');
  const { recipient, packageSize, weight, priority } = whole;
  const same = { recipient, packageSize, weight, priority, codAmount: '1.00' };
  t.is(feeOf(await patched(token, iri, same)), '7.00');
});

for (const [name, edit, fee] of [
  ['the address', { recipient: { address: { street: '2 quai' } } }, '19.00'],
  ['the coordinates', { recipient: { address: { latitude: 40, longitude: 2.5 } } }, '5.00'],
  ['the size', { packageSize: 'large' }, '21.00'],
  ['the weight', { weight: 5.5 }, '19.50'],
  ['the priority', { priority: 'urgent' }, '24.00'],
] as const) {
  test(`200 ${name} gets the price of today while no task is assigned, and none after`, async (t) => {
    const pending = await dearerZone();
    t.is(feeOf(await patched(pending.token, pending.iri, edit)), fee);
    const { token, iri, delivery, driver } = await dearerZone();
    await move(service, token, delivery, 'assign', { driver });
    t.is(feeOf(await patched(token, iri, edit)), '7.00');
  });
}

test('200 one assigned task freezes the fee and its payer, a delivery that waits as well', async (t) => {
  const { token, iri, organization, delivery, driver } = await dearerZone({ pickupPoint: true });
  const merchantId = await makeMerchant(service, organization, { feePayer: 'merchant' });
  await move(service, token, delivery, 'assign', { driver });
  const edit = { priority: 'urgent', codAmount: '20.00', merchant: `/api/v1/merchants/${merchantId}` };
  const body = await patched(token, iri, edit);
  t.is(feeOf(body), '7.00');
  t.is(at(body, 'feePayer'), 'recipient');
  t.is(at(body, 'totalCodToCollect'), '27.00');
});
