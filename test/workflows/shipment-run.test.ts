import test from 'ava';
import { Worker } from '@temporalio/worker';
import type { ShipmentStatus } from '../../domain/enumerations.ts';
import { execute } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import { SEARCH_ATTRIBUTES, shipmentWorkflowId, SIGNAL_NAMES } from '../../workflows/messages.ts';
import { listAt, textAt } from '../harness/json.ts';
import { workflowBundle } from '../harness/workflow-bundle.ts';
import { until } from '../harness/until.ts';
import { PERSONAL, storedEvents, storedState, storedTimeline, taskOf } from '../store/shipments.ts';
import { asJson, historiesOf } from './histories.ts';
import { CONTINUE_AS_NEW, EARLY_CONTINUATION, replayDeadLetter, SCENARIOS } from './scenarios.ts';
import type { World } from './world.ts';
import { decided, go, makeRunning, runOf, storedTransition, subjectOf } from './moves.ts';
import { makeWorld, realGround } from './world.ts';

let ground: Awaited<ReturnType<typeof realGround>>;
let world: World;
let shortRuns: World;
test.before(async () => {
  ground = await realGround();
  world = await makeWorld(ground);
  shortRuns = await makeWorld(ground, { continueAsNewAfterEvents: EARLY_CONTINUATION });
});
test.after.always(async () => {
  await world.close();
  await shortRuns.close();
  await ground.close();
});

const ENDINGS = {
  'happy-path': 'delivered',
  'fail-and-reactivate': 'delivered',
  unassign: 'delivered',
  cancel: 'cancelled',
  deadline: 'delivered',
  'exhausted-webhook': 'cancelled',
  'rejected-webhook': 'cancelled',
  'transfer-and-return': 'returned',
  'slow-database': 'delivered',
  approve: 'cancelled',
  delete: 'cancelled',
  reschedule: 'delivered',
  'external-creation': 'delivered',
  'rejected-command': 'delivered',
  'failed-command': 'delivered',
  'cancellation-request': 'delivered',
  'malformed-signals': 'delivered',
} as const satisfies Record<keyof typeof SCENARIOS, ShipmentStatus>;
const endings = new Map<string, ShipmentStatus>(Object.entries(ENDINGS));

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  test.serial(`${name}: the run ends, replays, and contains no personal data`, async (t) => {
    const id = await scenario(world);
    const { status } = await storedState(world.database, id);
    t.is(status, endings.get(name) ?? 'pending');
    const histories = await historiesOf(world, shipmentWorkflowId(id));
    t.is(histories.length, 1);
    for (const history of histories) {
      const json = asJson(history);
      const payloads = [...json.matchAll(/"data":"([^"]+)"/g)].map(([, data]) =>
        Buffer.from(data ?? '', 'base64').toString('utf8'),
      );
      for (const word of [...Object.values(PERSONAL), 'Moreau']) {
        t.false(json.includes(word) || payloads.join('\n').includes(word), word);
      }
      await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, history);
    }
  });
}

test.serial('a long life continues as new, loses no signal, and keeps what ops search by', async (t) => {
  const id = await CONTINUE_AS_NEW(shortRuns);
  const histories = await historiesOf(shortRuns, shipmentWorkflowId(id));
  t.true(histories.length >= 4, `${histories.length} runs`);
  t.is((await storedTimeline(shortRuns.database, id)).filter(({ kind }) => kind === 'transition').length, 15);
  t.is(
    (await storedEvents(shortRuns.database, id)).filter(({ status }) => status === 'delivered').length,
    15,
  );
  const described = await runOf(shortRuns, id).describe();
  const subject = await subjectOf(shortRuns, id);
  t.is(described.typedSearchAttributes.get(SEARCH_ATTRIBUTES.trackingNumber), subject.trackingNumber);
  t.is(described.typedSearchAttributes.get(SEARCH_ATTRIBUTES.organizationId), subject.organizationId);
  t.is(described.typedSearchAttributes.get(SEARCH_ATTRIBUTES.shipmentStatus), 'delivered');
});

test.serial('signals that arrive while runs continue as new are all applied, in order', async (t) => {
  const tenancy = await shortRuns.makeTenant();
  // Without events in flight a run continues as soon as it has many events, which is between any two of these signals.
  await execute(shortRuns.database, 'update organizations set is_webhook_enabled = false where id = $1', [
    tenancy.organizationId,
  ]);
  const id = await makeRunning(shortRuns, tenancy);
  const task = { id: await taskOf(shortRuns.database, id, 'delivery'), type: 'delivery' } as const;
  const subject = await subjectOf(shortRuns, id);
  const sent: string[] = [];
  for (let index = 0; index < 30; index += 1) {
    const transition = (['assign', 'fail', 'reactivate'] as const)[index % 3] ?? 'assign';
    const signal = await storedTransition(shortRuns, tenancy, id, task, transition);
    await shortRuns.workflows.signal(subject, signal);
    t.is(await decided(shortRuns, signal.commandId), 'applied');
    sent.push(signal.commandId);
  }
  const timeline = await storedTimeline(shortRuns.database, id);
  t.deepEqual(
    timeline.flatMap(({ commandId }) => commandId ?? []),
    sent,
  );
  await until(
    async () => (await historiesOf(shortRuns, shipmentWorkflowId(id))).length >= 3,
    'the run did not continue as new',
  );
});

test.serial(
  'the Web UI says of each signal what it means, and of a run and a replay how they stand',
  async (t) => {
    const id = await makeRunning(world, await world.makeTenant());
    const run: unknown = await runOf(world, id).query('__temporal_workflow_metadata');
    const signals = listAt(run, 'definition.signalDefinitions');
    t.deepEqual(signals.map((signal) => textAt(signal, 'name')).toSorted(), SIGNAL_NAMES.toSorted());
    for (const signal of signals)
      t.regex(textAt(signal, 'description'), /^Says that .+ PostgreSQL; sent by hand, /);
    t.regex(textAt(run, 'currentDetails'), /: pending\*\*/);
    const replay = world.client.workflow.getHandle(await replayDeadLetter(world));
    t.like(await replay.query('__temporal_workflow_metadata'), { currentDetails: '**Settled.**' });
    const { staticSummary, staticDetails } = await replay.describe().then(async (described) => ({
      staticSummary: await described.staticSummary(),
      staticDetails: await described.staticDetails(),
    }));
    t.regex(staticSummary ?? '', /^replay 1 of webhook event /);
    t.regex(staticDetails ?? '', /webhook-deliveries/);
  },
);

test.serial('the same signal many times over is applied once', async (t) => {
  const tenancy = await world.makeTenant();
  const id = await makeRunning(world, tenancy);
  const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
  const signal = await storedTransition(world, tenancy, id, task, 'assign');
  const subject = await subjectOf(world, id);
  await Promise.all(Array.from({ length: 6 }, () => world.workflows.signal(subject, signal)));
  await go(world, tenancy, id, 'delivery', 'start_delivery', 'deliver');
  await runOf(world, id).result();
  t.is(
    (await storedTimeline(world.database, id)).filter(({ transition }) => transition === 'assign').length,
    1,
  );
  t.is(tenancy.posts.length, 3);
});

test.serial('a signal that races the end of the run is never lost: each command is decided', async (t) => {
  const ROUNDS = 16;
  const tenancy = await world.makeTenant();
  const outcomes = await Promise.all(
    Array.from({ length: ROUNDS }, async (_, round) => {
      const id = await makeRunning(world, tenancy);
      const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
      const subject = await subjectOf(world, id);
      const ending = await storedTransition(world, tenancy, id, task, 'cancel');
      const racing = await storedTransition(world, tenancy, id, task, 'assign');
      await world.workflows.signal(subject, ending);
      // From a signal in the same task to one after the end: each round meets the run a little later.
      for (let turn = 0; turn < round; turn += 1)
        await world.client.workflow
          .getHandle('none')
          .describe()
          .catch(() => undefined);
      await world.workflows.signal(subject, racing);
      return [await decided(world, ending.commandId), await decided(world, racing.commandId)].join();
    }),
  );
  t.deepEqual(new Set(outcomes), new Set(['applied,rejected']));
});

test.serial(
  'a run that was terminated is healed by the next signal, and sends what it had not sent',
  async (t) => {
    let isOpen = false;
    const tenancy = await world.makeTenant(() => ({ kind: 'answered', statusCode: isOpen ? 200 : 500 }));
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign');
    await runOf(world, id).terminate('a test ends it');
    isOpen = true;
    await go(world, tenancy, id, 'delivery', 'start_delivery', 'deliver');
    t.is(await runOf(world, id).result(), 'delivered');
    t.deepEqual(
      (await storedEvents(world.database, id)).map(({ status }) => status),
      ['delivered', 'delivered', 'delivered'],
    );
  },
);

test.serial('a run of an unknown shipment fails for good, and says why', async (t) => {
  const id = newId<'shipment'>();
  await world.workflows.start({ id, organizationId: newId(), trackingNumber: 'TST-0', priority: 'normal' });
  const error = await t.throwsAsync(runOf(world, id).result());
  t.regex(String(error.cause), /there is no shipment/);
});

test.serial('a signal of a command that was never stored blocks nothing', async (t) => {
  const tenancy = await world.makeTenant();
  const id = await makeRunning(world, tenancy);
  await world.workflows.signal(await subjectOf(world, id), {
    name: 'approve',
    commandId: newId<'command'>(),
  });
  await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
  t.is(await runOf(world, id).result(), 'delivered');
});

test.serial('while no worker runs a command waits, and is applied once when one comes', async (t) => {
  const away = await makeWorld(ground);
  t.teardown(away.close);
  const tenancy = await away.makeTenant();
  const id = await makeRunning(away, tenancy);
  await go(away, tenancy, id, 'delivery', 'assign', 'fail', 'reactivate');
  await until(() => Promise.resolve(tenancy.posts.length === 3), 'not every event was sent');
  await away.stopWorkers();
  const task = { id: await taskOf(away.database, id, 'delivery'), type: 'delivery' } as const;
  const signal = await storedTransition(away, tenancy, id, task, 'assign');
  await away.workflows.signal(await subjectOf(away, id), signal);
  await away.workflows.signal(await subjectOf(away, id), signal);
  t.is((await storedState(away.database, id)).tasks[0]?.status, 'pending');
  await away.startWorkers();
  t.is(await decided(away, signal.commandId), 'applied');
  await until(() => Promise.resolve(tenancy.posts.length === 4), 'the event was not sent');
});

test.serial('a replay of a dead letter ends settled, and ops see no dead letter any more', async (t) => {
  const workflowId = await replayDeadLetter(world);
  t.is(await world.client.workflow.getHandle(workflowId).result(), 'settled');
  for (const history of await historiesOf(world, workflowId)) {
    await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, history);
  }
});
