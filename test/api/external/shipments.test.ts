import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import {
  makeDriver,
  makeOrganization,
  makePickupPoint,
  makeUser,
  shipmentBodyWith,
} from '../../harness/make.ts';
import type { MadeOrganization } from '../../harness/make.ts';
import { expectStatus, move } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import type { TestService } from '../../harness/service.ts';

let service: TestService;
test.before(async () => {
  service = await startService();
});
test.after.always(() => service.stop());

function post({ apiKey }: MadeOrganization, body: unknown) {
  return send(service, 'POST', '/external/shipments', { key: apiKey, body });
}

function read({ apiKey }: MadeOrganization, id: string) {
  return send(service, 'GET', `/external/shipments/${id}`, { key: apiKey });
}

/** Posts, and reads until the shipment exists. */
async function created(organization: MadeOrganization, fields: Readonly<Record<string, unknown>> = {}) {
  const id = textAt(expectStatus(await post(organization, shipmentBodyWith(fields)), 202).body, 'id');
  for (;;) {
    const { body } = expectStatus(await read(organization, id), 200);
    if (at(body, 'status') !== 'processing') return { id, body };
  }
}

async function onDashboard(organization: MadeOrganization, id: string) {
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { body } = expectStatus(await send(service, 'GET', `/shipments/${id}`, { token }), 200);
  return { token, body };
}

test('202 the answer is id, status, message and hint where no webhook is set', async (t) => {
  const organization = await makeOrganization(service);
  const answer = await post(organization, shipmentBodyWith());
  t.is(answer.status, 202);
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const body = fieldsOf(answer.body);
  t.deepEqual(Object.keys(body), ['id', 'status', 'message', 'hint']);
  t.regex(String(body['id']), /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  t.is(body['status'], 'processing');
  t.true(String(body['hint']).includes('webhookUrl'));
  t.true(String(body['hint']).includes(`GET /external/shipments/${String(body['id'])}`));
  t.is(answer.headers.get('location'), `/api/v1/external/shipments/${String(body['id'])}`);
});

test('202 there is no hint where a webhook is set, though it be off', async (t) => {
  const organization = await makeOrganization(service, { webhookUrl: 'https://example.com/hook' });
  t.false('hint' in fieldsOf((await post(organization, shipmentBodyWith())).body));
  await execute(service.database, 'update organizations set is_webhook_enabled = false where id = $1', [
    organization.id,
  ]);
  t.false('hint' in fieldsOf((await post(organization, shipmentBodyWith())).body));
});

test('200 the shipment is created under the id, with the tracking number that was told before', async (t) => {
  const organization = await makeOrganization(service);
  const { id, body } = await created(organization, { externalReference: 'ORDER-1', codAmount: '10.00' });
  const { timeline, deliveryDeadline, trackingNumber, ...rest } = fieldsOf(body);
  t.deepEqual(rest, {
    id,
    externalReference: 'ORDER-1',
    status: 'pending',
    driver: null,
    codAmount: '10.00',
    totalCodToCollect: '15.00',
  });
  t.regex(String(trackingNumber), /^TST-\d{8}-/);
  t.is(typeof deliveryDeadline, 'string');
  t.deepEqual(fieldsOf(at(timeline, '0'))['status'], 'pending');
  const shown = await onDashboard(organization, id);
  t.is(at(shown.body, 'trackingNumber'), trackingNumber);
  t.is(at(shown.body, 'source'), 'external');
});

test('200 until a worker comes the detail says processing, with what is known', async (t) => {
  const idle = await startService({ withWorkers: false });
  t.teardown(idle.stop);
  const organization = await makeOrganization(idle);
  const body = shipmentBodyWith({ externalReference: 'R', codAmount: '7.00' });
  const accepted = await send(idle, 'POST', '/external/shipments', { key: organization.apiKey, body });
  const id = textAt(accepted.body, 'id');
  const detail = await send(idle, 'GET', `/external/shipments/${id}`, { key: organization.apiKey });
  t.is(detail.status, 200);
  const { trackingNumber, ...rest } = fieldsOf(detail.body);
  t.deepEqual(rest, {
    id,
    externalReference: 'R',
    status: 'processing',
    driver: null,
    timeline: [],
    deliveryDeadline: null,
    codAmount: '7.00',
    totalCodToCollect: null,
  });
  t.regex(String(trackingNumber), /^TST-/);
  const { token } = await makeUser(idle, organization, 'ROLE_DISPATCHER');
  t.is((await send(idle, 'GET', `/shipments/${id}`, { token })).status, 404);
});

test('200 the detail shows the driver and the timeline ascending', async (t) => {
  const organization = await makeOrganization(service);
  const { id } = await created(organization);
  const { token, body } = await onDashboard(organization, id);
  const driver = await makeDriver(service, organization, { firstName: 'Zoé' });
  const task = textAt(body, 'tasks.0.@id');
  await move(service, token, task, 'assign', { driver });
  await move(service, token, task, 'start_delivery');
  await move(service, token, task, 'fail', { reason: 'recipient_absent' });
  const detail = (await read(organization, id)).body;
  t.deepEqual(at(detail, 'driver'), { name: 'Zoé Moreau', phone: '+33612345678' });
  const timeline = listAt(detail, 'timeline').map(fieldsOf);
  t.deepEqual(
    timeline.map(({ transition }) => transition),
    [null, 'assign', 'start_delivery', 'fail'],
  );
  t.is(timeline[3]?.['reason'], 'recipient_absent');
  t.is(timeline[2]?.['taskStatus'], 'delivery_in_progress');
  const moments = timeline.map(({ occurredAt }) => String(occurredAt));
  t.deepEqual(moments, [...moments].sort());
});

test('403 a shipment of another organization, processing or created; 404 an unknown one and a malformed id', async (t) => {
  const organization = await makeOrganization(service);
  const stranger = await makeOrganization(service);
  const { id } = await created(organization);
  t.is((await read(stranger, id)).status, 403);
  const fresh = textAt((await post(organization, shipmentBodyWith())).body, 'id');
  t.is((await read(stranger, fresh)).status, 403);
  t.is((await read(stranger, randomUUID())).status, 404);
  t.is((await read(stranger, 'x')).status, 404);
});

test('202 a deliveryAddress stands for the recipient’s, and wins over it', async (t) => {
  const organization = await makeOrganization(service);
  const recipient = { firstName: 'Amina', phoneNumber: '+33612345678' };
  const deliveryAddress = { street: '5 quai', city: 'Lyon' };
  const alone = await post(organization, { recipient, deliveryAddress });
  t.is(alone.status, 202);
  const { id } = await created(organization, { deliveryAddress });
  const { body } = await onDashboard(organization, id);
  t.deepEqual(at(body, 'recipient.address'), deliveryAddress);
});

test('422 without either address, told beside every other violation', async (t) => {
  const organization = await makeOrganization(service);
  const answer = await post(organization, {
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

test('422 every unknown key is refused, with the nearest known name, at every depth', async (t) => {
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
    merchant: '/api/v1/merchants/x',
  };
  const answer = await post(organization, mistyped);
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
    ['merchant', null],
  ];
  t.deepEqual([...told.keys()].sort(), nearest.map(([path]) => path).sort());
  for (const [path, name] of nearest) {
    if (name === null) t.regex(told.get(path) ?? '', /not known/);
    else t.true(told.get(path)?.includes(`'${name}'`), path);
  }
});

for (const [name, pickupWith] of [
  ['nothing in it', () => ({})],
  ['both modes', (pickupPointId: string) => ({ pickupPointId, address: { street: 'S', city: 'C' } })],
  ['two nulls', () => ({ pickupPointId: null, address: null })],
] as const) {
  test(`422 a pickup with ${name} is refused`, async (t) => {
    const organization = await makeOrganization(service);
    const pickup = pickupWith(await makePickupPoint(service, organization));
    const answer = await post(organization, shipmentBodyWith({ pickup }));
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), ['pickup']);
  });
}

test('422 a pickup address needs street and city, a pickup point a UUID', async (t) => {
  const organization = await makeOrganization(service);
  const address = await post(organization, shipmentBodyWith({ pickup: { address: { postalCode: '1' } } }));
  t.deepEqual(violationPaths(address.body), ['pickup.address.street', 'pickup.address.city']);
  const point = await post(organization, shipmentBodyWith({ pickup: { pickupPointId: 'x' } }));
  t.deepEqual(violationPaths(point.body), ['pickup.pickupPointId']);
});

test('422 a pickup point that is foreign, deleted or unknown is refused, and nothing is accepted', async (t) => {
  const organization = await makeOrganization(service);
  const foreign = await makePickupPoint(service, await makeOrganization(service));
  const deleted = await makePickupPoint(service, organization);
  await execute(service.database, 'update pickup_points set deleted_at = now() where id = $1', [deleted]);
  for (const pickupPointId of [foreign, deleted, randomUUID()]) {
    const answer = await post(organization, shipmentBodyWith({ pickup: { pickupPointId } }));
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), ['pickup.pickupPointId']);
  }
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  t.is(at((await send(service, 'GET', '/shipments', { token })).body, 'totalItems'), 0);
});

test('202 each pickup mode makes its tasks', async (t) => {
  const organization = await makeOrganization(service);
  const pickupPointId = await makePickupPoint(service, organization);
  const address = { street: '9 place Bellecour', city: 'Lyon' };
  const tasksOf = async (pickup: unknown) => {
    const { id } = await created(organization, pickup === undefined ? {} : { pickup });
    const { body, token } = await onDashboard(organization, id);
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

test('202 the dashboard’s parcel fields are taken too, and the schedule counts', async (t) => {
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
  const { id, body } = await created(organization, fields);
  t.is(at(body, 'deliveryDeadline'), '2030-01-01T06:00:00.000Z');
  const shown = await onDashboard(organization, id);
  t.deepEqual(at(shown.body, 'handlingOptions'), ['fragile']);
  t.is(at(shown.body, 'weight'), 1.5);
  t.is(at(shown.body, 'items.0.quantity'), 2);
  const backwards = { ...fields, scheduledBefore: '2029-01-01T00:00:00Z' };
  t.deepEqual(violationPaths((await post(organization, shipmentBodyWith(backwards))).body), [
    'scheduledBefore',
  ]);
});

test('415 the external API takes application/json alone, 406 answers it alone', async (t) => {
  const { apiKey } = await makeOrganization(service);
  const ldJson = { key: apiKey, body: shipmentBodyWith(), contentType: 'application/ld+json' };
  t.is((await send(service, 'POST', '/external/shipments', ldJson)).status, 415);
  const accept = { key: apiKey, body: shipmentBodyWith(), headers: { accept: 'application/ld+json' } };
  t.is((await send(service, 'POST', '/external/shipments', accept)).status, 406);
});
