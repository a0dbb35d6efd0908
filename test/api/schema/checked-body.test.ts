import { randomUUID } from 'node:crypto';
import test from 'ava';
import {
  makeDriver,
  makeMerchant,
  makeOrganization,
  makePickupPoint,
  makeUser,
  shipmentBodyWith,
} from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** Unknown records that the valid fields of a body name are listed together with its invalid fields. */

const service = useService({ withWorkers: false });

let token: string;
let key: string;
let organization: Awaited<ReturnType<typeof makeOrganization>>;
/** Paths of records of the organization. */
let own: Readonly<Record<'shipment' | 'task' | 'user' | 'driver' | 'point' | 'run', string>>;
/** IRIs of records of another organization, which are as unknown as none. */
let foreign: Readonly<Record<'merchant' | 'point' | 'driver', string>>;

test.before(async () => {
  organization = await makeOrganization(service);
  key = organization.apiKey;
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  token = admin.token;
  const stranger = await makeOrganization(service);
  const shipment = await makeShipment(service, token);
  const run = await send(service, 'POST', '/delivery-runs', { token, body: {} });
  own = {
    shipment: shipment.iri,
    task: shipment.delivery,
    user: `/users/${admin.id}`,
    driver: `/drivers/${await makeDriver(service, organization)}`,
    point: `/pickup-points/${await makePickupPoint(service, organization)}`,
    run: textAt(run.body, '@id'),
  };
  foreign = {
    merchant: `/api/v1/merchants/${await makeMerchant(service, stranger)}`,
    point: `/api/v1/pickup-points/${await makePickupPoint(service, stranger)}`,
    driver: `/api/v1/drivers/${await makeDriver(service, stranger)}`,
  };
});

const NOWHERE = randomUUID();
const USER = `/api/v1/users/${NOWHERE}`;
const TASK = `/api/v1/tasks/${NOWHERE}`;

interface Case {
  readonly method: 'POST' | 'PATCH';
  readonly path: () => string;
  readonly body: () => Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  'a shipment': {
    method: 'POST',
    path: () => '/shipments',
    body: () => shipmentBodyWith({ pickupPoint: foreign.point, merchant: foreign.merchant, weight: -1 }),
    paths: ['weight', 'pickupPoint', 'merchant'],
  },
  'a shipment’s patch': {
    method: 'PATCH',
    path: () => own.shipment,
    body: () => ({ pickupPoint: foreign.point, merchant: foreign.merchant, status: 'delivered', weight: -1 }),
    paths: ['status', 'weight', 'pickupPoint', 'merchant'],
  },
  'an external shipment': {
    method: 'POST',
    path: () => '/external/shipments',
    body: () => shipmentBodyWith({ pickup: { pickupPointId: NOWHERE }, weight: -1, unheard: 1 }),
    paths: ['weight', 'unheard', 'pickup.pickupPointId'],
  },
  'a transfer': {
    method: 'POST',
    path: () => '/tasks',
    body: () => ({ shipment: NOWHERE, type: 'transfer' }),
    paths: ['address', 'shipment'],
  },
  'a transition': {
    method: 'POST',
    path: () => `${own.task}/transition`,
    body: () => ({ transition: 'deliver', comment: 7, occurredAt: '9000-01-01T00:00:00Z' }),
    paths: ['comment', 'occurredAt'],
  },
  'a run': {
    method: 'POST',
    path: () => '/delivery-runs',
    body: () => ({ driver: foreign.driver, tasks: [TASK], date: 'tomorrow' }),
    paths: ['date', 'driver', 'tasks[0]'],
  },
  'a run’s patch': {
    method: 'PATCH',
    path: () => own.run,
    body: () => ({ driver: foreign.driver, date: 'tomorrow' }),
    paths: ['date', 'driver'],
  },
  'tasks for a run': {
    method: 'POST',
    path: () => `${own.run}/tasks`,
    body: () => ({ tasks: [TASK], position: -1 }),
    paths: ['position', 'tasks[0]'],
  },
  'a grouped pickup': {
    method: 'POST',
    path: () => `${own.point}/grouped-pickup`,
    body: () => ({ driver: foreign.driver, scheduledAt: 'noon' }),
    paths: ['scheduledAt', 'driver'],
  },
  'a driver': {
    method: 'POST',
    path: () => '/drivers',
    body: () => ({ firstName: 'Yanis', user: USER }),
    paths: ['lastName', 'phoneNumber', 'user'],
  },
  'a driver’s patch': {
    method: 'PATCH',
    path: () => own.driver,
    body: () => ({ firstName: '', user: USER }),
    paths: ['firstName', 'user'],
  },
  'a driver’s positions': {
    method: 'POST',
    path: () => `${own.driver}/location`,
    body: () => ({
      positions: [{ latitude: 1, longitude: 0, recordedAt: '9000-01-01T00:00:00Z' }],
      accuracy: -1,
    }),
    paths: ['accuracy', 'positions[0].recordedAt'],
  },
  'a user’s patch': {
    method: 'PATCH',
    path: () => own.user,
    body: () => ({ role: 'ROLE_MERCHANT', merchant: foreign.merchant, firstName: '' }),
    paths: ['firstName', 'merchant'],
  },
  'a pickup point': {
    method: 'POST',
    path: () => '/pickup-points',
    body: () => ({ name: 'Dock', merchant: foreign.merchant }),
    paths: ['address', 'merchant'],
  },
  'a pickup point’s patch': {
    method: 'PATCH',
    path: () => own.point,
    body: () => ({ address: null, merchant: foreign.merchant }),
    paths: ['address', 'merchant'],
  },
  'an organization’s patch': {
    method: 'PATCH',
    path: () => `/organizations/${organization.id}`,
    body: () => ({ name: '', webhookUrl: 'https://name:word@shop.example.com/' }),
    paths: ['name', 'webhookUrl'],
  },
};

for (const [name, { method, path, body, paths }] of Object.entries(CASES)) {
  test(`422 ${name} lists unknown records and invalid fields in one response`, async (t) => {
    const isExternal = path().startsWith('/external');
    const answer = await send(service, method, path(), {
      ...(isExternal ? { key } : { token }),
      body: body(),
    });
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), paths);
  });
}

test('422 a valid run lists an unknown driver and unknown tasks in one response', async (t) => {
  const body = { driver: NOWHERE, tasks: [TASK] };
  const answer = await send(service, 'POST', '/delivery-runs', { token, body });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['driver', 'tasks[0]']);
});

test('422 a list with an invalid entry is looked up once all of its entries are valid', async (t) => {
  const answer = await send(service, 'POST', '/delivery-runs', { token, body: { tasks: [7, TASK] } });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['tasks[0]']);
});

test('422 a record that was already referenced and is deleted now is not listed', async (t) => {
  const pointId = await makePickupPoint(service, organization);
  const point = `/api/v1/pickup-points/${pointId}`;
  const { iri } = await makeShipment(service, token, { fields: { pickupPoint: point } });
  t.is((await send(service, 'DELETE', point, { token })).status, 204);
  const answer = await send(service, 'PATCH', iri, { token, body: { pickupPoint: point, weight: -1 } });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['weight']);
});
