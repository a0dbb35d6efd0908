import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeTeam } from '../../harness/make.ts';
import { violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { shipmentCalls } from './calls.ts';

const service = useService({ withWorkers: false });

const { create } = shipmentCalls(service);

/** For each limit (interpretations 3 and 36), values inside it and values outside. */
const BORDERS: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['notes', ['', 'x'.repeat(2_000), '😀'.repeat(2_000)], ['x'.repeat(2_001), 7, ['x']]],
  ['externalReference', ['', 'x', 'x'.repeat(255), '😀'.repeat(255)], [' ', 'x'.repeat(256), 7]],
  ['weight', [0, 0.001, 1.125, 1_000, 999.999], [-0.001, 1_000.001, 1.0001, '1', true, 1e21]],
  [
    'codAmount',
    ['', '0.00', '0.01', '9999999999.99'],
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
      '٣.٠٠',
      '00000000001.00',
    ],
  ],
  ['priority', ['', 'low', 'normal', 'high', 'urgent'], ['URGENT', 'asap', 1]],
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
      '',
      '2030-01-01T00:00:00Z',
      '2030-01-01T00:00Z',
      '2030-01-01T00:00+01:00',
      '2030-01-01T00:00:00+0100',
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
    [''],
    [
      'x',
      randomUUID(),
      `/api/v1/drivers/${randomUUID()}`,
      `/pickup-points/${randomUUID()}`,
      `/api/v1/pickup-points/${randomUUID()}`,
      7,
    ],
  ],
  ['merchant', [''], [`/api/v1/merchants/${randomUUID()}`, randomUUID(), {}]],
];
for (const [name, inside, outside] of BORDERS) {
  test(`201 inside and 422 outside the limits of ${name}`, async (t) => {
    const { token } = await makeTeam(service);
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
  ['lastName', ['x'.repeat(255), '', undefined], [' ', 'x'.repeat(256)]],
  ['type', ['individual', 'company', '', undefined], ['robot']],
  [
    'phoneNumber',
    ['+33612345678', '+33 6 12 34 56 78', '+33 (0)6 12 34 56 78', '+1 (212) 555-0100', '+2250707123456'],
    [
      '0612345678',
      '+33 6 (0)12 34 56 78',
      '33612345678',
      '+0612345678',
      '+33',
      '+33612345678901234',
      '+33x612345678',
      '',
      undefined,
    ],
  ],
  ['email', ['a@example.com', '', undefined], ['a', 'a@b', 'a b@example.com', '@example.com', ' ']],
];
for (const [name, inside, outside] of RECIPIENT_BORDERS) {
  test(`201 inside and 422 outside the limits of recipient.${name}`, async (t) => {
    const { token } = await makeTeam(service);
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
  [{ postalCode: '', landmark: '' }, null],
  [{ street: '' }, 'street'],
  [{ street: 'x'.repeat(256) }, 'street'],
  [{ city: undefined }, 'city'],
  [{ postalCode: 75_001 }, 'postalCode'],
  [{ landmark: 'x'.repeat(256) }, 'landmark'],
];
test('201 inside and 422 outside the limits of an address', async (t) => {
  const { token } = await makeTeam(service);
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
  [{ unitType: '', unitPrice: '', sku: '' }, null],
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
  const { token } = await makeTeam(service);
  for (const [fields, refused] of ITEM_BORDERS) {
    const answer = await create(token, { items: [{ name: 'First' }, { name: 'Second', ...fields }] });
    t.is(answer.status, refused === null ? 201 : 422, JSON.stringify(fields).slice(0, 80));
    if (refused !== null) t.deepEqual(violationPaths(answer.body), [`items[1].${refused}`]);
  }
});
