import { createChoices, type Choices } from '../choices.ts';
import { distance, type Point } from '../points.ts';
import { PLACES, type Area, type Place, type World, type WorldDriver } from '../world/world.ts';
import { FAILURES, FATES, ruleOf, type DayShape, type Fate, type RunShape, type Step } from './fates.ts';
import { shipmentBody, type ShipmentBody } from './shipment-body.ts';
import { windowAround } from './windows.ts';

/** A step with what its request says; `driver` is a key of the world's drivers. */
export interface PlannedStep {
  readonly task: Step[0];
  readonly transition: Step[1];
  readonly driver?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A shipment to be made, and what is done with it then. */
export interface PlannedShipment {
  readonly body: ShipmentBody;
  readonly fate: Fate;
  /** A merchant's own shipments await their approval. */
  readonly createdBy: 'dispatcher' | 'merchant';
  readonly merchant: string;
  readonly pickupPoint: string | null;
  readonly driver: WorldDriver | null;
  readonly steps: readonly PlannedStep[];
}

/** A run with the references of its shipments in its order. */
export interface PlannedRun extends RunShape {
  readonly references: readonly string[];
}

/** What an organization's day is made of. */
export interface DayPlan {
  readonly shipments: readonly PlannedShipment[];
  readonly runs: readonly PlannedRun[];
  /** What the receiver answers to the event of the delivery, by reference. */
  readonly receiverAnswers: ReadonlyMap<string, number>;
}

const SEED = 16;
/** Every seventh open shipment outside of a run has no coordinates. */
const PIN_MISSING_EVERY = 7;
const MAY_MISS_PIN: readonly Fate[] = [
  'awaiting_approval',
  'unassigned',
  'late',
  'waiting_for_pickup',
  'assigned',
];
/** A driver's stops are some of the streets around where its day begins. */
const SECTOR_PLACES = 9;

/**
 * Plans an organization's day: the same shipments, people and amounts each time, with windows around `now`. Nothing of the
 * plan depends on what the service answers, so that a day that was interrupted is made further by the same requests.
 */
export function planDay(world: World, shape: DayShape, now: Date): DayPlan {
  const choices = createChoices(SEED);
  const slots = choices.shuffled(slotsOf(shape));
  const drivers = world.drivers.filter((driver) => driver.isAvailable);
  const turns = { driver: 0, pin: 0, failure: 0 };
  const members = new Map<string, { reference: string; fate: Fate; body: ShipmentBody }[]>();
  const shipments = slots.map(({ fate, run }, index): PlannedShipment => {
    const rule = ruleOf(fate);
    const isDriven = rule.steps.length > 0;
    const named = drivers.find(({ key }) => key === run?.driver);
    const driver = isDriven ? (named ?? drivers[turns.driver++ % drivers.length] ?? null) : null;
    const { area, place } = placeFor(world, fate, driver ?? runHome(world, run), index, choices);
    const point = rule.hasPickup ? pointOf(world, fate, area, choices) : null;
    const { merchants } = world;
    const merchant = merchants.find(({ name }) => name === point?.merchant) ?? choices.oneOf(merchants);
    const hasPin =
      run !== undefined || !MAY_MISS_PIN.includes(fate) || (turns.pin += 1) % PIN_MISSING_EVERY !== 0;
    const window = windowAround(rule.window, now, world.timezone, choices.whole(0, 3));
    const body = shipmentBody(world, { index, area, place, merchant, hasPin, window }, choices);
    const joined = { reference: body.externalReference, fate, body };
    if (run !== undefined) members.set(run.key, [...(members.get(run.key) ?? []), joined]);
    const isByMerchant = fate === 'awaiting_approval';
    return {
      body,
      fate,
      createdBy: isByMerchant ? 'merchant' : 'dispatcher',
      merchant: isByMerchant ? merchants[0].name : merchant.name,
      pickupPoint: point?.code ?? null,
      driver,
      steps: stepsOf(rule.steps, driver, run, body, turns),
    };
  });
  const runs = shape.runs.map((run) => ({ ...run, references: routeOf(members.get(run.key) ?? []) }));
  return { shipments, runs, receiverAnswers: receiverAnswersOf(shape, shipments, runs) };
}

/** A place in the plan: a fate, in a run or in none. */
interface Slot {
  readonly fate: Fate;
  readonly run: RunShape | undefined;
}

function slotsOf({ counts, runs }: DayShape): readonly Slot[] {
  return fatesIn(counts).flatMap(([fate, count]) => {
    const inRuns = runs.flatMap((run) =>
      Array.from({ length: run.members[fate] ?? 0 }, (): Slot => ({ fate, run })),
    );
    const others = Array.from({ length: count - inRuns.length }, (): Slot => ({ fate, run: undefined }));
    return [...inRuns, ...others];
  });
}

/** The fates of a table with their numbers, in the table's order of FATES. */
export function fatesIn(counts: DayShape['counts']): readonly (readonly [Fate, number])[] {
  return FATE_ORDER.map((fate) => [fate, counts[fate] ?? 0] as const).filter(([, count]) => count > 0);
}

const isFate = (name: string): name is Fate => name in FATES;
const FATE_ORDER = Object.keys(FATES).filter(isFate);

/** A run without a driver has its stops around the first driver's home. */
function runHome({ drivers }: World, run: RunShape | undefined): WorldDriver | null {
  return run === undefined ? null : (drivers[0] ?? null);
}

/** Near the driver who has it; where nobody has it yet, anywhere in the organization's areas. */
function placeFor(
  world: World,
  fate: Fate,
  driver: WorldDriver | null,
  index: number,
  choices: Choices,
): { readonly area: Area; readonly place: Place } {
  if (driver !== null) {
    const near = PLACES[driver.area].toSorted(
      (left, right) => distance(driver, left) - distance(driver, right),
    );
    return { area: driver.area, place: choices.oneOf(near.slice(0, SECTOR_PLACES)) };
  }
  const areas = world.drivers.map((entry) => entry.area);
  const first = world.pickupPoints[0].area;
  const area = fate === 'awaiting_approval' ? first : (areas[index % areas.length] ?? first);
  return { area, place: choices.oneOf(PLACES[area]) };
}

function pointOf({ pickupPoints }: World, fate: Fate, area: Area, choices: Choices) {
  if (fate === 'awaiting_approval') return pickupPoints[0];
  return choices.oneOf(pickupPoints.filter((point) => point.area === area));
}

/** The steps of a rule with their fields; the assignment of a run's delivery is made by the run. */
function stepsOf(
  steps: readonly Step[],
  driver: WorldDriver | null,
  run: RunShape | undefined,
  { recipient }: ShipmentBody,
  turns: { failure: number },
): readonly PlannedStep[] {
  const own = steps.filter(
    ([task, transition]) => run === undefined || task !== 'delivery' || transition !== 'assign',
  );
  return own.map(([task, transition]) => {
    const planned = { task, transition, ...(driver === null ? {} : { driver: driver.key }) };
    if (transition === 'fail')
      return { ...planned, fields: { ...FAILURES[turns.failure++ % FAILURES.length] } };
    const receivedBy = `${recipient.firstName} ${recipient.lastName}`;
    const isHandedOver = task === 'delivery' && transition === 'deliver';
    return { ...planned, fields: isHandedOver ? { proof: { receivedBy } } : {} };
  });
}

/** The stops of a run: what is over first, then what is under way, then what is to do, each from one to the nearest. */
function routeOf(stops: readonly { reference: string; fate: Fate; body: ShipmentBody }[]): readonly string[] {
  const rest = [...stops];
  const route: string[] = [];
  let here = pointOfBody(rest[0]?.body);
  while (rest.length > 0) {
    const latest = Math.max(...rest.map(({ fate }) => FATE_ORDER.indexOf(fate)));
    const candidates = rest.filter(({ fate }) => FATE_ORDER.indexOf(fate) === latest);
    const from = here;
    const [next] = candidates.toSorted(
      (left, right) => distance(from, pointOfBody(left.body)) - distance(from, pointOfBody(right.body)),
    );
    if (next === undefined) break;
    rest.splice(rest.indexOf(next), 1);
    route.push(next.reference);
    here = pointOfBody(next.body);
  }
  return route;
}

function receiverAnswersOf(
  { receiverAnswers }: DayShape,
  shipments: readonly PlannedShipment[],
  runs: readonly PlannedRun[],
): ReadonlyMap<string, number> {
  const inRuns = new Set(runs.flatMap(({ references }) => references));
  const single = shipments.filter(
    ({ fate, body }) => fate === 'delivered' && !inRuns.has(body.externalReference),
  );
  return new Map(
    receiverAnswers.map((answer, index) => [single[index]?.body.externalReference ?? '', answer]),
  );
}

function pointOfBody(body: ShipmentBody | undefined): Point {
  const { latitude = 0, longitude = 0 } = body?.recipient.address ?? {};
  return { latitude, longitude };
}
