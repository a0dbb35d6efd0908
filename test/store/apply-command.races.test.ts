import test from 'ava';
import { execute, inTransaction, selectOne } from '../../store/connection.ts';
import { applyNextCommand } from '../../store/commands/apply-command.ts';
import type { Stage } from './command-stage.ts';
import { openStage } from './command-stage.ts';
import { makeCommand, storedEvents, storedTimeline, taskOf, transitionRequest } from './shipments.ts';

let stage: Stage;
test.before(async () => {
  stage = await openStage();
});
test.after.always(() => stage.close());

test('of two racing deliveries exactly one wins; the other gets the status and what is allowed', async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const scene = await stage.setScene();
    await stage.mustApply(t, scene, ['assign', 'start_delivery']);
    const racing = await Promise.all([0, 1].map(() => stage.apply(scene, scene.delivery, 'deliver')));
    t.deepEqual(racing.map(({ outcome }) => outcome).sort(), ['applied', 'rejected']);
    const loser = racing.find(({ outcome }) => outcome === 'rejected');
    t.like(loser?.command.problem, {
      kind: 'conflict',
      currentStatus: 'delivered',
      allowedTransitions: [],
    });
    const delivered = (await storedTimeline(stage.database, scene.id)).filter(
      ({ transition }) => transition === 'deliver',
    );
    t.is(delivered.length, 1);
    t.is((await storedEvents(stage.database, scene.id)).length, 3);
  }
});

test('racing opposites, deliver and cancel, leave one outcome and one set of events', async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const scene = await stage.setScene({ hasPickup: true });
    const pickup = await taskOf(stage.database, scene.id, 'pickup');
    await stage.apply(scene, pickup, 'assign', scene.driver);
    const racing = await Promise.all([
      stage.apply(scene, pickup, 'pick_up'),
      stage.apply(scene, scene.delivery, 'cancel'),
      stage.apply(scene, pickup, 'fail'),
    ]);
    const winners = racing.filter(({ outcome }) => outcome === 'applied');
    t.true(winners.length >= 1);
    const timeline = await storedTimeline(stage.database, scene.id);
    t.deepEqual(
      timeline.map(({ sequence }) => sequence),
      timeline.map((_, index) => index + 1),
    );
    t.is(
      (await storedEvents(stage.database, scene.id)).length,
      timeline.filter((e) => e.kind === 'transition').length,
    );
  }
});

test('a command is applied once by many workers, and the others find nothing to do', async (t) => {
  const scene = await stage.setScene();
  await makeCommand(stage.database, scene.organizationId, scene.id, {
    kind: 'transition',
    taskId: scene.delivery,
    request: transitionRequest('assign', scene.driver),
  });
  const results = await Promise.all(
    Array.from({ length: 8 }, () => applyNextCommand(stage.database, scene.id)),
  );
  t.deepEqual(
    results.flatMap((result) => result?.outcome ?? []),
    ['applied'],
  );
  t.is((await storedEvents(stage.database, scene.id)).length, 1);
  t.is((await storedTimeline(stage.database, scene.id)).length, 2);
});

test('a command waits for the lock on its shipment and decides by the state after it', async (t) => {
  const scene = await stage.setScene();
  await stage.mustApply(t, scene, ['assign', 'start_delivery']);
  let applying: ReturnType<Stage['apply']> | undefined;
  await inTransaction(stage.database, async (transaction) => {
    await execute(transaction, 'select from shipments where id = $1 for update', [scene.id]);
    applying = stage.apply(scene, scene.delivery, 'deliver');
    await waitUntilBlocked();
    await execute(transaction, `update tasks set status = 'failed' where id = $1`, [scene.delivery]);
  });
  const decided = await applying;
  t.is(decided?.outcome, 'rejected');
  t.like(decided?.command.problem, { kind: 'conflict', currentStatus: 'failed' });
});

/** Resolves once some connection of this database waits for a lock. */
async function waitUntilBlocked(): Promise<void> {
  for (;;) {
    const row = await selectOne<{ waiting: number }>(
      stage.database,
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((row?.waiting ?? 0) > 0) return;
  }
}
