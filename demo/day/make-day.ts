import pMap from 'p-map';
import { listOrEmpty, textAt } from '../../test/harness/json.ts';
import type { World } from '../world/world.ts';
import { RejectedError, type Ask } from './ask.ts';
import type { DayPlan, PlannedRun, PlannedShipment, PlannedStep } from './plan-day.ts';
import { makeRecords, type Records } from './records.ts';

/** What a day came to: what was made, and how many requests were rejected, because something had changed meanwhile. */
export interface DayTally {
  readonly shipments: number;
  readonly drivers: number;
  readonly runs: number;
  readonly rejected: number;
}

/** What the parts of a day share. */
interface Making {
  readonly ask: Ask;
  readonly world: World;
  readonly records: Records;
  /** The beginning of each Idempotency-Key: the same for a day that is made further. */
  readonly keyPrefix: string;
}

interface MadeShipment {
  readonly planned: PlannedShipment;
  readonly iri: string;
  readonly tasks: Map<string, string>;
}

/** So many shipments are worked on at a time: two cores have room for the users besides. */
const CONCURRENCY = 4;

/**
 * Makes a day by the service's own commands. Each request that must not be done twice has a key of its own, made of
 * `keyPrefix`, so that a day that was interrupted is made further by making it again. Rejects when the service gives no
 * answer; a rejected request leaves out the rest of its shipment.
 */
export async function makeDay(
  ask: Ask,
  world: World,
  plan: DayPlan,
  options: { readonly path: string; readonly now: Date; readonly keyPrefix: string },
): Promise<DayTally> {
  const making = {
    ask,
    world,
    keyPrefix: options.keyPrefix,
    records: await makeRecords(ask, world, options),
  };
  let rejected = 0;
  const tolerate = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      rejected += 1;
      return undefined;
    }
  };
  const attempts = await pMap(plan.shipments, (planned) => tolerate(makeShipment(making, planned)), {
    concurrency: CONCURRENCY,
  });
  const made = attempts.filter((entry) => entry !== undefined);
  const byReference = new Map(made.map((entry) => [entry.planned.body.externalReference, entry]));
  for (const run of plan.runs) await tolerate(makeRun(making, run, byReference));
  await pMap(made, (entry) => tolerate(takeSteps(making, entry)), { concurrency: CONCURRENCY });
  return { shipments: made.length, drivers: making.records.drivers.size, runs: plan.runs.length, rejected };
}

async function makeShipment(
  { ask, records, keyPrefix }: Making,
  planned: PlannedShipment,
): Promise<MadeShipment> {
  const { body, createdBy, merchant, pickupPoint } = planned;
  const made = await ask({
    as: createdBy,
    method: 'POST',
    path: '/shipments',
    key: `${keyPrefix}-${body.externalReference}`,
    body: {
      ...body,
      ...(createdBy === 'merchant' ? {} : { merchant: records.merchants.get(merchant) }),
      ...(pickupPoint === null ? {} : { pickupPoint: records.pickupPoints.get(pickupPoint) }),
    },
  });
  const tasks = listOrEmpty(made, 'tasks').map(
    (task) => [textAt(task, 'type'), textAt(task, '@id')] as const,
  );
  return { planned, iri: textAt(made, '@id'), tasks: new Map(tasks) };
}

/** Makes a run of deliveries; with a driver, they are assigned by it. */
async function makeRun(
  { ask, records, keyPrefix }: Making,
  { key, name, driver, status, isCancelled, references }: PlannedRun,
  shipments: ReadonlyMap<string, MadeShipment>,
): Promise<void> {
  const tasks = references.flatMap((reference) => shipments.get(reference)?.tasks.get('delivery') ?? []);
  const run = await ask({
    as: 'dispatcher',
    method: 'POST',
    path: '/delivery-runs',
    key: `${keyPrefix}-run-${key}`,
    body: { name, status, tasks, ...(driver === undefined ? {} : { driver: records.drivers.get(driver) }) },
  });
  if (isCancelled !== true) return;
  await ask({ as: 'dispatcher', method: 'PATCH', path: textAt(run, '@id'), body: { status: 'cancelled' } });
}

async function takeSteps(making: Making, shipment: MadeShipment): Promise<void> {
  for (const [index, step] of shipment.planned.steps.entries()) await takeStep(making, shipment, step, index);
}

async function takeStep(
  { ask, world, records, keyPrefix }: Making,
  { planned, iri, tasks }: MadeShipment,
  { task, transition, driver, fields }: PlannedStep,
  index: number,
): Promise<void> {
  const key = `${keyPrefix}-${planned.body.externalReference}-${index}`;
  if (transition === 'add') {
    const added = await ask({
      as: 'dispatcher',
      method: 'POST',
      path: '/tasks',
      key,
      body: { shipment: iri, type: task },
    });
    tasks.set(task, textAt(added, '@id'));
    return;
  }
  const assigned = transition === 'assign' ? { driver: records.drivers.get(driver ?? '') } : {};
  await ask({
    as: actorOf(world, transition, driver),
    method: 'POST',
    path: `${tasks.get(task) ?? ''}/transition`,
    key,
    body: { transition, ...assigned, ...fields },
  });
}

/** A driver who signs in reports the own work; the dispatcher does for the others, by telephone as it were. */
function actorOf(
  { drivers }: World,
  transition: string,
  driver: string | undefined,
): 'driver' | 'dispatcher' {
  const isOffice = ['assign', 'unassign', 'cancel', 'reactivate'].includes(transition);
  const hasUser = drivers.some(({ key, hasUser: signsIn }) => key === driver && signsIn);
  return hasUser && !isOffice ? 'driver' : 'dispatcher';
}
