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
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

async function cast() {
  const organization = await makeOrganization(service);
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const merchantId = await makeMerchant(service, organization);
  const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  return { organization, token: admin.token, merchantId, merchantToken: merchant.token };
}

/** A merchant's request, which awaits approval. */
async function request(token: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const body = shipmentBodyWith(fields);
  return textAt(expectStatus(await send(service, 'POST', '/shipments', { token, body }), 201).body, 'id');
}

function approve(token: string, id: string) {
  return send(service, 'POST', `/shipments/${id}/approve`, { token });
}

function bulk(token: string, shipmentIds: unknown) {
  return send(service, 'POST', '/shipments/bulk-approve', { token, body: { shipmentIds } });
}

test('200 approval makes the shipment pending, with tasks, deadline and a timeline entry', async (t) => {
  const { token, merchantToken, organization, merchantId } = await cast();
  const pickupPoint = `/api/v1/pickup-points/${await makePickupPoint(service, organization, { merchantId })}`;
  const id = await request(merchantToken, { pickupPoint, priority: 'urgent' });
  const answer = await approve(token, id);
  t.is(answer.status, 200);
  t.is(at(answer.body, 'status'), 'pending');
  t.deepEqual(
    listAt(answer.body, 'tasks').map((task) => [at(task, 'type'), at(task, 'status')]),
    [
      ['pickup', 'pending'],
      ['delivery', 'waiting_for_pickup'],
    ],
  );
  t.deepEqual(
    listAt(answer.body, 'timeline').map((entry) => at(entry, 'event')),
    ['created', 'approved'],
  );
  const approvedAt = Date.parse(textAt(answer.body, 'timeline.1.occurredAt'));
  t.true(Math.abs(Date.parse(textAt(answer.body, 'deliveryDeadline')) - approvedAt - 4 * 3_600_000) < 1_000);
  const read = await send(service, 'GET', `/shipments/${id}`, { token });
  t.is(read.headers.get('etag'), answer.headers.get('etag'));
});

test('200 approving twice is safe, also concurrently and with any body', async (t) => {
  const { token, merchantToken } = await cast();
  const id = await request(merchantToken);
  const answers = await Promise.all([approve(token, id), approve(token, id), approve(token, id)]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  const again = await send(service, 'POST', `/shipments/${id}/approve`, {
    token,
    body: 'anything',
    contentType: 'text/plain',
  });
  t.is(again.status, 200);
  t.is(listAt(again.body, 'timeline').length, 2);
  t.is(listAt(again.body, 'tasks').length, 1);
});

test('409 a terminal shipment is not approved', async (t) => {
  const { token } = await cast();
  const { id, delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'cancel');
  const answer = await approve(token, id);
  t.is(answer.status, 409);
  t.is(at(answer.body, 'currentStatus'), 'cancelled');
});

test('403 and 404 foreign, unknown and, for a merchant, own shipments cannot be approved', async (t) => {
  const { merchantToken } = await cast();
  const id = await request(merchantToken);
  t.is((await approve(merchantToken, id)).status, 403);
  const stranger = await cast();
  t.is((await approve(stranger.token, id)).status, 403);
  t.is((await approve(stranger.token, randomUUID())).status, 404);
});

test('200 bulk approval returns each id’s result in the order of the ids', async (t) => {
  const { token, merchantToken } = await cast();
  const [first, second] = [await request(merchantToken), await request(merchantToken)];
  const ended = await makeShipment(service, token);
  await move(service, token, ended.delivery, 'cancel');
  const approvedBefore = await makeShipment(service, token);
  const stranger = await cast();
  const foreign = await request(stranger.merchantToken);
  const unknown = randomUUID();
  const ids = [first, foreign, unknown, ended.id, 'no-id', approvedBefore.id, `/api/v1/shipments/${second}`];
  const answer = await bulk(token, ids);
  t.is(answer.status, 200);
  t.is(at(answer.body, 'total'), 7);
  t.is(at(answer.body, 'approved'), 3);
  t.is(at(answer.body, 'failed'), 4);
  const results = listAt(answer.body, 'results');
  t.deepEqual(
    results.map((result) => [at(result, 'id'), at(result, 'status')]),
    [
      [first, 'approved'],
      [foreign, 'error'],
      [unknown, 'error'],
      [ended.id, 'error'],
      ['no-id', 'error'],
      [approvedBefore.id, 'approved'],
      [second, 'approved'],
    ],
  );
  for (const result of results)
    t.is(at(result, 'message') === undefined, at(result, 'status') === 'approved');
  t.deepEqual(
    results.flatMap((result) => at(result, 'messageKey') ?? []),
    ['foreign', 'not_found', 'shipment_fixed', 'shipment_reference'],
  );
  t.is(at((await send(service, 'GET', `/shipments/${second}`, { token })).body, 'status'), 'pending');
  const untouched = await send(service, 'GET', `/shipments/${foreign}`, { token: stranger.token });
  t.is(at(untouched.body, 'status'), 'pending_approval');
});

test('200 bulk approval of a shipment named several times gives one result for it', async (t) => {
  const { token, merchantToken } = await cast();
  const [first, second] = [await request(merchantToken), await request(merchantToken)];
  const names = [first, `/api/v1/shipments/${first}`, second, first.toUpperCase(), first, 'no-id', 'no-id'];
  const answer = await bulk(token, names);
  t.is(answer.status, 200);
  const { total, approved, failed, results } = fieldsOf(answer.body);
  t.deepEqual({ total, approved, failed }, { total: 3, approved: 2, failed: 1 });
  t.deepEqual(results, [
    { id: first, status: 'approved' },
    { id: second, status: 'approved' },
    {
      id: 'no-id',
      status: 'error',
      message: 'Must be the id or IRI of a shipment.',
      messageKey: 'shipment_reference',
    },
  ]);
});

test('200 bulk approval accepts 500 ids; 422 for 501 and none', async (t) => {
  const { token } = await cast();
  const ids = Array.from({ length: 501 }, () => randomUUID());
  const most = await bulk(token, ids.slice(1));
  t.is(most.status, 200);
  t.is(at(most.body, 'failed'), 500);
  t.deepEqual(violationPaths((await bulk(token, ids)).body), ['shipmentIds']);
  t.deepEqual(violationPaths((await bulk(token, [])).body), ['shipmentIds']);
});

for (const [name, value] of [
  ['nothing', undefined],
  ['null', null],
  ['one id', randomUUID()],
  ['an object', {}],
  ['numbers', [1]],
  ['nulls', [null]],
  ['blank ids', ['']],
] as const) {
  test(`422 bulk approval of ${name} is rejected`, async (t) => {
    const { token } = await cast();
    const answer = await bulk(token, value);
    t.is(answer.status, 422);
    t.regex(violationPaths(answer.body)[0] ?? '', /^shipmentIds/);
  });
}

test('204 a deleted shipment leaves the dashboard, with cancelled tasks, and is shown externally', async (t) => {
  const { token, organization } = await cast();
  const { iri, id, delivery } = await makeShipment(service, token);
  const answer = await send(service, 'DELETE', iri, { token });
  t.is(answer.status, 204);
  t.is(answer.bytes.length, 0);
  t.is((await send(service, 'GET', iri, { token })).status, 404);
  t.is((await send(service, 'GET', delivery, { token })).status, 404);
  t.is((await send(service, 'DELETE', iri, { token })).status, 404);
  t.is((await send(service, 'PATCH', iri, { token, body: { notes: 'x' } })).status, 404);
  t.is(at((await send(service, 'GET', '/shipments', { token })).body, 'totalItems'), 0);
  t.is(at((await send(service, 'GET', '/tasks', { token })).body, 'totalItems'), 0);
  const external = await send(service, 'GET', `/external/shipments/${id}`, { key: organization.apiKey });
  t.is(external.status, 200);
  t.is(at(external.body, 'status'), 'cancelled');
  t.is(at(listAt(external.body, 'timeline').at(-1), 'status'), 'cancelled');
});

test('204 a request that awaits approval can be deleted', async (t) => {
  const { token, merchantToken } = await cast();
  const id = await request(merchantToken);
  t.is((await send(service, 'DELETE', `/shipments/${id}`, { token })).status, 204);
  t.is((await send(service, 'GET', `/shipments/${id}`, { token: merchantToken })).status, 404);
});

test('204 and 404 two concurrent deletions never cause a 500', async (t) => {
  const { token } = await cast();
  const { iri } = await makeShipment(service, token);
  const answers = await Promise.all([1, 2].map(() => send(service, 'DELETE', iri, { token })));
  for (const { status } of answers) t.true([204, 404].includes(status));
  t.true(answers.some(({ status }) => status === 204));
});

test('409 a terminal shipment is not deleted', async (t) => {
  const { token, organization } = await cast();
  const driver = await makeDriver(service, organization);
  const { iri, delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver });
  await move(service, token, delivery, 'start_delivery');
  await move(service, token, delivery, 'deliver');
  const answer = await send(service, 'DELETE', iri, { token });
  t.is(answer.status, 409);
  t.is(at(answer.body, 'currentStatus'), 'delivered');
  t.is((await send(service, 'GET', iri, { token })).status, 200);
});

test('412 a deletion with a stale tag; 204 with the current one', async (t) => {
  const { token } = await cast();
  const { iri } = await makeShipment(service, token);
  const etag = (await send(service, 'GET', iri, { token })).headers.get('etag') ?? '';
  t.is((await send(service, 'DELETE', iri, { token, headers: { 'if-match': '"0"' } })).status, 412);
  t.is((await send(service, 'DELETE', iri, { token, headers: { 'if-match': etag } })).status, 204);
});
