import test, { type ExecutionContext } from 'ava';
import { createChoices } from '../../demo/choices.ts';
import { createAsk, RejectedError, type Ask } from '../../demo/day/ask.ts';
import type { DayShape } from '../../demo/day/fates.ts';
import { makeDay } from '../../demo/day/make-day.ts';
import { planDay } from '../../demo/day/plan-day.ts';
import { step, type Drive } from '../../demo/life/drive.ts';
import { findDrives, order, retry, takeWork } from '../../demo/life/live.ts';
import { ATLAS } from '../../demo/world/atlas.ts';
import { PLACES } from '../../demo/world/world.ts';
import { iriOf } from '../../domain/iri.ts';
import { execute, select } from '../../store/connection.ts';
import { makeMerchant, makeOrganization, makeUser, type MadeUser } from '../harness/make.ts';
import { at, listAt, textAt } from '../harness/json.ts';
import { useService } from '../harness/use-service.ts';

const service = useService();

/** One of each kind of work, and a run. */
const SMALL: DayShape = {
  counts: { awaiting_approval: 1, pickup_under_way: 1, assigned: 1, failed: 1, delivered: 1, returned: 1 },
  runs: [
    { key: 'run', name: 'Nord', driver: 'karim', status: 'planned', members: { assigned: 1, delivered: 1 } },
  ],
  receiverAnswers: [],
};
const MADE = [
  ...['delivery assigned', 'delivery cancelled', 'delivery delivered', 'delivery failed'],
  ...['delivery waiting_for_pickup', 'pickup picked_up', 'pickup pickup_in_progress', 'return delivered'],
];
const NOW = new Date();
const PLAN = planDay(ATLAS, SMALL, NOW);

/** An organization with the demo's first merchant and its users, who ask. */
async function makeTenant(): Promise<{ readonly ask: Ask; readonly path: string; readonly id: string }> {
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  await execute(service.database, 'update merchants set name = $2 where id = $1', [
    merchantId,
    ATLAS.merchants[0].name,
  ]);
  const [driver, shop] = [
    await makeUser(service, organization, 'ROLE_DRIVER'),
    await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId }),
  ];
  const callerOf = (name: string, { token }: MadeUser) => ({
    ...{ name, headers: { authorization: `Bearer ${token}` } },
  });
  const callers = {
    admin: callerOf('admin', await makeUser(service, organization, 'ROLE_ORG_ADMIN')),
    dispatcher: callerOf('dispatcher', await makeUser(service, organization, 'ROLE_DISPATCHER')),
    merchant: callerOf('merchant', shop),
    driver: callerOf('driver', driver),
  };
  const ask = createAsk(
    service.baseUrl,
    () => callers,
    () => undefined,
  );
  const [{ firstName, lastName, phoneNumber } = { firstName: '', lastName: '', phoneNumber: '' }] =
    ATLAS.drivers;
  const body = { firstName, lastName, phoneNumber, user: iriOf('user', driver.id) };
  await ask({ as: 'admin', method: 'POST', path: '/drivers', body });
  return { ask, path: `/organizations/${organization.id}`, id: organization.id };
}

/** What a tenant has, as rows that would grow or change if anything were done twice. */
async function rowsOf(organizationId: string): Promise<unknown> {
  const tables = [
    'shipments',
    'tasks',
    'drivers',
    'delivery_runs',
    'merchants',
    'pickup_points',
    'zones',
    'commands',
  ];
  const counts = tables.map((table) =>
    select(service.database, `select count(*)::int as n from ${table} where organization_id = $1`, [
      organizationId,
    ]),
  );
  const states = select(
    service.database,
    'select id, status, driver_id, delivery_run_id, position, attempts from tasks where organization_id = $1 order by id',
    [organizationId],
  );
  return Promise.all([...counts, states]);
}

async function makeSmallDay(ask: Ask, path: string) {
  return makeDay(ask, ATLAS, PLAN, { path, now: NOW, keyPrefix: 'day' });
}

async function taskStatuses(ask: Ask): Promise<readonly string[]> {
  const page = await ask({ as: 'dispatcher', method: 'GET', path: '/tasks?itemsPerPage=100' });
  return listAt(page, 'member')
    .map((task) => `${textAt(task, 'type')} ${textAt(task, 'status')}`)
    .sort();
}

test('a day is made as planned, and making it again makes nothing', async (t: ExecutionContext) => {
  const { ask, path, id } = await makeTenant();
  const tally = await makeSmallDay(ask, path);
  t.deepEqual(tally, { shipments: 6, drivers: 7, runs: 1, rejected: 0 });
  t.deepEqual(await taskStatuses(ask), MADE);
  const waiting = await ask({ as: 'admin', method: 'GET', path: '/shipments?status=pending_approval' });
  t.is(at(waiting, 'totalItems'), 1);
  const before = await rowsOf(id);
  t.deepEqual(await makeSmallDay(ask, path), tally);
  t.deepEqual(await rowsOf(id), before);
});

test('a day that was interrupted is made further, and comes to the same', async (t) => {
  const { ask, path } = await makeTenant();
  let left = 25;
  const interrupted: Ask = async (question) => {
    left -= 1;
    if (left < 0) throw new Error('The process has ended.');
    return ask(question);
  };
  await t.throwsAsync(makeSmallDay(interrupted, path), { message: 'The process has ended.' });
  const { shipments, rejected } = await makeSmallDay(ask, path);
  t.deepEqual([shipments, rejected], [6, 0]);
  t.deepEqual(await taskStatuses(ask), MADE);
  t.is(at(await ask({ as: 'admin', method: 'GET', path: '/delivery-runs' }), 'totalItems'), 1);
});

test('a step that became impossible meanwhile leaves out the rest of its shipment alone', async (t) => {
  const { ask, path } = await makeTenant();
  let isFirst = true;
  const disturbed: Ask = async (question) => {
    if (isFirst && JSON.stringify(question.body ?? {}).includes('start_approach')) {
      isFirst = false;
      throw new RejectedError('409');
    }
    return ask(question);
  };
  const tally = await makeDay(disturbed, ATLAS, PLAN, { path, now: NOW, keyPrefix: 'day' });
  t.deepEqual([tally.shipments, tally.rejected], [6, 1]);
});

test('a driver starts the next task, moves to it and ends it; of many failures one is tried again', async (t) => {
  const { ask, path } = await makeTenant();
  await makeSmallDay(ask, path);
  const choices = { ...createChoices(1), happens: () => false };
  const driving = { ask, choices, kilometresPerStep: 1, metresPerSecond: 12 };
  const drives = await findDrives(ask, ATLAS);
  t.is(drives.length, 5, 'neither the driver who signs in nor the one who is not available');
  const statuses: string[] = [];
  for (const drive of drives) {
    let current: Drive = drive;
    do {
      current = await step(driving, current);
      statuses.push(current.stop === null ? 'free' : 'on the way');
    } while (current.stop !== null);
    const shown = await ask({ as: 'admin', method: 'GET', path: drive.iri });
    t.is(at(shown, 'lastPosition.latitude'), current.here.latitude);
  }
  t.true(statuses.includes('on the way'));
  t.false((await taskStatuses(ask)).includes('delivery assigned'));
  await retry(ask, 1);
  t.true((await taskStatuses(ask)).includes('delivery failed'), 'one failure is not many');
  await retry(ask, 0);
  t.false((await taskStatuses(ask)).includes('delivery failed'));
});

test('an order comes in, and the nearest goes to a driver without work, unless few are left', async (t) => {
  const { ask } = await makeTenant();
  const [place] = PLACES.paris;
  if (place === undefined) throw new Error('Paris has no streets');
  // Never by the merchant, always with a pin.
  const choices = { ...createChoices(3), happens: (probability: number) => probability > 0.5 };
  for (const count of [1, 2]) {
    await order(ask, ATLAS, choices, new Date(NOW.getTime() + count * 1_000));
    const page = await ask({ as: 'admin', method: 'GET', path: '/shipments?status=pending' });
    t.is(at(page, 'totalItems'), count);
  }
  const [driver] = listAt(await ask({ as: 'admin', method: 'GET', path: '/drivers' }), 'member');
  const drive = { iri: textAt(driver, '@id'), here: place };
  const assigned = async () =>
    at(await ask({ as: 'admin', method: 'GET', path: '/tasks?status=assigned' }), 'totalItems');
  await takeWork(ask, drive, 2);
  t.is(await assigned(), 0, 'two are left for people');
  await takeWork(ask, drive, 1);
  t.is(await assigned(), 1);
  await takeWork(ask, drive, 0);
  t.is(await assigned(), 1, 'the driver has work');
});
