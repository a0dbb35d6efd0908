import type { ShipmentId } from '../../domain/ids.ts';
import { execute, inTransaction } from '../../store/connection.ts';
import { storedEvents, storedTimeline, taskOf } from '../store/shipments.ts';
import type { Answering, World } from './world.ts';
import { addTask, decided, go, makeRunning, runOf, storedTransition, subjectOf, until } from './moves.ts';

/** A life of a shipment from its start to the end of its run; resolves to its id. Its history is stored and replayed. */
export type Scenario = (world: World) => Promise<ShipmentId>;

const NOBODY: Answering = () => ({ kind: 'failed', reason: 'no answer in time' });
const REFUSAL: Answering = () => ({ kind: 'answered', statusCode: 410 });

/** The scenarios whose histories every later version of the workflow code has to replay. */
export const SCENARIOS = {
  'happy-path': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, { pickupPointId: tenancy.pickupPointId });
    await go(world, tenancy, id, 'pickup', 'assign', 'start_approach', 'pick_up');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
    return ended(world, id);
  },
  'fail-and-reactivate': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'fail', 'reactivate');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_transit', 'deliver');
    return ended(world, id);
  },
  cancel: async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, { pickupPointId: tenancy.pickupPointId });
    await go(world, tenancy, id, 'pickup', 'assign', 'cancel');
    return ended(world, id);
  },
  deadline: async (world) => {
    const tenancy = await world.makeTenant();
    const soon = new Date(Date.now() + 300);
    const id = await makeRunning(world, tenancy, {
      fields: { scheduledAfter: new Date(0), scheduledBefore: soon },
    });
    await until(() => isMissed(world, id), 'no miss was written');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
    return ended(world, id);
  },
  'exhausted-webhook': async (world) => {
    const tenancy = await world.makeTenant(NOBODY);
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign');
    await until(async () => (await storedEvents(world.database, id))[0]?.status === 'dead', 'no dead letter');
    await go(world, tenancy, id, 'delivery', 'cancel');
    return ended(world, id);
  },
  'rejected-webhook': async (world) => {
    const tenancy = await world.makeTenant(REFUSAL);
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign', 'cancel');
    return ended(world, id);
  },
  'transfer-and-return': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, { pickupPointId: tenancy.pickupPointId });
    await go(world, tenancy, id, 'pickup', 'assign', 'pick_up');
    await addTask(world, tenancy, id, 'transfer');
    await go(world, tenancy, id, 'transfer', 'assign', 'start_transit', 'deliver');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'fail');
    await addTask(world, tenancy, id, 'return');
    await go(world, tenancy, id, 'return', 'assign', 'start_transit', 'deliver');
    return ended(world, id);
  },
  'slow-database': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign');
    const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
    const notice = await storedTransition(world, tenancy, id, task, 'start_delivery');
    await whileLocked(world, id, async () => {
      await world.runs.tell(await subjectOf(world, id), notice);
      // The step gives up inside the workflow task and waits as an activity, where ops see it.
      await until(async () => (await pendingActivities(world, id)).includes('applyCommand'), 'nothing waits');
    });
    await decided(world, notice.commandId);
    await go(world, tenancy, id, 'delivery', 'deliver');
    return ended(world, id);
  },
} as const satisfies Record<string, Scenario>;

/** How many events a run of the last scenario may have before it continues as new. */
export const EARLY_CONTINUATION = 40;

/** A life that goes through several runs; needs a world with `continueAsNewAfterEvents: EARLY_CONTINUATION`. */
export const CONTINUE_AS_NEW: Scenario = async (world) => {
  const tenancy = await world.makeTenant();
  const id = await makeRunning(world, tenancy);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { runId } = await runOf(world, id).describe();
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'fail', 'reactivate');
    // Four commands are more events than a run may have: it continues once its webhooks are settled.
    await until(
      async () => (await runOf(world, id).describe()).runId !== runId,
      'the run did not continue as new',
    );
  }
  await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
  return ended(world, id);
};

/** Holds the shipment's row, as a long transaction of another program would, until the work is done. */
async function whileLocked(world: World, id: ShipmentId, work: () => Promise<void>): Promise<void> {
  await inTransaction(world.database, async (transaction) => {
    await execute(transaction, 'select 1 from shipments where id = $1 for update', [id]);
    await work();
  });
}

async function pendingActivities(world: World, id: ShipmentId): Promise<(string | null | undefined)[]> {
  const { raw } = await runOf(world, id).describe();
  return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name);
}

async function isMissed(world: World, id: ShipmentId): Promise<boolean> {
  const entries = await storedTimeline(world.database, id);
  return entries.some(({ kind }) => kind === 'deadline_missed');
}

async function ended(world: World, id: ShipmentId): Promise<ShipmentId> {
  await runOf(world, id).result();
  return id;
}
