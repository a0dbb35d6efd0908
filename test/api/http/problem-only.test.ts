import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeTeam, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** A client that accepts problem documents and nothing else gets its errors, and 406 where there would be none. */

const service = useService({ withWorkers: false });
const PROBLEM = 'application/problem+json';

let token: string;
let driver: string;
let own: string;
let foreign: string;
test.before(async () => {
  const team = await makeTeam(service);
  ({ token } = team);
  ({ token: driver } = await makeUser(service, team.organization, 'ROLE_DRIVER'));
  own = (await makeShipment(service, token)).id;
  foreign = (await makeShipment(service, (await makeTeam(service)).token)).id;
});

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly as?: string | undefined;
}

const CASES: Readonly<Record<string, readonly [status: number, asked: () => Asked]>> = {
  'a delivery note of an unknown shipment': [
    404,
    () => ({ path: `/shipments/${randomUUID()}/delivery-note` }),
  ],
  'a delivery note of a foreign shipment': [403, () => ({ path: `/shipments/${foreign}/delivery-note` })],
  'a delivery note without a token': [
    401,
    () => ({ path: `/shipments/${own}/delivery-note`, as: undefined }),
  ],
  'labels of an unknown shipment': [
    422,
    () => ({ method: 'POST', path: '/shipments/labels', body: { shipmentIds: [own, randomUUID()] } }),
  ],
  'delivery notes of no shipment': [
    422,
    () => ({ method: 'POST', path: '/shipments/delivery-notes', body: { shipmentIds: [] } }),
  ],
  'a label in an unknown format': [400, () => ({ path: `/shipments/${own}/label-assets?format=gif` })],
  'an export with an unknown status': [400, () => ({ path: '/shipments/export?status=nowhere' })],
  'a template for a driver': [403, () => ({ path: '/shipments/import/template', as: driver })],
  'failed rows of an unknown import': [
    404,
    () => ({ path: `/shipments/imports/${randomUUID()}/failed-rows` }),
  ],
  'an unknown shipment': [404, () => ({ path: `/shipments/${randomUUID()}` })],
  'an empty shipment': [422, () => ({ method: 'POST', path: '/shipments', body: {} })],
  'a list with an unknown filter': [400, () => ({ path: '/shipments?colour=red' })],
  'a delivery note': [406, () => ({ path: `/shipments/${own}/delivery-note` })],
  labels: [406, () => ({ method: 'POST', path: '/shipments/labels', body: { shipmentIds: [own] } })],
  'delivery notes': [
    406,
    () => ({ method: 'POST', path: '/shipments/delivery-notes', body: { shipmentIds: [own] } }),
  ],
  'an export': [406, () => ({ path: '/shipments/export' })],
  'a list': [406, () => ({ path: '/shipments' })],
  'the documentation': [406, () => ({ path: '/docs' })],
};
for (const [name, [status, ask]] of Object.entries(CASES)) {
  test(`${status} ${name} is answered to a client that accepts only problems`, async (t) => {
    const asked = { method: 'GET', as: token, ...ask() };
    const answer = await send(service, asked.method, asked.path, {
      ...(asked.as === undefined ? {} : { token: asked.as }),
      ...('body' in asked ? { body: asked.body } : {}),
      headers: { accept: PROBLEM },
    });
    t.is(answer.status, status);
    t.is(answer.headers.get('content-type'), `${PROBLEM}; charset=utf-8`);
    t.is(at(answer.body, 'status'), status);
  });
}

test('406 a shipment is not created for a client that cannot read it', async (t) => {
  const team = await makeTeam(service);
  const headers = { accept: PROBLEM, 'idempotency-key': randomUUID() };
  const request = { token: team.token, body: shipmentBodyWith(), headers };
  t.is((await send(service, 'POST', '/shipments', request)).status, 406);
  t.is(at((await send(service, 'GET', '/shipments', { token: team.token })).body, 'totalItems'), 0);
  const accepting = { ...request, headers: { ...headers, accept: 'application/json' } };
  t.is((await send(service, 'POST', '/shipments', accepting)).status, 201);
});

test('204 what has no content is done whatever is accepted', async (t) => {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const body = { firstName: 'Lina', lastName: 'Haddad', phoneNumber: '+33612000002' };
  const made = expectStatus(await send(service, 'POST', '/drivers', { token: team.token, body }), 201);
  const request = { token: team.token, headers: { accept: PROBLEM } };
  t.is((await send(service, 'DELETE', textAt(made.body, '@id'), request)).status, 204);
});
