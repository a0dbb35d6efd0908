import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { newId } from '../../../store/new-id.ts';
import {
  makeMerchant,
  makeOrganization,
  makePickupPoint,
  makeUser,
  shipmentBodyWith,
} from '../../harness/make.ts';
import { expectStatus } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import type { TestService } from '../../harness/service.ts';

let service: TestService;
test.before(async () => {
  service = await startService({ withWorkers: false });
});
test.after.always(() => service.stop());

async function cast() {
  const organization = await makeOrganization(service);
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  return { organization, token };
}

function create(token: string, fields: Readonly<Record<string, unknown>> = {}) {
  return send(service, 'POST', '/shipments', { token, body: shipmentBodyWith(fields) });
}

async function made(token: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  return expectStatus(await create(token, fields), 201).body;
}

test('201 the created shipment is answered with Location, ETag and every derived field', async (t) => {
  const { token } = await cast();
  const answer = await create(token);
  t.is(answer.status, 201);
  const id = textAt(answer.body, 'id');
  t.is(answer.headers.get('location'), `/api/v1/shipments/${id}`);
  t.regex(answer.headers.get('etag') ?? '', /^"[^"]+"$/);
  const { tasks, timeline, deliveryDeadline, createdAt, updatedAt, trackingNumber, ...rest } = fieldsOf(
    answer.body,
  );
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
  const { token } = await cast();
  const answer = await create(token, { notes: 'Ring twice', items: [{ name: 'Book' }] });
  const read = await send(service, 'GET', answer.headers.get('location') ?? '', { token });
  t.is(read.status, 200);
  t.deepEqual(read.body, answer.body);
  t.is(read.headers.get('etag'), answer.headers.get('etag'));
});

test('201 every field of the contract is taken and shown again', async (t) => {
  const { token, organization } = await cast();
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
  const { token } = await cast();
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

test('422 null where a value is needed is told as null', async (t) => {
  const { token } = await cast();
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
  const { token } = await cast();
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

/** For each limit of the design, what lies inside and what lies outside. */
const BORDERS: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['notes', ['', 'x'.repeat(2_000), '😀'.repeat(2_000)], ['x'.repeat(2_001), 7, ['x']]],
  ['externalReference', ['x', 'x'.repeat(255), '😀'.repeat(255)], ['', ' ', 'x'.repeat(256), 7]],
  ['weight', [0, 0.001, 1.125, 1_000, 999.999], [-0.001, 1_000.001, 1.0001, '1', true, 1e21]],
  [
    'codAmount',
    ['0.00', '0.01', '9999999999.99'],
    [
      '10000000000.00',
      '-1.00',
      '1.0',
      '1',
      '1.000',
      '1,00',
      ' 1.00',
      '+1.00',
      '1e2',
      1,
      0,
      '',
      '٣.٠٠',
      '00000000001.00',
    ],
  ],
  ['priority', ['low', 'normal', 'high', 'urgent'], ['', 'URGENT', 'asap', 1]],
  ['packageSize', ['small', 'medium', 'large', 'extra_large'], ['xl', 2]],
  [
    'handlingOptions',
    [[], ['fragile', 'id_check', 'signature_required', 'keep_upright', 'refrigerated', 'do_not_bend']],
    ['fragile', ['loud'], ['fragile', 'fragile'], [null], {}],
  ],
  [
    'items',
    [[], [{ name: 'x' }], Array.from({ length: 200 }, () => ({ name: 'x' }))],
    [Array.from({ length: 201 }, () => ({ name: 'x' })), [{}], [null], {}, 'x'],
  ],
  [
    'scheduledAfter',
    [
      '2030-01-01T00:00:00Z',
      '2030-01-01T00:00:00.123456+05:30',
      '0001-01-01T00:00:00Z',
      '9998-12-31T23:59:59Z',
    ],
    [
      '9999-01-01T00:00:00Z',
      '2030-01-01',
      '2030-01-01T00:00:00',
      '2030-02-30T00:00:00Z',
      '2030-01-01T25:00:00Z',
      '2030-01-01 00:00:00Z',
      1_900_000_000,
      '0000-01-01T00:00:00Z',
      '+010000-01-01T00:00:00Z',
    ],
  ],
  [
    'pickupPoint',
    [],
    [
      'x',
      '',
      randomUUID(),
      `/api/v1/drivers/${randomUUID()}`,
      `/pickup-points/${randomUUID()}`,
      `/api/v1/pickup-points/${randomUUID()}`,
      7,
    ],
  ],
  ['merchant', [], [`/api/v1/merchants/${randomUUID()}`, randomUUID(), {}]],
];
for (const [name, inside, outside] of BORDERS) {
  test(`201 inside and 422 outside the limits of ${name}`, async (t) => {
    const { token } = await cast();
    for (const value of inside) {
      t.is((await create(token, { [name]: value })).status, 201, JSON.stringify(value).slice(0, 80));
    }
    for (const value of outside) {
      const answer = await create(token, { [name]: value });
      t.is(answer.status, 422, JSON.stringify(value).slice(0, 80));
      for (const path of violationPaths(answer.body)) t.true(path.startsWith(name), path);
    }
  });
}

const RECIPIENT = {
  firstName: 'Amina',
  phoneNumber: '+33612345678',
  address: { street: '1 rue de Rivoli', city: 'Paris' },
};

const RECIPIENT_BORDERS: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['firstName', ['x', 'x'.repeat(255), 'é'.repeat(255)], ['', ' ', 'x'.repeat(256), 7, undefined]],
  ['lastName', ['x'.repeat(255), undefined], ['', 'x'.repeat(256)]],
  ['type', ['individual', 'company', undefined], ['robot', '']],
  [
    'phoneNumber',
    ['+33612345678', '+33 6 12 34 56 78', '+1 (212) 555-0100', '+2250707123456'],
    ['0612345678', '33612345678', '+0612345678', '+33', '+33612345678901234', '+33x612345678', '', undefined],
  ],
  ['email', ['a@example.com', undefined], ['a', 'a@b', 'a b@example.com', '@example.com', '']],
];
for (const [name, inside, outside] of RECIPIENT_BORDERS) {
  test(`201 inside and 422 outside the limits of recipient.${name}`, async (t) => {
    const { token } = await cast();
    for (const value of inside) {
      const answer = await create(token, { recipient: { ...RECIPIENT, [name]: value } });
      t.is(answer.status, 201, String(value).slice(0, 80));
    }
    for (const value of outside) {
      const answer = await create(token, { recipient: { ...RECIPIENT, [name]: value } });
      t.is(answer.status, 422, String(value).slice(0, 80));
      t.deepEqual(violationPaths(answer.body), [`recipient.${name}`]);
    }
  });
}

const ADDRESS_BORDERS: readonly (readonly [Readonly<Record<string, unknown>>, string | null])[] = [
  [{ latitude: 90, longitude: 180 }, null],
  [{ latitude: -90, longitude: -180 }, null],
  [{ latitude: 0, longitude: 0 }, null],
  [{ street: 'x'.repeat(255) }, null],
  [{ latitude: 90.0001, longitude: 0 }, 'latitude'],
  [{ latitude: 0, longitude: -180.0001 }, 'longitude'],
  [{ latitude: 48.85 }, 'longitude'],
  [{ longitude: 2.35 }, 'latitude'],
  [{ latitude: '48.85', longitude: 2.35 }, 'latitude'],
  [{ street: '' }, 'street'],
  [{ street: 'x'.repeat(256) }, 'street'],
  [{ city: undefined }, 'city'],
  [{ postalCode: 75_001 }, 'postalCode'],
  [{ landmark: 'x'.repeat(256) }, 'landmark'],
];
test('201 inside and 422 outside the limits of an address', async (t) => {
  const { token } = await cast();
  for (const [fields, refused] of ADDRESS_BORDERS) {
    const address = { ...RECIPIENT.address, ...fields };
    const answer = await create(token, { recipient: { ...RECIPIENT, address } });
    const shown = JSON.stringify(fields).slice(0, 80);
    t.is(answer.status, refused === null ? 201 : 422, shown);
    if (refused !== null) t.deepEqual(violationPaths(answer.body), [`recipient.address.${refused}`], shown);
  }
});

const ITEM_BORDERS: readonly (readonly [Readonly<Record<string, unknown>>, string | null])[] = [
  [{ quantity: 1 }, null],
  [{ quantity: 1_000_000 }, null],
  [{ unitType: 'palette', unitPrice: '0.00', sku: 'S' }, null],
  [{ quantity: 0 }, 'quantity'],
  [{ quantity: 1_000_001 }, 'quantity'],
  [{ quantity: 1.5 }, 'quantity'],
  [{ quantity: '2' }, 'quantity'],
  [{ unitType: 'piece' }, 'unitType'],
  [{ unitPrice: 5 }, 'unitPrice'],
  [{ name: '' }, 'name'],
  [{ sku: 'x'.repeat(256) }, 'sku'],
];
test('201 inside and 422 outside the limits of an item', async (t) => {
  const { token } = await cast();
  for (const [fields, refused] of ITEM_BORDERS) {
    const answer = await create(token, { items: [{ name: 'First' }, { name: 'Second', ...fields }] });
    t.is(answer.status, refused === null ? 201 : 422, JSON.stringify(fields).slice(0, 80));
    if (refused !== null) t.deepEqual(violationPaths(answer.body), [`items[1].${refused}`]);
  }
});

test('422 scheduledBefore not after scheduledAfter is refused, also beside other violations', async (t) => {
  const { token } = await cast();
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
  const { token } = await cast();
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
    const { token } = await cast();
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

test('201 the fee is the zone’s base fee and the supplements; the total adds the COD amount', async (t) => {
  const { token, organization } = await cast();
  await makeZone(organization.id, 2.35, 48.85, 725);
  const inZone = { ...RECIPIENT, address: { ...RECIPIENT.address, latitude: 48.86, longitude: 2.34 } };
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
  const outside = { ...RECIPIENT, address: { ...RECIPIENT.address, latitude: 43.3, longitude: 5.4 } };
  t.is(at(await made(token, { recipient: outside }), 'deliveryFee'), '5.00');
});

test('201 where the merchant pays the fee, the COD amount alone is collected', async (t) => {
  const { token, organization } = await cast();
  const merchant = `/api/v1/merchants/${await makeMerchant(service, organization, { feePayer: 'merchant' })}`;
  const body = await made(token, { merchant, codAmount: '80.00' });
  t.is(at(body, 'feePayer'), 'merchant');
  t.is(at(body, 'deliveryFee'), '5.00');
  t.is(at(body, 'totalCodToCollect'), '80.00');
  t.is(at(body, 'merchant'), merchant);
});

test('201 the merchant is the named one, else the pickup point’s', async (t) => {
  const { token, organization } = await cast();
  const ofPoint = await makeMerchant(service, organization);
  const other = await makeMerchant(service, organization);
  const pickupPoint = `/api/v1/pickup-points/${await makePickupPoint(service, organization, { merchantId: ofPoint })}`;
  t.is(at(await made(token, { pickupPoint }), 'merchant'), `/api/v1/merchants/${ofPoint}`);
  const merchant = `/api/v1/merchants/${other}`;
  t.is(at(await made(token, { pickupPoint, merchant }), 'merchant'), merchant);
});

test('422 pickup points and merchants of another organization are as unknown as none, both told at once', async (t) => {
  const { token } = await cast();
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
  const { organization } = await cast();
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

test('422 a merchant may use its own pickup points alone', async (t) => {
  const { organization } = await cast();
  const merchantId = await makeMerchant(service, organization);
  const { token } = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const own = await makePickupPoint(service, organization, { merchantId });
  const shared = await makePickupPoint(service, organization);
  t.is((await create(token, { pickupPoint: `/api/v1/pickup-points/${own}` })).status, 201);
  const answer = await create(token, { pickupPoint: `/api/v1/pickup-points/${shared}` });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['pickupPoint']);
});

test('422 a refused create leaves nothing behind', async (t) => {
  const { token } = await cast();
  t.is((await create(token, { weight: -1 })).status, 422);
  t.is((await create(token, { merchant: `/api/v1/merchants/${randomUUID()}` })).status, 422);
  t.is(at((await send(service, 'GET', '/shipments', { token })).body, 'totalItems'), 0);
});
