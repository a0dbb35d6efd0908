import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, selectOne } from '../../../store/connection.ts';
import { makeDriver, makePickupPoint, makeTeamWithDriver, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** What a 409 of a transition says of the task as it is now: `changedAt`, `changedBy`, `task`. */

const service = useService();

function post(token: string, task: string, transition: string, key: string = randomUUID()) {
  const headers = { 'idempotency-key': key };
  return send(service, 'POST', `${task}/transition`, { token, body: { transition }, headers });
}

/** A team with a driver who signs in, and the names under which users are shown. */
async function team() {
  const made = await makeTeamWithDriver(service);
  const user = await makeUser(service, made.organization, 'ROLE_DRIVER');
  const own = await makeDriver(service, made.organization, { userId: user.id });
  const nameOf = async (email: string) =>
    (
      await selectOne<{ name: string }>(
        service.database,
        `select first_name || ' ' || last_name as name from users where email = $1`,
        [email],
      )
    )?.name;
  return { ...made, user, own, driverName: await nameOf(user.email) };
}

test('409 says what the task is now, since when and by whom; a repeat says what it is by then', async (t) => {
  const { token, own, user, driverName } = await team();
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver: own });
  await move(service, user.token, delivery, 'start_delivery');
  const key = randomUUID();
  const first = expectStatus(await post(token, delivery, 'unassign', key), 409);
  t.is(at(first.body, 'currentStatus'), 'delivery_in_progress');
  t.deepEqual(at(first.body, 'changedBy'), { name: driverName });
  t.deepEqual(at(first.body, 'task'), (await send(service, 'GET', delivery, { token })).body);
  t.is(at(first.body, 'changedAt'), await changeOf(delivery));
  await move(service, user.token, delivery, 'deliver');
  const again = expectStatus(await post(token, delivery, 'unassign', key), 409);
  t.is(at(again.body, 'currentStatus'), 'delivery_in_progress', 'the decision stays');
  t.is(at(again.body, 'task.status'), 'delivered');
  t.true(textAt(again.body, 'changedAt') > textAt(first.body, 'changedAt'));
  const stored = await selectOne<{ body: string }>(
    service.database,
    'select response_body as body from idempotency_keys where key = $1',
    [key],
  );
  t.deepEqual(
    ['task', 'changedAt', 'changedBy'].map((name) => at(JSON.parse(stored?.body ?? ''), name)),
    [undefined, undefined, undefined],
  );
  const ended = expectStatus(await post(token, delivery, 'cancel'), 409);
  t.is(at(ended.body, 'task.status'), 'delivered', 'also where it is rejected early');
  const batch = { items: [{ task: delivery, transition: 'unassign', idempotencyKey: key }] };
  const { body } = await send(service, 'POST', '/tasks/transitions', { token, body: batch });
  t.deepEqual(at(body, 'results.0.problem'), again.body, 'also in a batch');
});

test('409 a driver gets no names, and nothing of a task that is another’s by now', async (t) => {
  const { token, own, driver, user } = await team();
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver: own });
  const key = randomUUID();
  const first = expectStatus(await post(user.token, delivery, 'pick_up', key), 409);
  t.is(at(first.body, 'changedBy'), undefined);
  t.deepEqual(at(first.body, 'task'), (await send(service, 'GET', delivery, { token: user.token })).body);
  await move(service, token, delivery, 'assign', { driver });
  const again = expectStatus(await post(user.token, delivery, 'pick_up', key), 409);
  t.deepEqual(
    ['task', 'changedAt', 'changedBy'].map((name) => at(again.body, name)),
    [undefined, undefined, undefined],
  );
});

test('409 names the user whose act released the task, and nobody where the service did', async (t) => {
  const { token, own, user, organization, driverName } = await team();
  const pickupPoint = await makePickupPoint(service, organization);
  const { id, pickup = '', delivery } = await makeShipment(service, token, { pickupPoint });
  const made = expectStatus(await post(token, delivery, 'deliver'), 409);
  t.is(at(made.body, 'task.status'), 'waiting_for_pickup');
  await move(service, token, pickup, 'assign', { driver: own });
  await move(service, user.token, pickup, 'pick_up');
  const released = expectStatus(await post(token, delivery, 'deliver'), 409);
  t.is(at(released.body, 'task.status'), 'pending');
  t.deepEqual(at(released.body, 'changedBy'), { name: driverName });
  t.is(at(released.body, 'changedAt'), await changeOf(pickup));
  await execute(service.database, 'update timeline_entries set actor_id = null where shipment_id = $1', [id]);
  const unnamed = expectStatus(await post(token, delivery, 'deliver'), 409);
  t.deepEqual(
    [at(unnamed.body, 'changedAt'), at(unnamed.body, 'changedBy')],
    [at(released.body, 'changedAt'), undefined],
  );
});

/** When a task ended, by its timeline. */
async function changeOf(task: string): Promise<string | undefined> {
  const row = await selectOne<{ at: Date }>(
    service.database,
    `select recorded_at as at from timeline_entries where task_id = $1 order by sequence desc limit 1`,
    [task.split('/').at(-1)],
  );
  return row?.at.toISOString();
}
