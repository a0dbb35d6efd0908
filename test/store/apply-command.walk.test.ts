import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import * as fc from 'fast-check';
import type { OrganizationId, PickupPointId, ShipmentId } from '../../domain/ids.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import type { ShipmentState } from '../../domain/shipment-state.ts';
import type { AssignedDriver } from '../../domain/transition.ts';
import { applyNextCommand } from '../../store/commands/apply-command.ts';
import { connectDatabase, execute, select } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import { readSnapshot } from '../../store/commands/shipment-snapshot.ts';
import { assertLaws, beginnings, requestOf, steps, take } from '../domain/walk.ts';
import type { Step } from '../domain/walk.ts';
import { makeTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';
import { makeDriver, makeOrganization, makePickupPoint } from '../harness/make.ts';
import {
  makeCommand,
  makeStoredShipment,
  shipmentRequest,
  storedEvents,
  storedState,
  storedTimeline,
  transitionRequest,
} from './shipments.ts';

const WALKS = 24;

let testDatabase: TestDatabase;
let database: Database;
test.before(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase(testDatabase.url, { poolSize: 4, applicationName: 'test' });
});
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

interface World {
  readonly organizationId: OrganizationId;
  readonly drivers: readonly [AssignedDriver, AssignedDriver];
  readonly pickupPointId: PickupPointId;
}

async function makeWorld(options: { readonly webhookUrl?: string }): Promise<World> {
  const organization = await makeOrganization({ database }, options);
  return {
    organizationId: organization.id,
    drivers: [await assignableDriver(organization, 'Ana'), await assignableDriver(organization, 'Bo')],
    pickupPointId: await makePickupPoint({ database }, organization),
  };
}

async function assignableDriver(
  organization: { id: OrganizationId },
  firstName: string,
): Promise<AssignedDriver> {
  const id = await makeDriver({ database }, organization, { firstName });
  return { id, name: `${firstName} Moreau`, isAvailable: true };
}

/** Stores the step's command, or nothing where the walk has no task to move. */
function commandOf(world: World, id: ShipmentId, before: ShipmentState, step: Step) {
  const { organizationId } = world;
  switch (step.kind) {
    case 'approve':
    case 'delete':
      return makeCommand(database, organizationId, id, { kind: step.kind });
    case 'add_task': {
      const { address } = shipmentRequest().recipient;
      const request = { taskType: step.type, address };
      return makeCommand(database, organizationId, id, {
        kind: 'add_task',
        taskId: newId<'task'>(),
        request,
      });
    }
    case 'transition': {
      const asked = requestOf(before, step, world);
      if (asked === undefined) return undefined;
      const request = transitionRequest(asked.transition, asked.driver?.id);
      return makeCommand(database, organizationId, id, { kind: 'transition', taskId: asked.taskId, request });
    }
  }
}

/** Ids of tasks that the store made cannot be foretold; everything else about them can. */
function withoutNewIds(state: ShipmentState, known: ShipmentState): unknown {
  const names = new Map(
    state.tasks.map(({ id }, index) => [
      id,
      known.tasks.some((task) => task.id === id) ? id : `new ${index}`,
    ]),
  );
  const named = (id: ShipmentState['tasks'][number]['id'] | null) => (id === null ? null : names.get(id));
  return {
    status: state.status,
    tasks: state.tasks.map((task) => ({ ...task, id: named(task.id), previousId: named(task.previousId) })),
  };
}

/** Sequence without a gap, moments that grow, one event for each notified move where the conditions hold. */
async function assertRecord(id: ShipmentId, notifies: boolean): Promise<void> {
  const timeline = await storedTimeline(database, id);
  const events = await storedEvents(database, id);
  const moves = timeline.filter(({ kind }) => kind === 'transition');
  timeline.forEach(({ sequence, recordedAt }, index) => {
    if (sequence !== index + 1) throw new Error(`entry ${index + 1} has the sequence ${sequence}`);
    const previous = timeline[index - 1];
    if (previous !== undefined && previous.recordedAt >= recordedAt) throw new Error('time stood still');
  });
  const expected = notifies ? moves.map(({ sequence }) => sequence) : [];
  if (JSON.stringify(events.map(({ sequence }) => sequence)) !== JSON.stringify(expected)) {
    throw new Error(`events ${JSON.stringify(events)} for moves ${JSON.stringify(moves)}`);
  }
  for (const event of events) {
    const move = moves.find(({ sequence }) => sequence === event.sequence);
    const body: unknown = JSON.parse(event.body);
    const told = JSON.stringify({
      ...(typeof body === 'object' ? body : {}),
      trackingNumber: '',
      driverName: '',
    });
    const recorded = JSON.stringify({
      event: 'shipment.status_changed',
      shipmentId: id,
      trackingNumber: '',
      externalReference: 'ORDER-77',
      status: move?.shipmentStatus,
      taskType: move?.taskType,
      taskStatus: move?.taskStatus,
      driverName: '',
      updatedAt: move?.recordedAt,
    });
    if (told !== recorded || event.updatedAt !== move?.recordedAt) throw new Error(`${told}\n${recorded}`);
  }
}

/** Everything that the database holds about a shipment, as one text. */
async function fingerprint(id: ShipmentId): Promise<string> {
  const rows = await select(
    database,
    `select to_jsonb(s) as row from shipments s where id = $1
     union all select to_jsonb(t) from tasks t where shipment_id = $1
     union all select to_jsonb(e) from timeline_entries e where shipment_id = $1
     union all select to_jsonb(w) from webhook_events w where shipment_id = $1
     union all select to_jsonb(c) from commands c where shipment_id = $1 order by 1`,
    [id],
  );
  return JSON.stringify(rows);
}

async function walkThrough(
  world: World,
  walk: readonly Step[],
  beginning: { readonly hasPickup: boolean; readonly awaitsApproval: boolean; readonly notifies: boolean },
): Promise<void> {
  const id = await makeStoredShipment(database, world.organizationId, {
    awaitsApproval: beginning.awaitsApproval,
    ...(beginning.hasPickup ? { pickupPointId: world.pickupPointId } : {}),
  });
  for (const step of walk) {
    const before = await storedState(database, id);
    const command = await commandOf(world, id, before, step);
    if (command === undefined) continue;
    const snapshot = (await applyNextCommand(database, id))?.snapshot;
    const stored = await storedState(database, id);
    const { after, decision } = take(before, step, {
      drivers: world.drivers,
      pickup: beginning.hasPickup ? { address: shipmentRequest().recipient.address, contact: null } : null,
      newTaskId: newId<'task'>,
    });
    assertLaws(before, stored, decision);
    if (!isDeepStrictEqual(withoutNewIds(stored, before), withoutNewIds(after, before))) {
      throw new Error(`stored ${JSON.stringify(stored)}, decided ${JSON.stringify(after)}`);
    }
    const fresh = await readSnapshot(database, id);
    if (
      JSON.stringify({ ...fresh, pendingEventIds: [] }) !==
      JSON.stringify({ ...snapshot, pendingEventIds: [] })
    ) {
      throw new Error(`told ${JSON.stringify(snapshot)}, read ${JSON.stringify(fresh)}`);
    }
    if (isTerminalShipment(stored.status) && decision.kind === 'rejected') break;
  }
  await assertRecord(id, beginning.notifies);
  const record = await fingerprint(id);
  for (let repeat = 0; repeat < 2; repeat += 1) await applyNextCommand(database, id);
  if ((await fingerprint(id)) !== record) throw new Error('a repeated command changed something');
}

const RECEIVER = 'https://shop.example/hook';

test('random walks: the store follows the table and records each transition exactly once', async (t) => {
  const world = await makeWorld({ webhookUrl: RECEIVER });
  await fc.assert(
    fc.asyncProperty(beginnings, steps, (beginning, walk) =>
      walkThrough(world, walk, { ...beginning, notifies: true }),
    ),
    { numRuns: WALKS, endOnFailure: true },
  );
  t.pass();
});

for (const [condition, sql] of [
  ['the plan has no webhooks', `update organizations set plan = 'decouverte' where id = $1`],
  ['no URL is set', 'update organizations set webhook_url = null where id = $1'],
  ['notifications are off', 'update organizations set is_webhook_enabled = false where id = $1'],
] as const) {
  test(`random walks: no event is written while ${condition}`, async (t) => {
    const world = await makeWorld({ webhookUrl: RECEIVER });
    await execute(database, sql, [world.organizationId]);
    await fc.assert(
      fc.asyncProperty(beginnings, steps, (beginning, walk) =>
        walkThrough(world, walk, { ...beginning, notifies: false }),
      ),
      { numRuns: 3, endOnFailure: true },
    );
    t.pass();
  });
}
