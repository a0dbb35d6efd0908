import { setTimeout as delay } from 'node:timers/promises';
import { at, listAt, textAt } from '../../test/harness/json.ts';
import { createChoices, type Choices } from '../choices.ts';
import { RejectedError, type Ask } from '../day/ask.ts';
import { shipmentBody } from '../day/shipment-body.ts';
import { windowAround } from '../day/windows.ts';
import { distance } from '../points.ts';
import { PLACES, type World } from '../world/world.ts';
import { pointAt, step, type Drive, type Driving } from './drive.ts';

const STEP_MS = 4_000;
const METRES_PER_SECOND = 12;
/** Drivers do not all report in the same moment. */
const SPREAD_MS = 1_500;
const ORDER_EVERY_MS = 30_000;
/** So many unassigned deliveries are left for the person at the board. */
const LEFT_FOR_PEOPLE = 10;
/** Casablanca is not on the way of a driver in Algiers. */
const FARTHEST_KILOMETRES = 20;
/** Where so many wait no further order comes. */
const ENOUGH_UNASSIGNED = 60;
/** Beyond this many approvals orders come from the office alone; beyond this many failures one is tried again. */
const ENOUGH_AWAITING = 15;
const ENOUGH_FAILED = 15;

/**
 * Lets the drivers of an organization drive and deliver and lets orders come in, without end. The driver who signs in drives
 * for nobody else. What is rejected is left as it is.
 */
export async function live(ask: Ask, world: World, now: Date, log: (line: string) => void): Promise<void> {
  const choices = createChoices(now.getTime());
  const driving: Driving = {
    ask,
    choices,
    metresPerSecond: METRES_PER_SECOND,
    kilometresPerStep: (METRES_PER_SECOND * STEP_MS) / 1_000_000,
  };
  const drives = await findDrives(ask, world);
  const driveOn = (drive: Drive): Promise<never> => {
    let current = drive;
    return forever(log, async () => {
      await delay(STEP_MS + choices.fraction() * SPREAD_MS);
      current = await step(driving, current);
      if (current.stop === null) await takeWork(ask, current);
    });
  };
  const takeOrders = forever(log, async () => {
    await delay(ORDER_EVERY_MS * (0.5 + choices.fraction()));
    await order(ask, world, choices, new Date());
    await retry(ask);
  });
  await Promise.all([...drives.map(driveOn), takeOrders]);
}

/** What went wrong once may go well the next time: an unreachable service comes back, and `ask` has waited for it. */
async function forever(log: (line: string) => void, work: () => Promise<void>): Promise<never> {
  for (;;) await work().catch((error: unknown) => log(String(error)));
}

/** The available drivers of the world who do not sign in themselves, where they were last seen. */
export async function findDrives(ask: Ask, world: World): Promise<readonly Drive[]> {
  const page = await ask({
    as: 'dispatcher',
    method: 'GET',
    path: '/drivers?isAvailable=true&itemsPerPage=100',
  });
  return listAt(page, 'member').flatMap((driver): Drive[] => {
    const known = world.drivers.find(({ phoneNumber }) => phoneNumber === textAt(driver, 'phoneNumber'));
    if (known === undefined || known.hasUser) return [];
    const here = pointAt(driver, 'lastPosition') ?? known;
    return [{ iri: textAt(driver, '@id'), area: known.area, here, stop: null }];
  });
}

/** Assigns the nearest unassigned delivery to a driver who has nothing to do, unless `left` or fewer are there. */
export async function takeWork(
  ask: Ask,
  { iri, here }: Pick<Drive, 'iri' | 'here'>,
  left = LEFT_FOR_PEOPLE,
): Promise<void> {
  const mine = await ask({
    as: 'dispatcher',
    method: 'GET',
    path: `/tasks?driver=${encodeURIComponent(iri)}&status=assigned&itemsPerPage=1`,
  });
  if (Number(at(mine, 'totalItems')) > 0) return;
  const page = await unassigned(ask);
  if (Number(at(page, 'totalItems')) <= left) return;
  const [nearest] = listAt(page, 'member')
    .flatMap((task) => {
      const point = pointAt(task, 'address');
      return point === undefined
        ? []
        : [{ path: `${textAt(task, '@id')}/transition`, away: distance(here, point) }];
    })
    .sort((left, right) => left.away - right.away);
  if (nearest === undefined || nearest.away > FARTHEST_KILOMETRES) return;
  const body = { transition: 'assign', driver: iri };
  await ask({ as: 'dispatcher', method: 'POST', path: nearest.path, body }).catch(unlessRejected);
}

/** An order that comes in: a dispatcher's, or a merchant's that awaits its approval. */
export async function order(ask: Ask, world: World, choices: Choices, now: Date): Promise<void> {
  if (Number(at(await unassigned(ask), 'totalItems')) >= ENOUGH_UNASSIGNED) return;
  const area = choices.oneOf(world.drivers).area;
  const merchant = choices.oneOf(world.merchants);
  const body = shipmentBody(
    world,
    {
      index: Math.floor(now.getTime() / 1_000),
      area,
      place: choices.oneOf(PLACES[area]),
      merchant,
      hasPin: choices.happens(0.9),
      window: windowAround('soon', now, world.timezone, choices.whole(0, 3)),
    },
    choices,
  );
  const awaiting = await ask({
    as: 'dispatcher',
    method: 'GET',
    path: '/shipments?status=pending_approval&itemsPerPage=1',
  });
  const isMerchants = choices.happens(0.3) && Number(at(awaiting, 'totalItems')) < ENOUGH_AWAITING;
  const as = isMerchants ? 'merchant' : 'dispatcher';
  await ask({ as, method: 'POST', path: '/shipments', body }).catch(unlessRejected);
}

/** Tries the failed delivery again that was made first, where many have failed. */
export async function retry(ask: Ask, enough = ENOUGH_FAILED): Promise<void> {
  const path = '/tasks?type=delivery&status=failed&order[createdAt]=asc&itemsPerPage=1';
  const page = await ask({ as: 'dispatcher', method: 'GET', path });
  const [first] = listAt(page, 'member');
  if (first === undefined || Number(at(page, 'totalItems')) <= enough) return;
  const body = { transition: 'reactivate' };
  await ask({ as: 'dispatcher', method: 'POST', path: `${textAt(first, '@id')}/transition`, body }).catch(
    unlessRejected,
  );
}

function unassigned(ask: Ask): Promise<unknown> {
  return ask({
    as: 'dispatcher',
    method: 'GET',
    path: '/tasks?type=delivery&status=pending&itemsPerPage=100',
  });
}

function unlessRejected(error: unknown): void {
  if (!(error instanceof RejectedError)) throw error;
}
