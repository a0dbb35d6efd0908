import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import {
  makeDriver,
  makeOrganization,
  makePickupPoint,
  makeTeam,
  makeTeamWithDriver,
} from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

function post(token: string, task: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return send(service, 'POST', `${task}/transition`, { token, body, headers });
}

/** A delivery on its way. */
async function underWay(token: string, driver: string) {
  const shipment = await makeShipment(service, token);
  await move(service, token, shipment.delivery, 'assign', { driver });
  await move(service, token, shipment.delivery, 'start_delivery');
  return shipment;
}

test('200 assign moves a delivery to assigned and answers the task as it now is', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const answer = await post(token, delivery, { transition: 'assign', driver });
  t.is(answer.status, 200);
  t.is(at(answer.body, 'status'), 'assigned');
  t.is(at(answer.body, 'driver'), `/api/v1/drivers/${driver}`);
  t.is(typeof at(answer.body, 'assignedAt'), 'string');
  const read = await send(service, 'GET', delivery, { token });
  t.deepEqual(read.body, answer.body);
  t.is(read.headers.get('etag'), answer.headers.get('etag'));
});

test('200 the contract’s sequence from pickup to delivery, with each status of the shipment', async (t) => {
  const { token, driver, organization } = await makeTeamWithDriver(service);
  const pickupPoint = await makePickupPoint(service, organization);
  const { iri, pickup = '', delivery } = await makeShipment(service, token, { pickupPoint });
  const steps: readonly (readonly [string, string, string, string])[] = [
    [pickup, 'assign', 'assigned', 'pending'],
    [pickup, 'start_approach', 'pickup_in_progress', 'pickup_in_progress'],
    [pickup, 'pick_up', 'picked_up', 'picked_up'],
    [delivery, 'assign', 'assigned', 'picked_up'],
    [delivery, 'start_delivery', 'delivery_in_progress', 'in_transit'],
    [delivery, 'deliver', 'delivered', 'delivered'],
  ];
  for (const [task, transition, taskStatus, shipmentStatus] of steps) {
    const body = await move(service, token, task, transition, transition === 'assign' ? { driver } : {});
    t.is(at(body, 'status'), taskStatus, transition);
    t.is(at(body, 'shipmentStatus'), shipmentStatus, transition);
  }
  const shipment = (await send(service, 'GET', iri, { token })).body;
  t.is(at(shipment, 'status'), 'delivered');
  t.deepEqual(
    listAt(shipment, 'timeline').map((entry) => at(entry, 'transition') ?? at(entry, 'event')),
    ['created', 'assign', 'start_approach', 'pick_up', 'assign', 'start_delivery', 'deliver'],
  );
});

test('200 the driver may be named by IRI or by id', async (t) => {
  const { token, driver, organization } = await makeTeamWithDriver(service);
  const other = await makeDriver(service, organization);
  const { delivery } = await makeShipment(service, token);
  t.is(
    (await post(token, delivery, { transition: 'assign', driver: `/api/v1/drivers/${driver}` })).status,
    200,
  );
  t.is((await post(token, delivery, { transition: 'assign', driver: other })).status, 200);
});

test('200 the same driver assigned again changes nothing and sends no event', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { iri, delivery } = await makeShipment(service, token);
  const first = await post(token, delivery, { transition: 'assign', driver });
  const again = await post(token, delivery, { transition: 'assign', driver });
  t.is(again.status, 200);
  t.deepEqual(again.body, first.body);
  t.is(listAt((await send(service, 'GET', iri, { token })).body, 'timeline').length, 2);
});

test('409 a transition that the state does not allow returns the state and what it allows', async (t) => {
  const { token } = await makeTeam(service);
  const { delivery } = await makeShipment(service, token);
  const answer = await post(token, delivery, { transition: 'deliver' });
  t.is(answer.status, 409);
  t.is(at(answer.body, 'currentStatus'), 'pending');
  const { body } = await send(service, 'GET', delivery, { token });
  t.deepEqual(at(answer.body, 'allowedTransitions'), at(body, 'allowedTransitions'));
  t.deepEqual(at(body, 'allowedTransitions'), ['assign', 'cancel']);
  t.regex(textAt(answer.body, 'detail'), /pending.*deliver.*assign, cancel/);
});

test('409 an ended task allows nothing any more', async (t) => {
  const { token } = await makeTeam(service);
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'cancel');
  for (const transition of ['cancel', 'deliver', 'reactivate']) {
    const answer = await post(token, delivery, { transition });
    t.is(answer.status, 409);
    t.is(at(answer.body, 'currentStatus'), 'cancelled');
    t.deepEqual(at(answer.body, 'allowedTransitions'), []);
  }
});

test('200 and 409 of two concurrent deliveries one wins', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { iri, delivery } = await underWay(token, driver);
  const answers = await Promise.all([1, 2].map(() => post(token, delivery, { transition: 'deliver' })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  const conflict = answers.find(({ status }) => status === 409);
  t.is(at(conflict?.body, 'currentStatus'), 'delivered');
  const timeline = listAt((await send(service, 'GET', iri, { token })).body, 'timeline');
  t.is(timeline.filter((entry) => at(entry, 'transition') === 'deliver').length, 1);
});

for (const [name, body, paths] of [
  ['nothing', {}, ['transition']],
  ['an unknown transition', { transition: 'teleport' }, ['transition']],
  ['another type', { transition: 7 }, ['transition']],
  ['assign without a driver', { transition: 'assign' }, ['driver']],
  ['assign with driver null', { transition: 'assign', driver: null }, ['driver']],
  [
    'assign with a shipment as driver',
    { transition: 'assign', driver: `/api/v1/shipments/${randomUUID()}` },
    ['driver'],
  ],
  ['fail without a reason', { transition: 'fail' }, ['reason']],
  ['fail with an unknown reason', { transition: 'fail', reason: 'bored' }, ['reason']],
  ['fail for other without a comment', { transition: 'fail', reason: 'other' }, ['comment']],
  ['fail for other with a blank comment', { transition: 'fail', reason: 'other', comment: ' ' }, ['comment']],
  ['a comment too long', { transition: 'fail', reason: 'lost', comment: 'x'.repeat(2_001) }, ['comment']],
  ['a day that does not exist', { transition: 'cancel', occurredAt: '2026-02-30T00:00:00Z' }, ['occurredAt']],
  [
    'a proof of wrong types',
    { transition: 'deliver', proof: { note: 7, cashCollected: '1' } },
    ['proof.note', 'proof.cashCollected'],
  ],
  [
    'a photo and a signature that are not HTTPS',
    { transition: 'deliver', proof: { photoUrl: 'http://a.example/1.jpg', signatureUrl: 'javascript:1' } },
    ['proof.photoUrl', 'proof.signatureUrl'],
  ],
  ['several faults', { transition: 'fail', comment: ' ', proof: [] }, ['comment', 'proof', 'reason']],
] as const) {
  test(`422 a transition with ${name} is rejected at the wrong field`, async (t) => {
    const { token } = await makeTeam(service);
    const { delivery } = await makeShipment(service, token);
    const answer = await post(token, delivery, body);
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body).sort(), [...paths].sort());
  });
}

test('422 drivers that are unavailable, foreign, deleted or unknown are not assigned', async (t) => {
  const { token, organization } = await makeTeam(service);
  const { delivery } = await makeShipment(service, token);
  const unavailable = await makeDriver(service, organization, { isAvailable: false });
  const foreign = await makeDriver(service, await makeOrganization(service));
  const deleted = await makeDriver(service, organization);
  await execute(service.database, 'update drivers set deleted_at = now() where id = $1', [deleted]);
  for (const driver of [unavailable, foreign, deleted, randomUUID()]) {
    const answer = await post(token, delivery, { transition: 'assign', driver });
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), ['driver']);
  }
  t.is(at((await send(service, 'GET', delivery, { token })).body, 'status'), 'pending');
});

const fromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

test('422 an occurredAt too far ahead or back says by how much', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  for (const [seconds, difference] of [
    [630, /5 minutes ahead of now; it is 10 minutes( \d+ seconds?)? ahead/],
    [-8 * 86_400, /7 days back; it is 8 days( \d+ seconds?)? back/],
  ] as const) {
    const body = { transition: 'assign', driver, occurredAt: fromNow(seconds) };
    const answer = await post(token, delivery, body);
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), ['occurredAt']);
    t.regex(textAt(answer.body, 'violations.0.message'), difference);
  }
  t.is(at((await send(service, 'GET', delivery, { token })).body, 'status'), 'pending');
});

test('200 an occurredAt of days ago stands in the timeline, one slightly ahead is now', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { iri, delivery } = await makeShipment(service, token);
  const daysAgo = fromNow(-6 * 86_400);
  await move(service, token, delivery, 'assign', { driver, occurredAt: daysAgo });
  const sentAt = Date.now();
  await move(service, token, delivery, 'start_delivery', { occurredAt: fromNow(290) });
  const { body } = await send(service, 'GET', iri, { token });
  t.is(at(body, 'timeline.1.occurredAt'), daysAgo.replace('Z', '000+00:00'));
  const ahead = Date.parse(textAt(body, 'timeline.2.occurredAt'));
  t.true(ahead >= sentAt && ahead <= Date.now(), new Date(ahead).toISOString());
});

test('200 a failure keeps reason and comment; reactivating starts over with one attempt more', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await underWay(token, driver);
  const failed = await move(service, token, delivery, 'fail', { reason: 'other', comment: 'Dog' });
  t.is(at(failed, 'status'), 'failed');
  t.is(at(failed, 'failureReason'), 'other');
  t.is(at(failed, 'failureComment'), 'Dog');
  const again = await move(service, token, delivery, 'reactivate');
  t.is(at(again, 'status'), 'pending');
  t.is(at(again, 'attempts'), 2);
  t.is(at(again, 'driver'), undefined);
});

test('200 a proof of delivery is kept on the task', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await underWay(token, driver);
  const photoUrl = 'https://photos.example.com/1.jpg';
  const proof = { receivedBy: 'Neighbour', cashCollected: '10.00', note: 'Left side door', photoUrl };
  const sent = { ...proof, signatureUrl: '' };
  t.deepEqual(at(await move(service, token, delivery, 'deliver', { proof: sent }), 'proof'), proof);
});

test('403 and 404 tasks of another organization, and unknown ones', async (t) => {
  const { token } = await makeTeam(service);
  const stranger = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  t.is((await post(stranger.token, delivery, { transition: 'cancel' })).status, 403);
  t.is((await post(token, `/tasks/${randomUUID()}`, { transition: 'cancel' })).status, 404);
  t.is((await post(token, '/tasks/x', { transition: 'cancel' })).status, 404);
});

test('412 a transition with a stale tag; 200 with the current one', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const stale = (await send(service, 'GET', delivery, { token })).headers.get('etag') ?? '';
  const assigned = expectStatus(
    await post(token, delivery, { transition: 'assign', driver }, { 'if-match': stale }),
    200,
  );
  t.is((await post(token, delivery, { transition: 'start_delivery' }, { 'if-match': stale })).status, 412);
  const current = assigned.headers.get('etag') ?? '';
  t.is((await post(token, delivery, { transition: 'start_delivery' }, { 'if-match': current })).status, 200);
});

test('200 a shipment that is scheduled thousands of years ahead moves like any other', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const scheduledAfter = '9998-12-31T23:59:59Z';
  const { delivery } = await makeShipment(service, token, { fields: { scheduledAfter, priority: 'low' } });
  t.is(at(await move(service, token, delivery, 'assign', { driver }), 'status'), 'assigned');
});

test('200 a shipment whose deadline has long passed moves like any other', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token, {
    fields: { scheduledAfter: '0001-01-01T00:00:00Z' },
  });
  t.is(at(await move(service, token, delivery, 'assign', { driver }), 'status'), 'assigned');
});
