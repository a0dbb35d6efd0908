import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import {
  makeMerchant,
  makeOrganization,
  makePickupPoint,
  makeUser,
  shipmentBodyWith,
} from '../../harness/make.ts';
import { at, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { externalApi } from './calls.ts';

const service = useService();
const external = externalApi(service);

test('202 deliveryAddress replaces the recipient’s address and takes precedence', async (t) => {
  const organization = await makeOrganization(service);
  const recipient = { firstName: 'Amina', phoneNumber: '+33612345678' };
  const deliveryAddress = { street: '5 quai', city: 'Lyon' };
  const alone = await external.post(organization, { recipient, deliveryAddress });
  t.is(alone.status, 202);
  const { id } = await external.created(organization, { deliveryAddress });
  const { body } = await external.onDashboard(organization, id);
  t.deepEqual(at(body, 'recipient.address'), deliveryAddress);
});

test('422 without either address, with every other violation', async (t) => {
  const organization = await makeOrganization(service);
  const answer = await external.post(organization, {
    recipient: { firstName: 'Amina' },
    weight: -1,
    codAmont: '5.00',
  });
  t.is(answer.status, 422);
  t.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  t.deepEqual(violationPaths(answer.body).sort(), [
    'codAmont',
    'recipient.address',
    'recipient.phoneNumber',
    'weight',
  ]);
});

test('422 every unknown key is rejected, with the nearest known name, at every depth', async (t) => {
  const organization = await makeOrganization(service);
  const mistyped = {
    recipient: {
      fistName: 'A',
      firstName: 'Amina',
      phoneNumber: '+33612345678',
      address: { street: 'S', city: 'C', zip: '1', postalcode: '75001' },
    },
    codAmont: '5.00',
    Priority: 'high',
    pickup: { adress: { street: 'S', city: 'C' }, address: { street: 'S', city: 'C' } },
    items: [{ name: 'x', qantity: 2 }],
    '@id': '/x',
    merchants: '/api/v1/merchants/x',
  };
  const answer = await external.post(organization, mistyped);
  t.is(answer.status, 422);
  const told = new Map(
    listAt(answer.body, 'violations').map((violation) => [
      textAt(violation, 'propertyPath'),
      textAt(violation, 'message'),
    ]),
  );
  const nearest: readonly (readonly [string, string | null])[] = [
    ['codAmont', 'codAmount'],
    ['Priority', 'priority'],
    ['recipient.fistName', 'firstName'],
    ['recipient.address.postalcode', 'postalCode'],
    ['recipient.address.zip', null],
    ['pickup.adress', 'address'],
    ['items[0].qantity', 'quantity'],
    ['@id', null],
    ['merchants', 'merchant'],
  ];
  t.deepEqual([...told.keys()].sort(), nearest.map(([path]) => path).sort());
  for (const [path, name] of nearest) {
    if (name === null) t.regex(told.get(path) ?? '', /Unknown field/);
    else t.true(told.get(path)?.includes(`'${name}'`), path);
  }
});

for (const [name, pickupWith] of [
  ['nothing in it', () => ({})],
  ['both modes', (pickupPointId: string) => ({ pickupPointId, address: { street: 'S', city: 'C' } })],
  ['two nulls', () => ({ pickupPointId: null, address: null })],
] as const) {
  test(`422 a pickup with ${name} is rejected`, async (t) => {
    const organization = await makeOrganization(service);
    const pickup = pickupWith(await makePickupPoint(service, organization));
    const answer = await external.post(organization, shipmentBodyWith({ pickup }));
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), ['pickup']);
  });
}

test('422 a pickup address needs street and city, a pickup point a UUID', async (t) => {
  const organization = await makeOrganization(service);
  const address = await external.post(
    organization,
    shipmentBodyWith({ pickup: { address: { postalCode: '1' } } }),
  );
  t.deepEqual(violationPaths(address.body), ['pickup.address.street', 'pickup.address.city']);
  const point = await external.post(organization, shipmentBodyWith({ pickup: { pickupPointId: 'x' } }));
  t.deepEqual(violationPaths(point.body), ['pickup.pickupPointId']);
});

test('422 a foreign, deleted or unknown pickup point is rejected, and nothing is accepted', async (t) => {
  const organization = await makeOrganization(service);
  const foreign = await makePickupPoint(service, await makeOrganization(service));
  const deleted = await makePickupPoint(service, organization);
  await execute(service.database, 'update pickup_points set deleted_at = now() where id = $1', [deleted]);
  for (const pickupPointId of [foreign, deleted, randomUUID()]) {
    const answer = await external.post(organization, shipmentBodyWith({ pickup: { pickupPointId } }));
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), ['pickup.pickupPointId']);
  }
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  t.is(at((await send(service, 'GET', '/shipments', { token })).body, 'totalItems'), 0);
});

test('202 a named merchant owns the shipment, else the pickup point’s; 422 for a foreign one', async (t) => {
  const organization = await makeOrganization(service);
  const named = await makeMerchant(service, organization, { feePayer: 'merchant' });
  const ofPoint = await makeMerchant(service, organization);
  const pickup = { pickupPointId: await makePickupPoint(service, organization, { merchantId: ofPoint }) };
  for (const [fields, owner, feePayer] of [
    [{ merchant: `/api/v1/merchants/${named}`, pickup }, named, 'merchant'],
    [{ merchant: named }, named, 'merchant'],
    [{ pickup }, ofPoint, 'recipient'],
  ] as const) {
    const { id } = await external.created(organization, fields);
    const { body } = await external.onDashboard(organization, id);
    t.is(at(body, 'merchant'), `/api/v1/merchants/${owner}`);
    t.is(at(body, 'feePayer'), feePayer);
    t.is(listAt(body, 'timeline').length, 1, 'it awaits no approval');
  }
  const foreign = await makeMerchant(service, await makeOrganization(service));
  for (const merchant of [foreign, randomUUID(), 'x']) {
    const answer = await external.post(organization, shipmentBodyWith({ merchant }));
    t.deepEqual([answer.status, violationPaths(answer.body)], [422, ['merchant']]);
  }
});

test('202 each pickup mode makes its tasks', async (t) => {
  const organization = await makeOrganization(service);
  const pickupPointId = await makePickupPoint(service, organization);
  const address = { street: '9 place Bellecour', city: 'Lyon' };
  const tasksOf = async (pickup: unknown) => {
    const { id } = await external.created(organization, pickup === undefined ? {} : { pickup });
    const { body, token } = await external.onDashboard(organization, id);
    const first = await send(service, 'GET', textAt(body, 'tasks.0.@id'), { token });
    return {
      types: listAt(body, 'tasks').map((task) => at(task, 'type')),
      street: at(first.body, 'address.street'),
    };
  };
  t.deepEqual(await tasksOf(undefined), { types: ['delivery'], street: '1 rue de Rivoli' });
  t.deepEqual(await tasksOf(null), { types: ['delivery'], street: '1 rue de Rivoli' });
  t.deepEqual(await tasksOf({ pickupPointId }), {
    types: ['pickup', 'delivery'],
    street: '12 rue Oberkampf',
  });
  t.deepEqual(await tasksOf({ address }), { types: ['pickup', 'delivery'], street: '9 place Bellecour' });
});

test('202 the dashboard’s parcel fields are accepted too, and the schedule counts', async (t) => {
  const organization = await makeOrganization(service);
  const fields = {
    priority: 'high',
    packageSize: 'small',
    weight: 1.5,
    handlingOptions: ['fragile'],
    notes: 'Ring',
    items: [{ name: 'Book', quantity: 2 }],
    scheduledAfter: '2030-01-01T00:00:00Z',
    scheduledBefore: '2030-01-01T06:00:00Z',
  };
  const { id, body } = await external.created(organization, fields);
  t.is(at(body, 'deliveryDeadline'), '2030-01-01T06:00:00.000Z');
  const shown = await external.onDashboard(organization, id);
  t.deepEqual(at(shown.body, 'handlingOptions'), ['fragile']);
  t.is(at(shown.body, 'weight'), 1.5);
  t.is(at(shown.body, 'items.0.quantity'), 2);
  const backwards = { ...fields, scheduledBefore: '2029-01-01T00:00:00Z' };
  t.deepEqual(violationPaths((await external.post(organization, shipmentBodyWith(backwards))).body), [
    'scheduledBefore',
  ]);
});
