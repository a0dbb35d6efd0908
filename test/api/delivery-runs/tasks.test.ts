import test from 'ava';
import { makeDriver, makePickupPoint, makeTeamWithDriver } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

test('200 tasks join at a position, by IRI or id, and those that are there keep their place', async (t) => {
  const { token, tasks } = await staffWithTasks(4);
  const [a = '', b = '', c = '', d = ''] = tasks;
  const run = await makeRun(token, { tasks: [a, b] });
  const middle = await call(token, 'POST', `${run}/tasks`, { tasks: [c.split('/').at(-1)], position: 1 });
  t.is(middle.status, 200);
  t.deepEqual(taskOrder(middle.body), [a, c, b]);
  const end = await call(token, 'POST', `${run}/tasks`, { tasks: [d, a] });
  t.deepEqual(taskOrder(end.body), [a, c, b, d]);
  t.deepEqual(positions(end.body), [0, 1, 2, 3]);
  t.is(at(end.body, 'assignments'), undefined);
});

test('200 a task that joins a run with a driver is assigned, also while the run is in progress', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(2);
  const [first = '', second = ''] = tasks;
  const run = await makeRun(token, { driver, tasks: [first] });
  await move(service, token, first, 'start_delivery');
  const answer = await call(token, 'POST', `${run}/tasks`, { tasks: [second] });
  t.is(answer.status, 200);
  t.is(at(answer.body, 'status'), 'in_progress');
  t.deepEqual(at(answer.body, 'assignments'), [{ task: second, status: 'assigned' }]);
});

test('200 a pickup and the delivery that waits for it are assigned in one call', async (t) => {
  const { organization, token, driver } = await staffWithTasks(0);
  const pickupPoint = await makePickupPoint(service, organization);
  const { pickup = '', delivery } = await makeShipment(service, token, { pickupPoint });
  const run = await makeRun(token, { driver, tasks: [pickup, delivery] });
  const document = await read(token, run);
  t.deepEqual(
    [at(document, 'tasks.0.status'), at(document, 'tasks.1.status')],
    ['assigned', 'assigned_waiting'],
  );
});

test('409 a task is in one run at most, and the other run is named', async (t) => {
  const { token, tasks } = await staffWithTasks(2);
  const [bound = '', free = ''] = tasks;
  const other = await makeRun(token, { reference: 'Other tour', tasks: [bound] });
  const run = await makeRun(token, {});
  const answer = await call(token, 'POST', `${run}/tasks`, { tasks: [free, bound] });
  t.is(answer.status, 409);
  t.regex(textAt(answer.body, 'detail'), /Other tour/);
  t.deepEqual(at(answer.body, 'blockedBy'), [other]);
  t.deepEqual(taskOrder(await read(token, run)), [], 'all or none');
  t.is((await call(token, 'POST', '/delivery-runs', { tasks: [bound] })).status, 409);
});

test('200 a move takes tasks out of other runs, to a place and to the driver of this one', async (t) => {
  const { organization, token, driver, tasks } = await staffWithTasks(4);
  const [a = '', b = '', c = '', d = ''] = tasks;
  const here = await makeRun(token, { driver: await makeDriver(service, organization), tasks: [a, b, c] });
  const there = await makeRun(token, { driver, tasks: [d] });
  const before = await send(service, 'GET', here, { token });
  const answer = expectStatus(
    await call(token, 'POST', `${there}/tasks`, { tasks: [c, a], position: 0, isMove: true }),
    200,
  );
  t.deepEqual(taskOrder(answer.body), [c, a, d]);
  t.deepEqual(at(answer.body, 'assignments'), [
    { task: c, status: 'assigned' },
    { task: a, status: 'assigned' },
  ]);
  t.is(at(answer.body, 'tasks.0.driver'), `/api/v1/drivers/${driver}`);
  const after = await send(service, 'GET', here, { token });
  t.deepEqual(taskOrder(after.body), [b]);
  t.true(textAt(after.body, 'updatedAt') > textAt(before.body, 'updatedAt'));
  await move(service, token, b, 'start_delivery');
  const started = await call(token, 'POST', `${there}/tasks`, { tasks: [b], isMove: true });
  t.is(started.status, 409);
  t.deepEqual(at(started.body, 'blockedBy'), [here]);
});

test('200 moves in opposite directions at the same time wait for each other', async (t) => {
  const { token, tasks } = await staffWithTasks(4);
  const runs = [
    await makeRun(token, { tasks: tasks.slice(0, 2) }),
    await makeRun(token, { tasks: tasks.slice(2) }),
  ] as const;
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      runs.map((run) => call(token, 'POST', `${run}/tasks`, { tasks, isMove: true })),
    );
    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  }
  const orders = await Promise.all(runs.map(async (run) => taskOrder(await read(token, run))));
  t.is(orders.flat().length, 4);
});

test('409 failed and ended tasks do not join, nor does any join a completed run', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(3);
  const [failed = '', delivered = '', free = ''] = tasks;
  await move(service, token, failed, 'assign', { driver });
  await move(service, token, failed, 'fail', { reason: 'refused' });
  const run = await makeRun(token, { driver, tasks: [delivered] });
  await move(service, token, delivered, 'start_delivery');
  t.is((await call(token, 'POST', `${run}/tasks`, { tasks: [failed] })).status, 409);
  await move(service, token, delivered, 'deliver');
  t.is((await call(token, 'POST', `${run}/tasks`, { tasks: [free] })).status, 409);
  t.is((await call(token, 'POST', '/delivery-runs', { tasks: [delivered] })).status, 409);
});

test('422 unknown and foreign tasks are violations with their places', async (t) => {
  const { token, tasks } = await staffWithTasks(1);
  const foreign = await staffWithTasks(1);
  const run = await makeRun(token, {});
  const answer = await call(token, 'POST', `${run}/tasks`, {
    tasks: [...tasks, ...foreign.tasks, '3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11'],
  });
  t.is(answer.status, 422);
  t.is(at(answer.body, 'violations.0.propertyPath'), 'tasks[1]');
  t.is(at(answer.body, 'violations.1.propertyPath'), 'tasks[2]');
  const malformed = await call(token, 'POST', `${run}/tasks`, { tasks: ['/api/v1/drivers/7'] });
  t.is(malformed.status, 422);
  t.is((await call(token, 'POST', `${run}/tasks`, { tasks: [] })).status, 422);
});

test('204 a task leaves its run, keeps its driver, and is free for another', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(2);
  const [first = '', second = ''] = tasks;
  const run = await makeRun(token, { driver, tasks: [first, second] });
  t.is((await call(token, 'DELETE', `${run}/tasks/${idOf(first)}`)).status, 204);
  const task = await read(token, first);
  t.is(at(task, 'deliveryRun'), undefined);
  t.is(at(task, 'position'), undefined);
  t.is(at(task, 'driver'), `/api/v1/drivers/${driver}`);
  t.is((await call(token, 'DELETE', `${run}/tasks/${idOf(first)}`)).status, 404);
  t.is((await call(token, 'POST', '/delivery-runs', { tasks: [first] })).status, 201);
});

test('409 a task that has begun stays in its run, one that has not may still leave', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(2);
  const [begun = '', open = ''] = tasks;
  const run = await makeRun(token, { driver, tasks });
  await move(service, token, begun, 'start_delivery');
  const refused = await call(token, 'DELETE', `${run}/tasks/${idOf(begun)}`);
  t.is(refused.status, 409);
  t.is(at(refused.body, 'currentStatus'), 'delivery_in_progress');
  t.is((await call(token, 'DELETE', `${run}/tasks/${idOf(open)}`)).status, 204);
});

test('200 a reactivated task has left its run and may join again as a fresh try', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(1);
  const [task = ''] = tasks;
  const run = await makeRun(token, { driver, tasks });
  await move(service, token, task, 'start_delivery');
  await move(service, token, task, 'fail', { reason: 'weather' });
  const again = await move(service, token, task, 'reactivate');
  t.is(at(again, 'deliveryRun'), undefined);
  t.is(at(again, 'startedAt'), undefined);
  const answer = await call(token, 'POST', `${run}/tasks`, { tasks });
  t.is(answer.status, 200);
  t.is(at(answer.body, 'status'), 'draft');
  t.is(at(answer.body, 'startedAt'), undefined);
});

test('200 with concurrent runs for the same tasks, each task ends in one', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(4);
  const runs = await Promise.all(Array.from({ length: 4 }, () => makeRun(token, { driver })));
  const answers = await Promise.all(
    runs.map((run, index) =>
      call(token, 'POST', `${run}/tasks`, { tasks: index % 2 === 0 ? tasks : tasks.toReversed() }),
    ),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  const members = await Promise.all(runs.map(async (run) => taskOrder(await read(token, run))));
  t.deepEqual(members.map((list) => list.length).sort(), [0, 0, 0, 4]);
});

async function staffWithTasks(count: number) {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  const tasks: string[] = [];
  for (let made = 0; made < count; made += 1) tasks.push((await makeShipment(service, token)).delivery);
  return { organization, token, driver, tasks };
}

async function makeRun(token: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  return textAt(expectStatus(await call(token, 'POST', '/delivery-runs', body), 201).body, '@id');
}

function call(token: string, method: string, path: string, body?: unknown) {
  return send(service, method, path, { token, ...(body === undefined ? {} : { body }) });
}

async function read(token: string, path: string): Promise<unknown> {
  return expectStatus(await call(token, 'GET', path), 200).body;
}

function listed(run: unknown, name: string): unknown[] {
  const tasks = at(run, 'tasks');
  return Array.isArray(tasks) ? tasks.map((task: unknown) => at(task, name)) : [];
}

function taskOrder(run: unknown): unknown[] {
  return listed(run, '@id');
}

function positions(run: unknown): unknown[] {
  return listed(run, 'position');
}

function idOf(iri: string): string {
  return iri.split('/').at(-1) ?? '';
}
