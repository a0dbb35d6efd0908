import { randomUUID } from 'node:crypto';
import test from 'ava';
import { select, selectOne } from '../../../store/connection.ts';
import { makeDriver, makePickupPoint, makeTeam, makeTeamWithDriver, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import type { TestService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

type Item = Readonly<Record<string, unknown>>;

/** An item with a key of its own, unless it has one. */
function item(task: string, transition: string, fields: Item = {}): Item {
  return { task, transition, idempotencyKey: randomUUID(), ...fields };
}

function post(token: string, items: readonly unknown[], api: TestService = service) {
  return send(api, 'POST', '/tasks/transitions', { token, body: { items } });
}

function single(token: string, { task, idempotencyKey, ...body }: Item) {
  const headers = { 'idempotency-key': String(idempotencyKey) };
  return send(service, 'POST', `${String(task)}/transition`, { token, body, headers });
}

const statuses = (body: unknown) => listAt(body, 'results').map((result) => at(result, 'status'));

async function entriesOf(iri: string, token: string): Promise<readonly unknown[]> {
  const { body } = await send(service, 'GET', iri, { token });
  return listAt(body, 'timeline').map((entry) => at(entry, 'transition') ?? at(entry, 'event'));
}

test('200 items have results in their order; a rejection skips the rest of its shipment alone', async (t) => {
  const { token, driver, organization } = await makeTeamWithDriver(service);
  const pickupPoint = await makePickupPoint(service, organization);
  const one = await makeShipment(service, token, { pickupPoint });
  const other = await makeShipment(service, token, { pickupPoint });
  const third = await makeShipment(service, token);
  const { body } = expectStatus(
    await post(token, [
      item(one.pickup ?? '', 'assign', { driver }),
      item(other.pickup ?? '', 'pick_up'),
      item(one.delivery, 'assign', { driver: `/api/v1/drivers/${driver}` }),
      item(other.delivery, 'assign', { driver }),
      item(third.delivery, 'assign', { driver: randomUUID() }),
      item(one.pickup ?? '', 'pick_up'),
    ]),
    200,
  );
  t.deepEqual(statuses(body), ['applied', 'rejected', 'applied', 'skipped', 'rejected', 'applied']);
  t.deepEqual(
    ['total', 'applied', 'rejected', 'pending', 'skipped'].map((name) => at(body, name)),
    [6, 3, 2, 0, 1],
  );
  t.is(at(body, 'results.0.task'), one.pickup);
  t.is(at(body, 'results.2.item.status'), 'assigned_waiting', 'decided after the item before it');
  t.is(at(body, 'results.1.problem.currentStatus'), 'pending');
  t.is(at(body, 'results.1.problem.status'), 409);
  t.deepEqual(violationPaths(at(body, 'results.4.problem')), ['driver']);
  t.deepEqual(Object.keys(listAt(body, 'results')[3] ?? {}), ['task', 'status']);
  t.deepEqual(await entriesOf(one.iri, token), ['created', 'assign', 'assign', 'pick_up']);
  t.deepEqual(await entriesOf(other.iri, token), ['created']);
});

test('200 a key counts for the task, by either way, whatever is sent by the other', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery, iri } = await makeShipment(service, token);
  const assign = item(delivery, 'assign', { driver });
  const first = expectStatus(await post(token, [assign]), 200);
  const again = expectStatus(await single(token, { ...assign, driver: `/api/v1/drivers/${driver}` }), 200);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  t.deepEqual(again.body, at(first.body, 'results.0.item'));
  const start = item(delivery, 'start_delivery', { comment: null });
  const started = expectStatus(await single(token, start), 200);
  await move(service, token, delivery, 'deliver');
  const repeated = expectStatus(await post(token, [assign, start]), 200);
  t.deepEqual(at(repeated.body, 'results.0.item'), at(first.body, 'results.0.item'));
  t.deepEqual(at(repeated.body, 'results.1.item'), started.body);
  t.deepEqual(await entriesOf(iri, token), ['created', 'assign', 'start_delivery', 'deliver']);
  const misused = expectStatus(await post(token, [{ ...assign, transition: 'cancel' }]), 200);
  t.deepEqual(violationPaths(at(misused.body, 'results.0.problem')), ['idempotencyKey']);
  t.is((await single(token, { ...assign, transition: 'cancel' })).status, 422);
});

test('200 of the same items at the same time, by both ways, each is applied once', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const made = await Promise.all([1, 2, 3].map(() => makeShipment(service, token)));
  const items = made.map(({ delivery }) => item(delivery, 'assign', { driver }));
  const answers = await Promise.all([
    post(token, items),
    post(token, items),
    post(token, items.toReversed()),
  ]);
  for (const { body } of answers) t.deepEqual(statuses(body), ['applied', 'applied', 'applied']);
  const rows = await select<{ count: number }>(
    service.database,
    'select count(*)::int as count from commands where shipment_id = any($1::uuid[]) group by shipment_id',
    [made.map(({ id }) => id)],
  );
  t.deepEqual(rows, [{ count: 1 }, { count: 1 }, { count: 1 }]);
});

test('422 lists all that is wrong with the body, and nothing is done', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery, iri } = await makeShipment(service, token);
  const cancel = item(delivery, 'cancel');
  const cases: readonly (readonly [readonly unknown[], readonly string[]])[] = [
    [[], ['items']],
    [Array.from({ length: 101 }, () => item(delivery, 'cancel')), ['items']],
    [
      [cancel, item(`/api/v1/tasks/${randomUUID()}`, 'cancel'), cancel],
      ['items[1].task', 'items[2].idempotencyKey'],
    ],
    [[{ ...cancel, idempotencyKey: undefined }], ['items[0].idempotencyKey']],
    [[{ ...cancel, idempotencyKey: 'clé' }], ['items[0].idempotencyKey']],
    [
      [cancel, item(delivery, 'assign'), item(delivery, 'fail')],
      ['items[1].driver', 'items[2].reason'],
    ],
    [[item('x', 'fly', { driver })], ['items[0].task', 'items[0].transition']],
  ];
  for (const [items, paths] of cases) {
    const answer = expectStatus(await post(token, items), 422);
    t.deepEqual(violationPaths(answer.body), paths);
  }
  t.deepEqual(await entriesOf(iri, token), ['created']);
});

test('403 a task of another organization, and nothing is done', async (t) => {
  const { token } = await makeTeam(service);
  const stranger = await makeTeam(service);
  const own = await makeShipment(service, token);
  const foreign = await makeShipment(service, stranger.token);
  const answer = await post(token, [item(own.delivery, 'cancel'), item(foreign.delivery, 'cancel')]);
  t.is(answer.status, 403);
  t.deepEqual(await entriesOf(own.iri, token), ['created']);
});

test('200 a driver moves its own tasks; the others are rejected one by one', async (t) => {
  const { organization, token, driver: colleague } = await makeTeamWithDriver(service);
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const driver = await makeDriver(service, organization, { userId: user.id });
  const [own, others] = [await makeShipment(service, token), await makeShipment(service, token)];
  await move(service, token, own.delivery, 'assign', { driver });
  await move(service, token, others.delivery, 'assign', { driver: colleague });
  const { body } = await post(user.token, [
    item(others.delivery, 'start_delivery'),
    item(own.delivery, 'start_delivery', { occurredAt: new Date(Date.now() - 60_000).toISOString() }),
    item(own.delivery, 'cancel'),
  ]);
  t.deepEqual(statuses(body), ['rejected', 'applied', 'rejected']);
  t.deepEqual([at(body, 'results.0.problem.status'), at(body, 'results.2.problem.status')], [403, 403]);
  t.is(at(body, 'results.0.problem.task'), undefined);
});

test('200 an item that is too old is rejected alone, unless its key has its outcome', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const [one, two] = [await makeShipment(service, token), await makeShipment(service, token)];
  const old = item(one.delivery, 'cancel', {
    occurredAt: new Date(Date.now() - 8 * 86_400_000).toISOString(),
  });
  const { body } = await post(token, [old, item(two.delivery, 'assign', { driver })]);
  t.deepEqual(statuses(body), ['rejected', 'applied']);
  t.deepEqual(violationPaths(at(body, 'results.0.problem')), ['occurredAt']);
});

test('200 a repeat gets its outcome also when the shipment was deleted since', async (t) => {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const { delivery, iri } = await makeShipment(service, token);
  const assign = item(delivery, 'assign', { driver });
  const first = await post(token, [assign]);
  expectStatus(await send(service, 'DELETE', iri, { token: admin.token }), 204);
  const again = await post(token, [assign]);
  t.deepEqual(at(again.body, 'results'), at(first.body, 'results'));
  const late = await post(token, [item(delivery, 'unassign')]);
  t.is(at(late.body, 'results.0.problem.status'), 404);
});

test('200 each item costs a unit of the budget', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const made = await Promise.all([1, 2, 3].map(() => makeShipment(service, token)));
  const left = async (items: readonly Item[]) => {
    const { headers } = expectStatus(await post(token, items), 200);
    return Number(/command-user";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  };
  const items = made.map(({ delivery }) => item(delivery, 'assign', { driver }));
  const before = await left(items.slice(0, 1));
  t.is(await left(items), before - 3);
});

test.serial(
  '200 undecided items are pending, later ones of their shipment skipped, until repeated',
  async (t) => {
    const slow = await startService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '100' } });
    t.teardown(slow.stop);
    const { token, driver, organization } = await makeTeamWithDriver(slow);
    const pickupPoint = await makePickupPoint(slow, organization);
    const { pickup = '', delivery } = await makeShipment(slow, token, { pickupPoint });
    const items = [item(pickup, 'assign', { driver }), item(delivery, 'assign', { driver })];
    const first = expectStatus(await post(token, items, slow), 200);
    t.deepEqual(statuses(first.body), ['pending', 'skipped']);
    const command = textAt(first.body, 'results.0.command');
    t.is(at((await send(slow, 'GET', command, { token })).body, 'status'), 'received');
    await slow.startWorkers();
    let answer = await post(token, items, slow);
    for (let tries = 0; tries < 100 && at(answer.body, 'applied') !== 2; tries += 1) {
      answer = await post(token, items, slow);
    }
    t.deepEqual(statuses(answer.body), ['applied', 'applied']);
    const row = await selectOne<{ count: number }>(
      slow.database,
      'select count(*)::int as count from commands',
      [],
    );
    t.is(row?.count, 2);
  },
);
