import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makePickupPoint, makeTeam } from '../../harness/make.ts';
import { at, fieldsOf, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { shipmentCalls } from './calls.ts';

const service = useService({ withWorkers: false });

const { create, made } = shipmentCalls(service);

test('201 the created shipment is answered with Location, ETag and every derived field', async (t) => {
  const { token } = await makeTeam(service);
  const answer = await create(token);
  t.is(answer.status, 201);
  const id = textAt(answer.body, 'id');
  t.is(answer.headers.get('location'), `/api/v1/shipments/${id}`);
  t.regex(answer.headers.get('etag') ?? '', /^"[^"]+"$/);
  const { tasks, timeline, deliveryDeadline, createdAt, updatedAt, trackingNumber, trackingUrl, ...rest } =
    fieldsOf(answer.body);
  t.deepEqual(rest, {
    '@context': '/api/v1/contexts/Shipment',
    '@id': `/api/v1/shipments/${id}`,
    '@type': 'Shipment',
    id,
    status: 'pending',
    priority: 'normal',
    packageSize: 'medium',
    currency: 'EUR',
    codAmount: '0.00',
    deliveryFee: '5.00',
    totalCodToCollect: '5.00',
    feeBreakdown: { base: '5.00', size: '0.00', weight: '0.00', priority: '0.00', total: '5.00' },
    feePayer: 'recipient',
    recipient: {
      type: 'individual',
      firstName: 'Amina',
      lastName: 'Haddad',
      phoneNumber: '+33612345678',
      address: { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001' },
    },
    items: [],
    handlingOptions: [],
    source: 'dashboard',
  });
  t.regex(String(trackingNumber), /^TST-\d{8}-[0-9A-HJKMNP-TV-Z]{6}$/);
  t.regex(String(trackingUrl), /\/t\/[\w-]{22}$/);
  t.is(listAt(answer.body, 'tasks').length, 1);
  t.is(at(tasks, '0.type'), 'delivery');
  t.is(at(tasks, '0.status'), 'pending');
  t.is(at(timeline, '0.event'), 'created');
  t.is(at(timeline, '0.status'), 'pending');
  const hours = (Date.parse(String(deliveryDeadline)) - Date.parse(String(createdAt))) / 3_600_000;
  t.true(Math.abs(hours - 48) < 0.01);
  t.is(updatedAt, createdAt);
});

test('201 what Location names is what was answered', async (t) => {
  const { token } = await makeTeam(service);
  const answer = await create(token, { notes: 'Ring twice', items: [{ name: 'Book' }] });
  const read = await send(service, 'GET', answer.headers.get('location') ?? '', { token });
  t.is(read.status, 200);
  t.deepEqual(read.body, answer.body);
  t.is(read.headers.get('etag'), answer.headers.get('etag'));
});

test('201 every field of the contract is accepted and returned', async (t) => {
  const { token, organization } = await makeTeam(service);
  const point = await makePickupPoint(service, organization);
  const fields = {
    recipient: {
      type: 'company',
      firstName: 'أمينة',
      lastName: 'Ångström',
      phoneNumber: '+225 07 07 12 34 56',
      email: 'amina@example.com',
      address: {
        street: 'Rue des Jardins',
        city: 'Abidjan',
        postalCode: '01 BP 1234',
        latitude: 5.3364,
        longitude: -4.0267,
        landmark: 'Behind the pharmacy',
      },
    },
    pickupPoint: `/api/v1/pickup_points/${point}`,
    priority: 'high',
    packageSize: 'large',
    weight: 2.125,
    codAmount: '1250.50',
    handlingOptions: ['id_check', 'fragile'],
    notes: 'Two\nlines',
    externalReference: 'ORDER-1',
    items: [
      { name: 'Robe', quantity: 2, unitType: 'unite', unitPrice: '625.25', sku: 'R-1' },
      { name: 'Riz', quantity: 1, unitType: 'kg' },
    ],
    scheduledAfter: '2030-01-01T08:00:00+02:00',
    scheduledBefore: '2030-01-02T08:00:00+02:00',
  };
  const body = fieldsOf(await made(token, fields));
  t.deepEqual(body['recipient'], { ...fields.recipient, phoneNumber: '+2250707123456' });
  t.is(body['pickupPoint'], `/api/v1/pickup-points/${point}`);
  for (const name of [
    'priority',
    'packageSize',
    'weight',
    'codAmount',
    'handlingOptions',
    'notes',
    'items',
  ] as const) {
    t.deepEqual(body[name], fields[name], name);
  }
  t.is(body['externalReference'], 'ORDER-1');
  t.is(body['scheduledAfter'], '2030-01-01T06:00:00.000Z');
  t.is(body['scheduledBefore'], '2030-01-02T06:00:00.000Z');
  t.is(body['deliveryDeadline'], '2030-01-02T06:00:00.000Z');
  t.deepEqual(
    listAt(body, 'tasks').map((task) => [at(task, 'type'), at(task, 'status')]),
    [
      ['pickup', 'pending'],
      ['delivery', 'waiting_for_pickup'],
    ],
  );
});

test('201 null is as good as absent for every field that may be absent', async (t) => {
  const { token } = await makeTeam(service);
  const nulls = {
    pickupPoint: null,
    merchant: null,
    priority: null,
    packageSize: null,
    weight: null,
    codAmount: null,
    handlingOptions: null,
    notes: null,
    externalReference: null,
    items: null,
    scheduledAfter: null,
    scheduledBefore: null,
    recipient: {
      type: null,
      firstName: 'Amina',
      lastName: null,
      phoneNumber: '+33612345678',
      email: null,
      address: { street: 'S', city: 'C', postalCode: null, latitude: null, longitude: null, landmark: null },
    },
  };
  const body = fieldsOf(await made(token, nulls));
  t.is(body['priority'], 'normal');
  t.is(body['packageSize'], 'medium');
  t.is(body['codAmount'], '0.00');
  t.deepEqual(body['handlingOptions'], []);
  for (const name of ['weight', 'notes', 'pickupPoint', 'merchant', 'scheduledAfter', 'externalReference']) {
    t.false(name in body, name);
  }
  t.deepEqual(at(body, 'recipient.address'), { street: 'S', city: 'C' });
});

test('422 null for a required value is reported as null', async (t) => {
  const { token } = await makeTeam(service);
  const recipient = { firstName: null, phoneNumber: null, address: null };
  const answer = await create(token, { recipient });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), [
    'recipient.firstName',
    'recipient.phoneNumber',
    'recipient.address',
  ]);
  t.deepEqual(violationPaths((await create(token, { recipient: null })).body), ['recipient']);
});

test('201 unknown keys, JSON-LD keywords and read-only fields are ignored on the dashboard', async (t) => {
  const { token } = await makeTeam(service);
  const body = fieldsOf(
    await made(token, {
      '@context': '/api/v1/contexts/Shipment',
      '@type': 'Shipment',
      '@id': '/api/v1/shipments/x',
      id: 'x',
      status: 'delivered',
      deliveryFee: '0.00',
      totalCodToCollect: '0.00',
      trackingNumber: 'X',
      codAmont: '5.00',
    }),
  );
  t.is(body['status'], 'pending');
  t.is(body['deliveryFee'], '5.00');
  t.not(body['trackingNumber'], 'X');
  t.is(body['codAmount'], '0.00');
});

test('422 a rejected create leaves nothing behind', async (t) => {
  const { token } = await makeTeam(service);
  t.is((await create(token, { weight: -1 })).status, 422);
  t.is((await create(token, { merchant: `/api/v1/merchants/${randomUUID()}` })).status, 422);
  t.is(at((await send(service, 'GET', '/shipments', { token })).body, 'totalItems'), 0);
});
