import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { CommandId, DriverId, OrganizationId, ShipmentId, TaskId } from '../../domain/ids.ts';
import type { AppliedCommand } from '../../store/apply-command.ts';
import { applyCommand } from '../../store/apply-command.ts';
import { findCommand } from '../../store/commands.ts';
import { connectDatabase, execute, inTransaction, selectOne } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { recordDeadlineMissed } from '../../store/missed-deadline.ts';
import type { CommandRequest } from '../../store/locked-shipment.ts';
import { newId } from '../../store/new-id.ts';
import { makeTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';
import { makeDriver, makeOrganization, makePickupPoint } from '../harness/make.ts';
import { at } from '../harness/request.ts';
import {
  makeCommand,
  makeStoredShipment,
  shipmentRequest,
  storedEvents,
  storedState,
  storedTimeline,
  taskOf,
  transitionRequest,
} from './shipments.ts';

let testDatabase: TestDatabase;
let database: Database;
test.before(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase(testDatabase.url, { poolSize: 10, applicationName: 'test' });
});
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

interface Scene {
  readonly organizationId: OrganizationId;
  readonly driver: DriverId;
  readonly other: DriverId;
  readonly id: ShipmentId;
  readonly delivery: TaskId;
}

/** A shipment without a pickup, of an organization with webhooks and two drivers. */
async function setScene(options: { readonly hasPickup?: boolean } = {}): Promise<Scene> {
  const organization = await makeOrganization({ database }, { webhookUrl: 'https://shop.example/hook' });
  const driver = await makeDriver({ database }, organization, { firstName: 'Yanis' });
  const other = await makeDriver({ database }, organization, { firstName: 'Zoë' });
  const point = options.hasPickup === true ? await makePickupPoint({ database }, organization) : undefined;
  const id = await makeStoredShipment(
    database,
    organization.id,
    point === undefined ? {} : { pickupPointId: point },
  );
  return {
    organizationId: organization.id,
    driver,
    other,
    id,
    delivery: await taskOf(database, id, 'delivery'),
  };
}

async function apply(
  scene: Scene,
  taskId: TaskId,
  transition: string,
  driverId?: DriverId,
  more: CommandRequest = {},
) {
  const command = await makeCommand(database, scene.organizationId, scene.id, {
    kind: 'transition',
    taskId,
    request: { ...transitionRequest(transition, driverId), ...more },
  });
  const applied = await decide(command);
  return { ...applied, command: await findCommand(database, command) };
}

async function decide(command: CommandId): Promise<AppliedCommand> {
  const applied = await applyCommand(database, command);
  if (applied === undefined) throw new Error('the command is not stored');
  return applied;
}

async function mustApply(t: ExecutionContext, scene: Scene, transitions: readonly string[]): Promise<void> {
  for (const transition of transitions) {
    const { outcome, command } = await apply(scene, scene.delivery, transition, scene.driver);
    t.is(outcome, 'applied', `${transition}: ${JSON.stringify(command?.problem)}`);
  }
}

function eventBodies(events: readonly { readonly body: string }[]): unknown[] {
  return events.map(({ body }): unknown => JSON.parse(body));
}

test('of two racing deliveries exactly one wins, and the other is told the status and what is allowed', async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const scene = await setScene();
    await mustApply(t, scene, ['assign', 'start_delivery']);
    const racing = await Promise.all([0, 1].map(() => apply(scene, scene.delivery, 'deliver')));
    t.deepEqual(racing.map(({ outcome }) => outcome).sort(), ['applied', 'refused']);
    const loser = racing.find(({ outcome }) => outcome === 'refused');
    t.like(loser?.command?.problem, {
      kind: 'conflict',
      currentStatus: 'delivered',
      allowedTransitions: [],
    });
    const delivered = (await storedTimeline(database, scene.id)).filter(
      ({ transition }) => transition === 'deliver',
    );
    t.is(delivered.length, 1);
    t.is((await storedEvents(database, scene.id)).length, 3);
  }
});

test('racing opposites, deliver and cancel, leave one outcome and one set of events', async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const scene = await setScene({ hasPickup: true });
    const pickup = await taskOf(database, scene.id, 'pickup');
    await apply(scene, pickup, 'assign', scene.driver);
    const racing = await Promise.all([
      apply(scene, pickup, 'pick_up'),
      apply(scene, scene.delivery, 'cancel'),
      apply(scene, pickup, 'fail'),
    ]);
    const winners = racing.filter(({ outcome }) => outcome === 'applied');
    t.true(winners.length >= 1);
    const timeline = await storedTimeline(database, scene.id);
    t.deepEqual(
      timeline.map(({ sequence }) => sequence),
      timeline.map((_, index) => index + 1),
    );
    t.is(
      (await storedEvents(database, scene.id)).length,
      timeline.filter((e) => e.kind === 'transition').length,
    );
  }
});

test('the same command from many workers at once is applied once, and each is told the outcome', async (t) => {
  const scene = await setScene();
  const command = await makeCommand(database, scene.organizationId, scene.id, {
    kind: 'transition',
    taskId: scene.delivery,
    request: transitionRequest('assign', scene.driver),
  });
  const answers = await Promise.all(Array.from({ length: 8 }, () => decide(command)));
  t.deepEqual(new Set(answers.map(({ outcome }) => outcome)), new Set(['applied']));
  t.is((await storedEvents(database, scene.id)).length, 1);
  t.is((await storedTimeline(database, scene.id)).length, 2);
  for (const { snapshot } of answers) t.is(snapshot.pendingEventIds.length, 1);
});

test('a command that is repeated names every event that is still to be sent', async (t) => {
  const scene = await setScene();
  const first = await apply(scene, scene.delivery, 'assign', scene.driver);
  const second = await apply(scene, scene.delivery, 'start_delivery');
  t.is(second.snapshot.pendingEventIds.length, 1);
  if (first.command === undefined) return t.fail('the command vanished');
  const again = await decide(first.command.id);
  t.deepEqual(again.snapshot.pendingEventIds, [
    ...first.snapshot.pendingEventIds,
    ...second.snapshot.pendingEventIds,
  ]);
});

test('updatedAt grows by a microsecond where the clock stands behind the newest event', async (t) => {
  const scene = await setScene();
  await execute(
    database,
    `update shipments set last_event_at = '2099-12-31T23:59:59.999998Z' where id = $1`,
    [scene.id],
  );
  await mustApply(t, scene, ['assign', 'start_delivery']);
  t.deepEqual(
    (await storedEvents(database, scene.id)).map(({ updatedAt }) => updatedAt),
    ['2099-12-31T23:59:59.999999+00:00', '2100-01-01T00:00:00.000000+00:00'],
  );
});

test('a cascade gives each cancelled task an event and a moment of its own', async (t) => {
  const scene = await setScene({ hasPickup: true });
  await apply(scene, await taskOf(database, scene.id, 'pickup'), 'cancel');
  const bodies = eventBodies(await storedEvents(database, scene.id));
  t.deepEqual(
    bodies.map(
      (body) =>
        `${String(at(body, 'taskType'))} ${String(at(body, 'taskStatus'))} ${String(at(body, 'status'))}`,
    ),
    ['pickup cancelled cancelled', 'delivery cancelled cancelled'],
  );
  t.not(at(bodies[0], 'updatedAt'), at(bodies[1], 'updatedAt'));
});

test('an event names the driver that the task has, whomever the request names', async (t) => {
  const scene = await setScene();
  await apply(scene, scene.delivery, 'assign', scene.driver);
  await apply(scene, scene.delivery, 'start_delivery', scene.other);
  const bodies = eventBodies(await storedEvents(database, scene.id));
  t.deepEqual(
    bodies.map((body) => at(body, 'driverName')),
    ['Yanis Moreau', 'Yanis Moreau'],
  );
});

test('a re-assignment tells the new driver, a reactivation none', async (t) => {
  const scene = await setScene();
  await apply(scene, scene.delivery, 'assign', scene.driver);
  await apply(scene, scene.delivery, 'assign', scene.other);
  await apply(scene, scene.delivery, 'fail');
  await apply(scene, scene.delivery, 'reactivate');
  const bodies = eventBodies(await storedEvents(database, scene.id));
  t.deepEqual(
    bodies.map((body) => at(body, 'driverName')),
    ['Yanis Moreau', 'Zoë Moreau', 'Zoë Moreau', null],
  );
});

test('the same driver assigned again is applied, with neither entry nor event', async (t) => {
  const scene = await setScene();
  await mustApply(t, scene, ['assign', 'assign']);
  t.is((await storedEvents(database, scene.id)).length, 1);
  t.is((await storedTimeline(database, scene.id)).length, 2);
});

test('a driver of another organization, a deleted and an unavailable one are violations of `driver`', async (t) => {
  const scene = await setScene();
  const foreign = await makeDriver({ database }, await makeOrganization({ database }));
  const deleted = await makeDriver({ database }, { id: scene.organizationId });
  await execute(database, 'update drivers set deleted_at = clock_timestamp() where id = $1', [deleted]);
  const away = await makeDriver({ database }, { id: scene.organizationId }, { isAvailable: false });
  for (const driver of [foreign, deleted, away]) {
    const { outcome, command } = await apply(scene, scene.delivery, 'assign', driver);
    t.is(outcome, 'refused');
    t.like(command?.problem, { kind: 'invalid', violations: [{ propertyPath: 'driver' }] });
  }
  t.is((await storedState(database, scene.id)).tasks[0]?.status, 'pending');
});

test('a failure keeps its reason until the task starts over, which counts the attempt and leaves the run', async (t) => {
  const scene = await setScene();
  const read = () =>
    selectOne<Record<string, unknown>>(
      database,
      `select attempts, failure_reason as reason, failure_comment as comment, delivery_run_id as run, driver_id as driver
       from tasks where id = $1`,
      [scene.delivery],
    );
  const runId = newId<'delivery_run'>();
  await execute(
    database,
    `insert into delivery_runs (id, organization_id, reference, run_date, planning_status)
     values ($1, $2, 'RUN-1', '2026-03-01', 'planned')`,
    [runId, scene.organizationId],
  );
  await apply(scene, scene.delivery, 'assign', scene.driver);
  await execute(database, 'update tasks set delivery_run_id = $2, position = 1 where id = $1', [
    scene.delivery,
    runId,
  ]);
  await apply(scene, scene.delivery, 'fail', undefined, { reason: 'other', comment: 'the bridge was shut' });
  t.deepEqual(await read(), {
    attempts: 1,
    reason: 'other',
    comment: 'the bridge was shut',
    run: runId,
    driver: scene.driver,
  });
  await apply(scene, scene.delivery, 'reactivate');
  t.deepEqual(await read(), { attempts: 2, reason: null, comment: null, run: null, driver: null });
});

test('an approval makes tasks and deadline, once', async (t) => {
  const organization = await makeOrganization({ database }, { webhookUrl: 'https://shop.example/hook' });
  const id = await makeStoredShipment(database, organization.id, {
    awaitsApproval: true,
    fields: { priority: 'urgent' },
  });
  t.deepEqual(await storedState(database, id), { status: 'pending_approval', tasks: [] });
  for (let round = 0; round < 2; round += 1) {
    const command = await makeCommand(database, organization.id, id, { kind: 'approve' });
    t.is((await decide(command)).outcome, 'applied');
  }
  t.is((await storedState(database, id)).tasks.length, 1);
  t.deepEqual(
    (await storedTimeline(database, id)).map(({ kind }) => kind),
    ['created', 'approved'],
  );
  t.deepEqual(await storedEvents(database, id), []);
  const shipment = await selectOne<{ hours: number }>(
    database,
    `select extract(epoch from delivery_deadline - last_event_at)::float8 / 3600 as hours from shipments where id = $1`,
    [id],
  );
  t.true(Math.abs((shipment?.hours ?? 0) - 4) < 0.001);
});

test('a withdrawal cancels, hides and is harmless when repeated; afterwards nothing moves', async (t) => {
  const scene = await setScene();
  for (let round = 0; round < 2; round += 1) {
    const command = await makeCommand(database, scene.organizationId, scene.id, { kind: 'withdraw' });
    t.is((await decide(command)).outcome, 'applied');
  }
  t.is((await storedState(database, scene.id)).status, 'cancelled');
  t.deepEqual(
    (await storedTimeline(database, scene.id)).map(({ kind }) => kind),
    ['created', 'transition', 'withdrawn'],
  );
  t.is((await apply(scene, scene.delivery, 'assign', scene.driver)).outcome, 'refused');
});

test('a parcel goes by a transfer, fails at the door and goes back: every status on the way', async (t) => {
  const scene = await setScene({ hasPickup: true });
  const pickup = await taskOf(database, scene.id, 'pickup');
  const add = async (taskType: 'transfer' | 'return') => {
    const taskId = newId<'task'>();
    const { address } = shipmentRequest().recipient;
    const command = await makeCommand(database, scene.organizationId, scene.id, {
      kind: 'add_task',
      taskId,
      request: { taskType, address },
    });
    t.is((await decide(command)).outcome, 'applied');
    return taskId;
  };
  const statuses: string[] = [];
  const go = async (taskId: TaskId, ...transitions: string[]) => {
    for (const transition of transitions) {
      const { snapshot } = await apply(scene, taskId, transition, scene.driver);
      statuses.push(snapshot.status);
    }
  };
  await go(pickup, 'assign', 'pick_up');
  await go(scene.delivery, 'assign');
  await go(await add('transfer'), 'assign', 'start_transit', 'deliver');
  t.is(
    (await storedState(database, scene.id)).tasks.find((task) => task.type === 'delivery')?.status,
    'assigned',
  );
  await go(scene.delivery, 'start_delivery', 'fail');
  await go(await add('return'), 'assign', 'start_transit', 'deliver');
  t.deepEqual(statuses, [
    ...['pending', 'picked_up', 'picked_up'],
    ...['picked_up', 'in_transit', 'picked_up'],
    ...['in_transit', 'picked_up'],
    ...['picked_up', 'in_transit', 'returned'],
  ]);
  const { tasks } = await storedState(database, scene.id);
  t.deepEqual(
    tasks.map(({ type, status }) => `${type} ${status}`),
    ['pickup picked_up', 'delivery cancelled', 'transfer delivered', 'return delivered'],
  );
});

test('a command that was never stored changes nothing and is told as unknown', async (t) => {
  t.is(await applyCommand(database, newId<'command'>()), undefined);
});

test('a missed deadline is noted once, without an event, and not before it has passed', async (t) => {
  const scene = await setScene();
  const row = await selectOne<{ deadline: Date }>(
    database,
    'select delivery_deadline as deadline from shipments where id = $1',
    [scene.id],
  );
  const deadline = row?.deadline ?? new Date(0);
  const early = await recordDeadlineMissed(database, scene.id, new Date(deadline.getTime() - 1));
  t.is(early.openDeadline, deadline.toISOString());
  for (let round = 0; round < 2; round += 1) {
    t.like(await recordDeadlineMissed(database, scene.id, deadline), {
      isDeadlineMissed: true,
      openDeadline: null,
    });
  }
  t.deepEqual(
    (await storedTimeline(database, scene.id)).map(({ kind }) => kind),
    ['created', 'deadline_missed'],
  );
  t.deepEqual(await storedEvents(database, scene.id), []);
});

test('a command waits for the lock that another holds on its shipment, and judges what it finds then', async (t) => {
  const scene = await setScene();
  await mustApply(t, scene, ['assign', 'start_delivery']);
  let applying: ReturnType<typeof apply> | undefined;
  await inTransaction(database, async (transaction) => {
    await execute(transaction, 'select from shipments where id = $1 for update', [scene.id]);
    applying = apply(scene, scene.delivery, 'deliver');
    await waitUntilBlocked();
    await execute(transaction, `update tasks set status = 'failed' where id = $1`, [scene.delivery]);
  });
  const decided = await applying;
  t.is(decided?.outcome, 'refused');
  t.like(decided?.command?.problem, { kind: 'conflict', currentStatus: 'failed' });
});

/** Resolves once some connection of this database waits for a lock. */
async function waitUntilBlocked(): Promise<void> {
  for (;;) {
    const row = await selectOne<{ waiting: number }>(
      database,
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((row?.waiting ?? 0) > 0) return;
  }
}
