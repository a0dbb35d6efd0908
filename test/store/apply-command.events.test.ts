import test from 'ava';
import { execute } from '../../store/connection.ts';
import { at } from '../harness/request.ts';
import type { Stage } from './command-stage.ts';
import { openStage } from './command-stage.ts';
import { makeCommand, storedEvents, storedTimeline, taskOf, transitionRequest } from './shipments.ts';

let stage: Stage;
test.before(async () => {
  stage = await openStage();
});
test.after.always(() => stage.close());

function eventBodies(events: readonly { readonly body: string }[]): unknown[] {
  return events.map(({ body }): unknown => JSON.parse(body));
}

test('a decision names every event that is still to be sent, and so does a later look', async (t) => {
  const scene = await stage.setScene();
  const first = await stage.apply(scene, scene.delivery, 'assign', scene.driver);
  const second = await stage.apply(scene, scene.delivery, 'start_delivery');
  t.is(first.snapshot.pendingEventIds.length, 1);
  t.is(second.snapshot.pendingEventIds.length, 2);
  await makeCommand(stage.database, scene.organizationId, scene.id, {
    kind: 'transition',
    taskId: scene.delivery,
    request: transitionRequest('deliver'),
  });
  const third = await stage.decide(scene.id);
  t.deepEqual(third.snapshot.pendingEventIds.slice(0, 2), second.snapshot.pendingEventIds);
  t.is(third.snapshot.pendingEventIds.length, 3);
});

test('updatedAt grows by a microsecond when the clock is behind the newest event', async (t) => {
  const scene = await stage.setScene();
  await execute(
    stage.database,
    `update shipments set last_event_at = '2099-12-31T23:59:59.999998Z' where id = $1`,
    [scene.id],
  );
  await stage.mustApply(t, scene, ['assign', 'start_delivery']);
  t.deepEqual(
    (await storedEvents(stage.database, scene.id)).map(({ updatedAt }) => updatedAt),
    ['2099-12-31T23:59:59.999999+00:00', '2100-01-01T00:00:00.000000+00:00'],
  );
});

test('a cascade gives each cancelled task an event and a moment of its own', async (t) => {
  const scene = await stage.setScene({ hasPickup: true });
  await stage.apply(scene, await taskOf(stage.database, scene.id, 'pickup'), 'cancel');
  const bodies = eventBodies(await storedEvents(stage.database, scene.id));
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
  const scene = await stage.setScene();
  await stage.apply(scene, scene.delivery, 'assign', scene.driver);
  await stage.apply(scene, scene.delivery, 'start_delivery', scene.other);
  const bodies = eventBodies(await storedEvents(stage.database, scene.id));
  t.deepEqual(
    bodies.map((body) => at(body, 'driverName')),
    ['Yanis Moreau', 'Yanis Moreau'],
  );
});

test('the event of a re-assignment names the new driver, that of unassign and reactivate none', async (t) => {
  const scene = await stage.setScene();
  await stage.apply(scene, scene.delivery, 'assign', scene.driver);
  await stage.apply(scene, scene.delivery, 'unassign');
  await stage.apply(scene, scene.delivery, 'assign', scene.other);
  await stage.apply(scene, scene.delivery, 'fail');
  await stage.apply(scene, scene.delivery, 'reactivate');
  const bodies = eventBodies(await storedEvents(stage.database, scene.id));
  t.deepEqual(
    bodies.map((body) => at(body, 'driverName')),
    ['Yanis Moreau', null, 'Zoë Moreau', 'Zoë Moreau', null],
  );
});

test('the same driver assigned again is applied, with neither entry nor event', async (t) => {
  const scene = await stage.setScene();
  await stage.mustApply(t, scene, ['assign', 'assign']);
  t.is((await storedEvents(stage.database, scene.id)).length, 1);
  t.is((await storedTimeline(stage.database, scene.id)).length, 2);
});
