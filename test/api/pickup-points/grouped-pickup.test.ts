import test from 'ava';
import { makePickupPoint, makeTeamWithDriver } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import type { HttpRequest } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

test('201 every open pickup of the point that is in no run joins a planned run and is assigned', async (t) => {
  const { organization, token, driver, point } = await staff();
  const [first, second, inRun, collected] = await shipmentsAt(token, point, 4);
  await makeShipment(service, token, { pickupPoint: await makePickupPoint(service, organization) });
  await move(service, token, collected?.pickup ?? '', 'assign', { driver });
  await move(service, token, collected?.pickup ?? '', 'pick_up');
  expectStatus(await post(token, '/delivery-runs', { tasks: [inRun?.pickup] }), 201);

  const answer = await group(token, point, { driver, scheduledAt: '2027-05-04T23:30:00+01:00' });
  t.is(answer.status, 201);
  t.is(answer.headers.get('location'), textAt(answer.body, '@id'));
  t.is(at(answer.body, 'status'), 'planned');
  t.is(at(answer.body, 'date'), '2027-05-04');
  t.deepEqual(at(answer.body, 'results'), [
    { shipment: first?.iri, status: 'added', task: first?.pickup },
    { shipment: second?.iri, status: 'added', task: second?.pickup },
  ]);
  t.deepEqual(at(answer.body, 'assignments'), [
    { task: first?.pickup, status: 'assigned' },
    { task: second?.pickup, status: 'assigned' },
  ]);
  t.is(at(answer.body, 'tasks.0.after'), '2027-05-04T22:30:00.000Z');
  const run = await send(service, 'GET', textAt(answer.body, '@id'), { token });
  t.is(at(run.body, 'taskCounts.total'), 2);
});

test('201 of named shipments each has its result, in their order', async (t) => {
  const { organization, token, driver, point } = await staff();
  const [good, collected] = await shipmentsAt(token, point, 2);
  const elsewhere = await makeShipment(service, token, {
    pickupPoint: await makePickupPoint(service, organization),
  });
  const foreign = await staff();
  const [theirs] = await shipmentsAt(foreign.token, foreign.point, 1);
  await move(service, token, collected?.pickup ?? '', 'assign', { driver });
  await move(service, token, collected?.pickup ?? '', 'pick_up');
  const answer = await group(token, point, {
    shipments: [elsewhere.iri, good?.id, collected?.id, theirs?.id, 'no id'],
  });
  t.is(answer.status, 201);
  const results = at(answer.body, 'results');
  t.true(Array.isArray(results));
  t.deepEqual(
    [0, 1, 2, 3, 4].map((index) => at(results, `${index}.status`)),
    ['error', 'added', 'error', 'error', 'error'],
  );
  t.regex(textAt(results, '0.message'), /this point/);
  t.regex(textAt(results, '2.message'), /picked_up/);
  t.regex(textAt(results, '3.message'), /no such shipment/);
  t.is(at(results, '1.task'), good?.pickup);
  t.is(at(answer.body, 'taskCounts.total'), 1);
  t.is(at(answer.body, 'assignments'), undefined);
});

test('201 without a body every open pickup of the point is taken', async (t) => {
  const { token, point } = await staff();
  const path = `/pickup-points/${point}/grouped-pickup`;
  const forms: readonly HttpRequest[] = [
    {},
    { body: '', contentType: 'application/ld+json' },
    { body: '', contentType: 'text/plain' },
  ];
  for (const form of forms) {
    const made = await shipmentsAt(token, point, 2);
    const answer = await send(service, 'POST', path, { token, ...form });
    t.is(answer.status, 201);
    t.deepEqual(
      at(answer.body, 'results'),
      made.map(({ iri, pickup }) => ({ shipment: iri, status: 'added', task: pickup })),
    );
  }
  t.is((await send(service, 'POST', path, { token })).status, 409);
  const text = { token, body: 'x', contentType: 'text/plain' };
  t.is((await send(service, 'POST', path, text)).status, 415);
  const list = { token, body: '[]', contentType: 'application/json' };
  t.is((await send(service, 'POST', path, list)).status, 400);
});

test('409 where there is nothing to group no run is made', async (t) => {
  const { token, point } = await staff();
  t.is((await group(token, point, {})).status, 409);
  const none = await group(token, point, { shipments: ['3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11'] });
  t.is(none.status, 409);
  t.regex(textAt(none.body, 'detail'), /no such shipment/);
  const runs = await send(service, 'GET', '/delivery-runs', { token });
  t.is(at(runs.body, 'totalItems'), 0);
});

test('403 another organization groups nothing here, and 404 an unknown point', async (t) => {
  const { token, point } = await staff();
  const foreign = await staff();
  t.is((await group(foreign.token, point, {})).status, 403);
  t.is((await group(token, '3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11', {})).status, 404);
});

test('201 two groupings at the same moment share no pickup', async (t) => {
  const { token, point } = await staff();
  await shipmentsAt(token, point, 3);
  const answers = await Promise.all([group(token, point, {}), group(token, point, {})]);
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
});

async function staff() {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  return { organization, token, driver, point: await makePickupPoint(service, organization) };
}

async function shipmentsAt(token: string, pickupPoint: string, count: number) {
  const made = [];
  for (let index = 0; index < count; index += 1)
    made.push(await makeShipment(service, token, { pickupPoint }));
  return made;
}

function group(token: string, point: string, body: Readonly<Record<string, unknown>>) {
  return post(token, `/pickup-points/${point}/grouped-pickup`, body);
}

function post(token: string, path: string, body: Readonly<Record<string, unknown>>) {
  return send(service, 'POST', path, { token, body });
}
