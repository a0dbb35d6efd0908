import test from 'ava';
import type { TaskId } from '../../domain/ids.ts';
import { applyNextCommand } from '../../store/commands/apply-command.ts';
import { execute, selectOne } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import { makeDriver, makeOrganization } from '../harness/make.ts';
import type { Stage } from './command-stage.ts';
import { openStage } from './command-stage.ts';
import {
  makeCommand,
  makeStoredShipment,
  shipmentRequest,
  storedEvents,
  storedState,
  storedTimeline,
  taskOf,
} from './shipments.ts';

let stage: Stage;
test.before(async () => {
  stage = await openStage();
});
test.after.always(() => stage.close());

test('a foreign, a deleted and an unavailable driver are violations of `driver`', async (t) => {
  const scene = await stage.setScene();
  const foreign = await makeDriver(stage, await makeOrganization(stage));
  const deleted = await makeDriver(stage, { id: scene.organizationId });
  await execute(stage.database, 'update drivers set deleted_at = clock_timestamp() where id = $1', [deleted]);
  const away = await makeDriver(stage, { id: scene.organizationId }, { isAvailable: false });
  for (const driver of [foreign, deleted, away]) {
    const { outcome, command } = await stage.apply(scene, scene.delivery, 'assign', driver);
    t.is(outcome, 'rejected');
    t.like(command.problem, { kind: 'invalid', violations: [{ propertyPath: 'driver' }] });
  }
  t.is((await storedState(stage.database, scene.id)).tasks[0]?.status, 'pending');
});

test('a failure keeps its reason until the task starts over, which counts an attempt', async (t) => {
  const scene = await stage.setScene();
  const read = () =>
    selectOne<Record<string, unknown>>(
      stage.database,
      `select attempts, failure_reason as reason, failure_comment as comment, delivery_run_id as run, driver_id as driver
       from tasks where id = $1`,
      [scene.delivery],
    );
  const runId = newId<'delivery_run'>();
  await execute(
    stage.database,
    `insert into delivery_runs (id, organization_id, reference, run_date, planning_status)
     values ($1, $2, 'RUN-1', '2026-03-01', 'planned')`,
    [runId, scene.organizationId],
  );
  await stage.apply(scene, scene.delivery, 'assign', scene.driver);
  await execute(stage.database, 'update tasks set delivery_run_id = $2, position = 1 where id = $1', [
    scene.delivery,
    runId,
  ]);
  await stage.apply(scene, scene.delivery, 'fail', undefined, {
    reason: 'other',
    comment: 'the bridge was shut',
  });
  t.deepEqual(await read(), {
    attempts: 1,
    reason: 'other',
    comment: 'the bridge was shut',
    run: runId,
    driver: scene.driver,
  });
  await stage.apply(scene, scene.delivery, 'reactivate');
  t.deepEqual(await read(), { attempts: 2, reason: null, comment: null, run: null, driver: null });
});

test('an approval makes tasks and deadline, once', async (t) => {
  const organization = await makeOrganization(stage, { webhookUrl: 'https://shop.example/hook' });
  const id = await makeStoredShipment(stage.database, organization.id, {
    awaitsApproval: true,
    fields: { priority: 'urgent' },
  });
  t.deepEqual(await storedState(stage.database, id), { status: 'pending_approval', tasks: [] });
  for (let round = 0; round < 2; round += 1) {
    await makeCommand(stage.database, organization.id, id, { kind: 'approve' });
    t.is((await stage.decide(id)).outcome, 'applied');
  }
  t.is((await storedState(stage.database, id)).tasks.length, 1);
  t.deepEqual(
    (await storedTimeline(stage.database, id)).map(({ kind }) => kind),
    ['created', 'approved'],
  );
  t.deepEqual(await storedEvents(stage.database, id), []);
  const shipment = await selectOne<{ hours: number }>(
    stage.database,
    `select extract(epoch from delivery_deadline - last_event_at)::float8 / 3600 as hours from shipments where id = $1`,
    [id],
  );
  t.true(Math.abs((shipment?.hours ?? 0) - 4) < 0.001);
});

test('a deletion cancels, hides and is harmless when repeated; afterwards nothing moves', async (t) => {
  const scene = await stage.setScene();
  for (let round = 0; round < 2; round += 1) {
    await makeCommand(stage.database, scene.organizationId, scene.id, { kind: 'delete' });
    t.is((await stage.decide(scene.id)).outcome, 'applied');
  }
  t.is((await storedState(stage.database, scene.id)).status, 'cancelled');
  t.deepEqual(
    (await storedTimeline(stage.database, scene.id)).map(({ kind }) => kind),
    ['created', 'transition', 'deleted'],
  );
  t.is((await stage.apply(scene, scene.delivery, 'assign', scene.driver)).outcome, 'rejected');
});

test('a transfer, a failed delivery and a return give each status on the way', async (t) => {
  const scene = await stage.setScene({ hasPickup: true });
  const pickup = await taskOf(stage.database, scene.id, 'pickup');
  const add = async (taskType: 'transfer' | 'return') => {
    const taskId = newId<'task'>();
    const { address } = shipmentRequest().recipient;
    await makeCommand(stage.database, scene.organizationId, scene.id, {
      kind: 'add_task',
      taskId,
      request: { taskType, address },
    });
    t.is((await stage.decide(scene.id)).outcome, 'applied');
    return taskId;
  };
  const statuses: string[] = [];
  const go = async (taskId: TaskId, ...transitions: string[]) => {
    for (const transition of transitions) {
      const { snapshot } = await stage.apply(scene, taskId, transition, scene.driver);
      statuses.push(snapshot.status);
    }
  };
  await go(pickup, 'assign', 'pick_up');
  await go(scene.delivery, 'assign');
  await go(await add('transfer'), 'assign', 'start_transit', 'deliver');
  t.is(
    (await storedState(stage.database, scene.id)).tasks.find((task) => task.type === 'delivery')?.status,
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
  const { tasks } = await storedState(stage.database, scene.id);
  t.deepEqual(
    tasks.map(({ type, status }) => `${type} ${status}`),
    ['pickup picked_up', 'delivery cancelled', 'transfer delivered', 'return delivered'],
  );
});

test('a shipment without waiting commands is left as it is', async (t) => {
  const scene = await stage.setScene();
  t.is(await applyNextCommand(stage.database, scene.id), undefined);
  t.is(await applyNextCommand(stage.database, newId<'shipment'>()), undefined);
});
