import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { newId } from '../../../store/new-id.ts';
import { makeMerchant, makeOrganization, makePickupPoint, makeTeam, makeUser } from '../../harness/make.ts';
import { expectStatus } from '../../harness/moves.ts';
import { at, fieldsOf, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { shipmentCalls } from './calls.ts';

const service = useService({ withWorkers: false });

const { create, made } = shipmentCalls(service);

test('422 scheduledBefore must be after scheduledAfter, also with other violations', async (t) => {
  const { token } = await makeTeam(service);
  for (const scheduledBefore of [
    '2030-01-01T00:00:00Z',
    '2029-12-31T23:59:59Z',
    '2030-01-01T00:00:00+01:00',
  ]) {
    const answer = await create(token, {
      scheduledAfter: '2030-01-01T00:00:00Z',
      scheduledBefore,
      weight: -1,
    });
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body).sort(), ['scheduledBefore', 'weight']);
  }
});

test('201 scheduledBefore alone has no effect on the deadline', async (t) => {
  const { token } = await makeTeam(service);
  const body = await made(token, { scheduledBefore: '2020-01-01T00:00:00Z' });
  const hours =
    (Date.parse(textAt(body, 'deliveryDeadline')) - Date.parse(textAt(body, 'createdAt'))) / 3_600_000;
  t.is(Math.round(hours), 48);
});

for (const [priority, hours] of [
  ['urgent', 4],
  ['high', 24],
  ['normal', 48],
  ['low', 72],
] as const) {
  test(`201 the deadline of ${priority} is ${hours} hours after creation, or after scheduledAfter`, async (t) => {
    const { token } = await makeTeam(service);
    const soon = await made(token, { priority });
    const took = Date.parse(textAt(soon, 'deliveryDeadline')) - Date.parse(textAt(soon, 'createdAt'));
    t.true(Math.abs(took - hours * 3_600_000) < 5_000);
    const later = await made(token, { priority, scheduledAfter: '2030-05-01T00:00:00Z' });
    const deadline = new Date(Date.parse('2030-05-01T00:00:00Z') + hours * 3_600_000);
    t.is(at(later, 'deliveryDeadline'), deadline.toISOString());
  });
}

/** A square zone around a point, with a base fee of its own. */
async function makeZone(organizationId: string, longitude: number, latitude: number, baseFeeCents: number) {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ].map(([x = 0, y = 0]) => [longitude + x, latitude + y]);
  await execute(
    service.database,
    `insert into zones (id, organization_id, name, polygon, base_fee_cents) values ($1, $2, 'Zone', $3::jsonb, $4)`,
    [
      newId<'zone'>(),
      organizationId,
      JSON.stringify({ type: 'Polygon', coordinates: [corners] }),
      baseFeeCents,
    ],
  );
}

function recipientAt(latitude: number, longitude: number) {
  const address = { street: '1 rue de Rivoli', city: 'Paris', latitude, longitude };
  return { firstName: 'Amina', phoneNumber: '+33612345678', address };
}

test('201 the fee is the zone’s base fee and the supplements; the total adds the COD amount', async (t) => {
  const { token, organization } = await makeTeam(service);
  await makeZone(organization.id, 2.35, 48.85, 725);
  const inZone = recipientAt(48.86, 2.34);
  const heavy = { packageSize: 'large', weight: 6.5, priority: 'urgent', codAmount: '100.10' };
  const body = await made(token, { recipient: inZone, ...heavy });
  t.deepEqual(at(body, 'feeBreakdown'), {
    base: '7.25',
    size: '2.00',
    weight: '1.00',
    priority: '5.00',
    total: '15.25',
  });
  t.is(at(body, 'deliveryFee'), '15.25');
  t.is(at(body, 'totalCodToCollect'), '115.35');
  const outside = recipientAt(43.3, 5.4);
  t.is(at(await made(token, { recipient: outside }), 'deliveryFee'), '5.00');
});

test('201 where the merchant pays the fee, the COD amount alone is collected', async (t) => {
  const { token, organization } = await makeTeam(service);
  const merchant = `/api/v1/merchants/${await makeMerchant(service, organization, { feePayer: 'merchant' })}`;
  const body = await made(token, { merchant, codAmount: '80.00' });
  t.is(at(body, 'feePayer'), 'merchant');
  t.is(at(body, 'deliveryFee'), '5.00');
  t.is(at(body, 'totalCodToCollect'), '80.00');
  t.is(at(body, 'merchant'), merchant);
});

test('201 the merchant is the named one, else the pickup point’s', async (t) => {
  const { token, organization } = await makeTeam(service);
  const ofPoint = await makeMerchant(service, organization);
  const other = await makeMerchant(service, organization);
  const pickupPoint = `/api/v1/pickup-points/${await makePickupPoint(service, organization, { merchantId: ofPoint })}`;
  t.is(at(await made(token, { pickupPoint }), 'merchant'), `/api/v1/merchants/${ofPoint}`);
  const merchant = `/api/v1/merchants/${other}`;
  t.is(at(await made(token, { pickupPoint, merchant }), 'merchant'), merchant);
});

test('422 pickup points and merchants of another organization are unknown, in one response', async (t) => {
  const { token } = await makeTeam(service);
  const foreign = await makeOrganization(service);
  const pickupPoint = `/api/v1/pickup-points/${await makePickupPoint(service, foreign)}`;
  const merchant = `/api/v1/merchants/${await makeMerchant(service, foreign)}`;
  const answer = await create(token, { pickupPoint, merchant });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['pickupPoint', 'merchant']);
  const unknown = await create(token, { pickupPoint: `/api/v1/pickup-points/${randomUUID()}` });
  t.is(at(unknown.body, 'violations.0.message'), at(answer.body, 'violations.0.message'));
});

test('201 a merchant’s shipment is its own, awaits approval, and has neither tasks nor deadline', async (t) => {
  const { organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const { token } = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const other = `/api/v1/merchants/${await makeMerchant(service, organization)}`;
  const body = fieldsOf(await made(token, { merchant: other }));
  t.is(body['status'], 'pending_approval');
  t.is(body['merchant'], `/api/v1/merchants/${merchantId}`);
  t.deepEqual(body['tasks'], []);
  t.false('deliveryDeadline' in body);
  t.is(body['deliveryFee'], '5.00');
});

test('201 and 422 a merchant may use its own points and those of no merchant, no other', async (t) => {
  const { organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const { token } = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const own = await makePickupPoint(service, organization, { merchantId });
  const shared = `/api/v1/pickup-points/${await makePickupPoint(service, organization)}`;
  const created = expectStatus(await create(token, { pickupPoint: `/api/v1/pickup-points/${own}` }), 201);
  const moved = await send(service, 'PATCH', textAt(created.body, '@id'), {
    token,
    body: { pickupPoint: shared },
  });
  t.is(at(moved.body, 'pickupPoint'), shared);
  const body = fieldsOf(await made(token, { pickupPoint: shared }));
  t.is(body['pickupPoint'], shared);
  t.is(body['merchant'], `/api/v1/merchants/${merchantId}`);
  const other = await makeMerchant(service, organization);
  const foreign = await makePickupPoint(service, organization, { merchantId: other });
  const answer = await create(token, { pickupPoint: `/api/v1/pickup-points/${foreign}` });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['pickupPoint']);
});
