import test from 'ava';
import { selectOne } from '../../store/connection.ts';
import { recordDeadlineMissed } from '../../store/commands/record-deadline-missed.ts';
import type { Stage } from './command-stage.ts';
import { openStage } from './command-stage.ts';
import { storedEvents, storedTimeline } from './shipments.ts';

let stage: Stage;
test.before(async () => {
  stage = await openStage();
});
test.after.always(() => stage.close());

test('a missed deadline is recorded once, with its due time, and not before it has passed', async (t) => {
  const scene = await stage.setScene();
  const row = await selectOne<{ deadline: Date }>(
    stage.database,
    'select delivery_deadline as deadline from shipments where id = $1',
    [scene.id],
  );
  const deadline = row?.deadline ?? new Date(0);
  const early = await recordDeadlineMissed(stage.database, scene.id, new Date(deadline.getTime() - 1));
  t.is(early.deadline?.due, deadline.toISOString());
  for (let round = 0; round < 2; round += 1) {
    t.like(await recordDeadlineMissed(stage.database, scene.id, deadline), {
      isDeadlineMissed: true,
      deadline: null,
    });
  }
  t.deepEqual(
    (await storedTimeline(stage.database, scene.id)).map(({ kind }) => kind),
    ['created', 'deadline_missed'],
  );
  const entry = await selectOne<{ occurredAt: Date }>(
    stage.database,
    `select occurred_at as "occurredAt" from timeline_entries where shipment_id = $1 and kind = 'deadline_missed'`,
    [scene.id],
  );
  t.deepEqual(entry?.occurredAt, deadline, 'the entry has the moment when the delivery was due');
  const events = await storedEvents(stage.database, scene.id);
  t.false(
    events.some(({ kind }) => kind === 'shipment.status_changed'),
    'a deadline is no transition',
  );
});
