import test from 'ava';
import { makeDriver, makeTeam, makeTeamWithDriver, makeUser } from '../../harness/make.ts';
import { makeShipment, move } from '../../harness/moves.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** What drivers may do with tasks (interpretation 38). */

const service = useService();

/** A driver who signs in. */
async function signedInDriver(organization: Parameters<typeof makeUser>[1]) {
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  return { token: user.token, driver: await makeDriver(service, organization, { userId: user.id }) };
}

function post(token: string, task: string, body: unknown) {
  return send(service, 'POST', `${task}/transition`, { token, body });
}

test('200 a driver moves its own tasks', async (t) => {
  const { token, organization } = await makeTeam(service);
  const own = await signedInDriver(organization);
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver: own.driver });
  await move(service, own.token, delivery, 'start_delivery');
  const { body } = await send(service, 'GET', '/tasks', { token: own.token });
  t.deepEqual(
    listAt(body, 'member').map((task) => at(task, '@id')),
    [delivery],
  );
  t.is(at(await move(service, own.token, delivery, 'deliver'), 'status'), 'delivered');
});

test('200 a driver may deliver without a start, which is then when it ended', async (t) => {
  const { token, organization } = await makeTeam(service);
  const own = await signedInDriver(organization);
  const { iri, delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver: own.driver });
  const delivered = await move(service, own.token, delivery, 'deliver');
  t.is(at(delivered, 'status'), 'delivered');
  t.is(at(delivered, 'shipmentStatus'), 'delivered');
  const [startedAt, completedAt] = [textAt(delivered, 'startedAt'), textAt(delivered, 'completedAt')];
  t.true(startedAt <= completedAt && startedAt >= textAt(delivered, 'assignedAt'));
  const { body } = await send(service, 'GET', iri, { token });
  t.deepEqual(
    listAt(body, 'timeline').flatMap((entry) => at(entry, 'transition') ?? []),
    ['assign', 'deliver'],
  );
});

test('200 and 409 allowedTransitions are those of the caller’s role', async (t) => {
  const { token, organization } = await makeTeam(service);
  const own = await signedInDriver(organization);
  const { delivery } = await makeShipment(service, token);
  const driversOwn = ['start_delivery', 'start_delivery_approach', 'start_transit', 'deliver', 'fail'];
  const all = ['assign', 'unassign', ...driversOwn, 'cancel'];
  t.deepEqual(
    at(await move(service, token, delivery, 'assign', { driver: own.driver }), 'allowedTransitions'),
    all,
  );
  for (const [who, allowed] of [
    [token, all],
    [own.token, driversOwn],
  ] as const) {
    const read = await send(service, 'GET', delivery, { token: who });
    t.deepEqual(at(read.body, 'allowedTransitions'), allowed);
    const list = await send(service, 'GET', '/tasks', { token: who });
    t.deepEqual(at(list.body, 'member.0.allowedTransitions'), allowed);
    const conflict = await post(who, delivery, { transition: 'pick_up' });
    t.is(conflict.status, 409);
    t.deepEqual(at(conflict.body, 'allowedTransitions'), allowed);
  }
  const failed = await move(service, own.token, delivery, 'fail', { reason: 'refused' });
  t.deepEqual(at(failed, 'allowedTransitions'), []);
  t.is(at(failed, 'transition'), undefined, 'no link to what the caller may not do');
});

test('403 a driver touches no task that is not its own, and makes no transition of the staff', async (t) => {
  const { token, organization, driver } = await makeTeamWithDriver(service);
  const own = await signedInDriver(organization);
  const others = await makeShipment(service, token);
  await move(service, token, others.delivery, 'assign', { driver });
  const unassigned = await makeShipment(service, token);
  for (const { delivery } of [others, unassigned]) {
    t.is((await post(own.token, delivery, { transition: 'start_delivery' })).status, 403);
    t.is((await send(service, 'GET', delivery, { token: own.token })).status, 403);
  }
  const mine = await makeShipment(service, token);
  await move(service, token, mine.delivery, 'assign', { driver: own.driver });
  for (const body of [
    { transition: 'unassign' },
    { transition: 'cancel' },
    { transition: 'reactivate' },
    { transition: 'assign', driver },
  ]) {
    const answer = await post(own.token, mine.delivery, body);
    t.is(answer.status, 403, body.transition);
  }
  t.is((await send(service, 'PATCH', mine.delivery, { token: own.token, body: { notes: 'x' } })).status, 403);
  t.is(at((await send(service, 'GET', '/tasks', { token: own.token })).body, 'totalItems'), 1);
});
