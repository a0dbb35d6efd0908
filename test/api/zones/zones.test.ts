import test from 'ava';
import { makeTeam, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { at, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

type Ring = readonly (readonly number[])[];
const PARIS: Ring = [
  [2.22, 48.81],
  [2.47, 48.81],
  [2.47, 48.91],
  [2.22, 48.91],
  [2.22, 48.81],
];
const CENTRE: Ring = [
  [2.3, 48.84],
  [2.4, 48.84],
  [2.4, 48.88],
  [2.3, 48.88],
  [2.3, 48.84],
];

function polygon(...coordinates: readonly Ring[]) {
  return { type: 'Polygon', coordinates };
}

const ZONE = { name: 'Paris', polygon: polygon(PARIS), baseFee: '6.90' };

async function feeAt(token: string, latitude: number, longitude: number): Promise<unknown> {
  const recipient = {
    firstName: 'Amina',
    phoneNumber: '+33612345678',
    address: { street: '1 rue de Rivoli', city: 'Paris', latitude, longitude },
  };
  const created = await send(service, 'POST', '/shipments', { token, body: shipmentBodyWith({ recipient }) });
  return at(created.body, 'deliveryFee');
}

test('201 creates a zone that prices shipments inside it, until it is off or deleted', async (t) => {
  const { token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const before = await feeAt(token, 48.86, 2.35);
  const created = await send(service, 'POST', '/zones', { token, body: ZONE });
  t.is(created.status, 201);
  t.like(created.body, { '@type': 'Zone', ...ZONE, isActive: true });
  const path = textAt(created.body, '@id');
  const read = await send(service, 'GET', path, { token });
  t.deepEqual([read.status, read.body], [200, created.body]);
  t.is(await feeAt(token, 48.86, 2.35), '6.90');
  t.is(await feeAt(token, 45.76, 4.83), before);
  t.is((await send(service, 'PATCH', path, { token, body: { isActive: false } })).status, 200);
  t.is(await feeAt(token, 48.86, 2.35), before);
  await send(service, 'PATCH', path, { token, body: { isActive: true, baseFee: '7.50' } });
  t.is(await feeAt(token, 48.86, 2.35), '7.50');
  t.is((await send(service, 'DELETE', path, { token })).status, 204);
  t.is(await feeAt(token, 48.86, 2.35), before);
});

test('201 a hole is outside the zone', async (t) => {
  const { token } = await makeTeam(service);
  const before = await feeAt(token, 48.86, 2.35);
  const body = { ...ZONE, polygon: polygon(PARIS, CENTRE) };
  t.is((await send(service, 'POST', '/zones', { token, body })).status, 201);
  t.is(await feeAt(token, 48.86, 2.35), before);
  t.is(await feeAt(token, 48.82, 2.25), '6.90');
});

test('201 an altitude and other members of the polygon are dropped', async (t) => {
  const { token } = await makeTeam(service);
  const withAltitude = PARIS.map((position) => [...position, 35]);
  const body = { ...ZONE, polygon: { ...polygon(withAltitude), bbox: [2.22, 48.81, 2.47, 48.91] } };
  const created = await send(service, 'POST', '/zones', { token, body });
  t.is(created.status, 201);
  t.deepEqual(at(created.body, 'polygon'), polygon(PARIS));
});

test('200 a patch of the coordinates replaces all of them', async (t) => {
  const { token } = await makeTeam(service);
  const path = textAt((await send(service, 'POST', '/zones', { token, body: ZONE })).body, '@id');
  const edited = await send(service, 'PATCH', path, {
    token,
    body: { polygon: { coordinates: [CENTRE] } },
  });
  t.is(edited.status, 200);
  t.deepEqual(at(edited.body, 'polygon'), polygon(CENTRE));
});

test('200 lists zones, narrowed by isActive', async (t) => {
  const { token } = await makeTeam(service);
  await send(service, 'POST', '/zones', { token, body: ZONE });
  await send(service, 'POST', '/zones', { token, body: { ...ZONE, name: 'Off', isActive: false } });
  t.is(at((await send(service, 'GET', '/zones', { token })).body, 'totalItems'), 2);
  const off = await send(service, 'GET', '/zones?isActive=false', { token });
  t.is(at(off.body, 'totalItems'), 1);
  t.is(at(off.body, 'member.0.name'), 'Off');
});

test('403 merchants and drivers see no zones; no one sees another organization’s zone', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const path = textAt((await send(service, 'POST', '/zones', { token, body: ZONE })).body, '@id');
  const driver = await makeUser(service, organization, 'ROLE_DRIVER');
  t.is((await send(service, 'GET', '/zones', { token: driver.token })).status, 403);
  const other = await makeTeam(service, 'ROLE_ORG_ADMIN');
  t.is((await send(service, 'GET', path, { token: other.token })).status, 403);
  t.is((await send(service, 'PATCH', path, { token: other.token, body: { name: 'X' } })).status, 403);
  t.is((await send(service, 'DELETE', path, { token: other.token })).status, 403);
});

const ring = (count: number): Ring => {
  const corners = Array.from({ length: count - 1 }, (_, index) => {
    const angle = (2 * Math.PI * index) / (count - 1);
    return [10 * Math.cos(angle), 10 * Math.sin(angle)];
  });
  return [...corners, ...corners.slice(0, 1)];
};

test('201 a polygon of a thousand positions; 422 of one more', async (t) => {
  const { token } = await makeTeam(service);
  const taken = await send(service, 'POST', '/zones', {
    token,
    body: { ...ZONE, polygon: polygon(ring(1_000)) },
  });
  t.is(taken.status, 201);
  const hole: Ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const refused = await send(service, 'POST', '/zones', {
    token,
    body: { ...ZONE, polygon: polygon(ring(997), hole) },
  });
  t.is(refused.status, 422);
  t.is(at(refused.body, 'violations.0.propertyPath'), 'polygon.coordinates');
});

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ['a point', { type: 'Point', coordinates: [1, 2] }, 'polygon.type'],
  ['a polygon without rings', polygon(), 'polygon.coordinates'],
  [
    'a ring of three positions',
    polygon([
      [0, 0],
      [1, 1],
      [0, 0],
    ]),
    'polygon.coordinates[0]',
  ],
  [
    'a ring that does not close',
    polygon([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]),
    'polygon.coordinates[0]',
  ],
  [
    'a ring that crosses itself',
    polygon([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ]),
    'polygon.coordinates[0]',
  ],
  ['a hole outside', polygon(CENTRE, PARIS), 'polygon.coordinates[1]'],
  [
    'a position outside the globe',
    polygon([
      [0, 0],
      [181, 0],
      [1, 1],
      [0, 0],
    ]),
    'polygon.coordinates[0][1]',
  ],
  ['latitude first', polygon(PARIS.map(([x = 0, y = 0]) => [y, x + 90])), 'polygon.coordinates[0][0]'],
  ['a position of one number', polygon([[0], [1, 0], [1, 1], [0]]), 'polygon.coordinates[0][0]'],
  ['a position of words', { type: 'Polygon', coordinates: [[['0', '0']]] }, 'polygon.coordinates[0]'],
  ['text', 'POLYGON((0 0))', 'polygon'],
];
for (const [what, value, propertyPath] of REFUSED) {
  test(`422 rejects ${what} as a polygon`, async (t) => {
    const { token } = await makeTeam(service);
    const answer = await send(service, 'POST', '/zones', { token, body: { ...ZONE, polygon: value } });
    t.is(answer.status, 422);
    const paths = violationPaths(answer.body);
    t.true(paths.includes(propertyPath), paths.join(', '));
  });
}

test('422 a zone needs its name, polygon and fee', async (t) => {
  const { token } = await makeTeam(service);
  const answer = await send(service, 'POST', '/zones', { token, body: { baseFee: 6.9, isActive: 1 } });
  t.is(answer.status, 422);
  const paths = violationPaths(answer.body);
  t.deepEqual(paths.sort(), ['baseFee', 'isActive', 'name', 'polygon']);
});
