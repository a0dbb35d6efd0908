import test from 'ava';
import { makeDriver, makeTeamWithDriver, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import type { HttpRequest } from '../../harness/request.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

test('201 a run with a driver and tasks assigns each task and returns a result for each', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(3);
  const answer = await call(token, 'POST', '/delivery-runs', {
    name: 'Morning',
    date: '2026-03-01',
    driver: `/api/v1/drivers/${driver}`,
    tasks,
  });
  t.is(answer.status, 201);
  t.is(answer.headers.get('location'), textAt(answer.body, '@id'));
  t.regex(textAt(answer.body, 'reference'), /^RUN-20260301-[0-9A-HJKMNP-TV-Z]{4}$/);
  t.is(at(answer.body, 'status'), 'draft');
  t.deepEqual(
    at(answer.body, 'assignments'),
    tasks.map((task) => ({ task, status: 'assigned' })),
  );
  t.deepEqual(taskOrder(answer.body), tasks);
  t.is(at(answer.body, 'taskCounts.open'), 3);
  t.is(at(answer.body, 'tasks.2.driver'), `/api/v1/drivers/${driver}`);
  t.is(at(await read(token, tasks[0] ?? ''), 'deliveryRun'), textAt(answer.body, '@id'));
});

test('201 a bare run is a draft of today without tasks', async (t) => {
  const { token } = await staffWithTasks(0);
  const answer = await call(token, 'POST', '/delivery-runs', { reference: 'Tour 7' });
  t.is(answer.status, 201);
  t.is(at(answer.body, 'reference'), 'Tour 7');
  t.is(at(answer.body, 'status'), 'draft');
  t.regex(textAt(answer.body, 'date'), /^\d{4}-\d{2}-\d{2}$/);
  t.is(at(answer.body, 'assignments'), undefined);
  const again = await call(token, 'POST', '/delivery-runs', { reference: 'Tour 7' });
  t.is(again.status, 422);
  t.is(at(again.body, 'violations.0.propertyPath'), 'reference');
});

test('200 the same driver again changes nothing; another driver gets the assigned tasks', async (t) => {
  const { organization, token, driver, tasks } = await staffWithTasks(2);
  const run = await makeRun(token, { tasks });
  const given = await call(token, 'PATCH', run, { driver });
  t.deepEqual(assignmentStatuses(given.body), ['assigned', 'assigned']);
  const again = await call(token, 'PATCH', run, { driver });
  t.deepEqual(assignmentStatuses(again.body), ['unchanged', 'unchanged']);
  const other = await makeDriver(service, organization);
  await move(service, token, tasks[0] ?? '', 'start_delivery');
  const moved = await call(token, 'PATCH', run, { driver: other });
  t.is(moved.status, 200);
  t.deepEqual(assignmentStatuses(moved.body), ['error', 'assigned']);
  t.regex(textAt(moved.body, 'assignments.0.message'), /delivery_in_progress/);
  t.is(at(moved.body, 'tasks.0.driver'), `/api/v1/drivers/${driver}`);
});

test('200 a run is in progress from its first start, completed when each task is done or failed', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(2);
  const [first = '', second = ''] = tasks;
  const run = await makeRun(token, { driver, tasks, status: 'planned' });
  await move(service, token, first, 'start_delivery');
  const started = await read(token, run);
  t.is(at(started, 'status'), 'in_progress');
  t.is(typeof at(started, 'startedAt'), 'string');
  t.is(at(started, 'completedAt'), undefined);
  await move(service, token, first, 'deliver');
  t.is(at(await read(token, run), 'status'), 'in_progress');
  await move(service, token, second, 'fail', { reason: 'recipient_absent' });
  const completed = await read(token, run);
  t.is(at(completed, 'status'), 'completed');
  t.is(typeof at(completed, 'completedAt'), 'string');
  t.is(at(completed, 'taskCounts.failed'), 1);
  t.is((await call(token, 'DELETE', run)).status, 409);
  t.is((await call(token, 'PATCH', run, { status: 'draft' })).status, 409);
});

test('200 the list filters by date, driver and derived status as the records show it', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(3);
  const [delivered = '', started = '', cancelled = ''] = tasks;
  const runs = {
    completed: await makeRun(token, { driver, tasks: [delivered] }),
    in_progress: await makeRun(token, { driver, tasks: [started] }),
    cancelled: await makeRun(token, { tasks: [cancelled] }),
    planned: await makeRun(token, { status: 'planned', date: '2027-01-31' }),
    draft: await makeRun(token, {}),
  };
  await move(service, token, delivered, 'start_delivery');
  await move(service, token, delivered, 'deliver');
  await move(service, token, started, 'start_transit');
  await move(service, token, cancelled, 'cancel');
  for (const [status, run] of Object.entries(runs)) {
    t.is(at(await read(token, run), 'status'), status);
    const page = await read(token, `/delivery-runs?status=${status}`);
    t.deepEqual([at(page, 'totalItems'), at(page, 'member.0.@id')], [1, run], status);
  }
  t.is(at(await read(token, '/delivery-runs?date=2027-01-31'), 'member.0.@id'), runs.planned);
  t.is(at(await read(token, `/delivery-runs?driver=${driver}`), 'totalItems'), 2);
  t.is(at(await read(token, '/delivery-runs'), 'totalItems'), 5);
  t.is((await call(token, 'GET', '/delivery-runs?status=begun')).status, 400);
});

test('200 a PATCH accepts its own document, renames and reorders, and rejects other tasks', async (t) => {
  const { token, tasks } = await staffWithTasks(3);
  const [first = '', second = '', third = ''] = tasks;
  const run = await makeRun(token, { tasks: [first, second] });
  const before = await call(token, 'GET', run);
  const same = await call(token, 'PATCH', run, before.body);
  t.is(same.status, 200);
  t.is(same.headers.get('etag'), before.headers.get('etag'), 'nothing was changed');
  t.deepEqual(taskOrder(same.body), [first, second]);
  const changed = await call(token, 'PATCH', run, {
    name: 'Evening',
    status: 'planned',
    tasks: [second, first],
  });
  t.is(changed.status, 200);
  t.deepEqual(
    [at(changed.body, 'name'), at(changed.body, 'status'), ...taskOrder(changed.body)],
    ['Evening', 'planned', second, first],
  );
  t.is(at(changed.body, 'tasks.0.position'), 0);
  t.is((await call(token, 'PATCH', run, { tasks: [first, second, third] })).status, 422);
  t.is((await call(token, 'PATCH', run, { tasks: [first] })).status, 422);
  const readOnly = await call(token, 'PATCH', run, { reference: 'other', status: 'completed' });
  t.is(readOnly.status, 422);
  t.is(at(readOnly.body, 'violations.0.propertyPath'), 'reference');
  t.is((await call(token, 'PATCH', run, { status: 'completed' })).status, 422);
});

test('412 a stale If-Match changes nothing; 200 where only a task of the run has moved', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(2);
  const [first = '', second = ''] = tasks;
  const run = await makeRun(token, { tasks: [first] });
  const before = (await call(token, 'GET', run)).headers.get('etag') ?? '';
  const rename = (tag: string, name: string) =>
    send(service, 'PATCH', run, { token, body: { name }, headers: { 'if-match': tag } });
  await move(service, token, first, 'assign', { driver });
  const moved = (await call(token, 'GET', run)).headers.get('etag') ?? '';
  t.not(moved, before);
  t.is((await rename(before, 'in time')).status, 200);
  t.is((await rename(moved, 'late')).status, 412);
  const renamed = (await call(token, 'GET', run)).headers.get('etag') ?? '';
  await call(token, 'POST', `${run}/tasks`, { tasks: [second] });
  t.is((await rename(renamed, 'late')).status, 412, 'the tasks of a run can be edited');
  t.is(at(await read(token, run), 'name'), 'in time');
});

test('200 cancelling a run removes its tasks, and it can be planned again', async (t) => {
  const { token, tasks } = await staffWithTasks(1);
  const run = await makeRun(token, { tasks });
  const cancelled = await call(token, 'PATCH', run, { status: 'cancelled' });
  t.is(at(cancelled.body, 'status'), 'cancelled');
  t.deepEqual(taskOrder(cancelled.body), []);
  t.is((await call(token, 'POST', `${run}/tasks`, { tasks })).status, 409);
  t.is((await call(token, 'PATCH', run, { status: 'draft' })).status, 200);
  t.is((await call(token, 'POST', `${run}/tasks`, { tasks })).status, 200);
});

test('204 deleting a run frees its tasks, which keep their driver', async (t) => {
  const { token, driver, tasks } = await staffWithTasks(1);
  const run = await makeRun(token, { driver, tasks });
  t.is((await call(token, 'DELETE', run)).status, 204);
  t.is((await call(token, 'GET', run)).status, 404);
  const task = await read(token, tasks[0] ?? '');
  t.is(at(task, 'deliveryRun'), undefined);
  t.is(at(task, 'driver'), `/api/v1/drivers/${driver}`);
});

test('422 an unknown, a foreign or an unavailable driver creates no run', async (t) => {
  const { organization, token } = await staffWithTasks(0);
  const foreign = await staffWithTasks(0);
  const idle = await makeDriver(service, organization, { isAvailable: false });
  for (const driver of ['3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11', foreign.driver, idle]) {
    const answer = await call(token, 'POST', '/delivery-runs', { driver });
    t.is(answer.status, 422);
    t.is(at(answer.body, 'violations.0.propertyPath'), 'driver');
  }
  t.is(at(await read(token, '/delivery-runs'), 'totalItems'), 0);
});

test('403 a driver reads its own runs and no other, and writes none', async (t) => {
  const { organization, token } = await staffWithTasks(0);
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const driver = await makeDriver(service, organization, { userId: user.id });
  const own = await makeRun(token, { driver });
  const others = await makeRun(token, {});
  t.is((await call(user.token, 'GET', own)).status, 200);
  t.is((await call(user.token, 'GET', others)).status, 403);
  t.is((await call(user.token, 'PATCH', own, { name: 'mine' })).status, 403);
  const page = await read(user.token, '/delivery-runs');
  t.deepEqual([at(page, 'totalItems'), at(page, 'member.0.@id')], [1, own]);
  const foreign = await staffWithTasks(0);
  t.is((await call(foreign.token, 'GET', own)).status, 403);
});

test('201 the same Idempotency-Key makes one run', async (t) => {
  const { token, tasks } = await staffWithTasks(1);
  const headers = { 'idempotency-key': 'one-run' };
  const request: HttpRequest = { token, body: { tasks }, headers };
  const first = await send(service, 'POST', '/delivery-runs', request);
  const second = await send(service, 'POST', '/delivery-runs', request);
  t.deepEqual([first.status, second.status], [201, 201]);
  t.is(at(second.body, '@id'), at(first.body, '@id'));
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

function taskOrder(run: unknown): unknown[] {
  const tasks = at(run, 'tasks');
  return Array.isArray(tasks) ? tasks.map((task: unknown) => at(task, '@id')) : [];
}

function assignmentStatuses(run: unknown): unknown[] {
  const assignments = at(run, 'assignments');
  return Array.isArray(assignments) ? assignments.map((entry: unknown) => at(entry, 'status')) : [];
}
