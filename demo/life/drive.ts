import { at, listAt, textAt, textOrEmpty } from '../../test/harness/json.ts';
import type { Choices } from '../choices.ts';
import { RejectedError, type Ask } from '../day/ask.ts';
import { FAILURES } from '../day/fates.ts';
import { distance, type Point } from '../points.ts';
import { PLACES, type Area } from '../world/world.ts';

/** A driver who drives: where it is, and the stop that it is on its way to. */
export interface Drive {
  readonly iri: string;
  readonly area: Area;
  readonly here: Point;
  readonly stop: Stop | null;
}

interface Stop {
  readonly task: string;
  readonly type: string;
  readonly recipient: string;
  readonly place: Point;
}

/** What driving needs besides. */
export interface Driving {
  readonly ask: Ask;
  readonly choices: Choices;
  /** How far a driver comes in a step, in kilometres. */
  readonly kilometresPerStep: number;
  /** How far it comes in a second, in metres. */
  readonly metresPerSecond: number;
}

const START: Readonly<Record<string, string>> = { pickup: 'start_approach', delivery: 'start_delivery' };
const FINISH: Readonly<Record<string, string>> = { pickup: 'pick_up' };
const UNDER_WAY = ['pickup_in_progress', 'delivery_in_progress', 'in_transit'];
const STATUSES = ['assigned', ...UNDER_WAY].map((status) => `status[]=${status}`).join('&');
const FAILURE_RATE = 0.12;

/**
 * Makes one step of a driver: towards its stop, then what is done there; without a stop, to the next of its tasks. Resolves
 * to the driver afterwards. A rejected request, after a dispatcher took the task away for instance, ends the stop.
 */
export async function step(driving: Driving, drive: Drive): Promise<Drive> {
  try {
    if (drive.stop === null) return { ...drive, stop: await nextStop(driving, drive) };
    const there = await moveOn(driving, drive, drive.stop.place);
    if (distance(there, drive.stop.place) > 0) return { ...drive, here: there };
    await finish(driving, drive.stop);
    return { ...drive, here: there, stop: null };
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    return { ...drive, stop: null };
  }
}

/** The task that is under way, else the first of the run, else the nearest; it is started. */
async function nextStop({ ask, choices }: Driving, { iri, area, here }: Drive): Promise<Stop | null> {
  const path = `/tasks?driver=${encodeURIComponent(iri)}&${STATUSES}&itemsPerPage=100`;
  const stops = listAt(await ask({ as: 'dispatcher', method: 'GET', path }), 'member').map((task) => {
    const point = pointAt(task, 'address') ?? choices.oneOf(PLACES[area]);
    const rank = UNDER_WAY.includes(textAt(task, 'status')) ? -1 : Number(at(task, 'position') ?? Infinity);
    return { task, point, rank, kilometres: distance(here, point) };
  });
  const [next] = stops.sort((left, right) =>
    left.rank === right.rank ? left.kilometres - right.kilometres : left.rank - right.rank,
  );
  if (next === undefined) return null;
  const { task, point } = next;
  const [iriOfTask, type] = [textAt(task, '@id'), textAt(task, 'type')];
  const transition = START[type] ?? 'start_transit';
  if (textAt(task, 'status') === 'assigned')
    await ask({ as: 'dispatcher', method: 'POST', path: `${iriOfTask}/transition`, body: { transition } });
  const recipient = `${textOrEmpty(task, 'recipient.firstName')} ${textOrEmpty(task, 'recipient.lastName')}`;
  return { task: iriOfTask, type, recipient: recipient.trim(), place: point };
}

/** Reports the next position on the way. */
async function moveOn(driving: Driving, { iri, here }: Drive, place: Point): Promise<Point> {
  const { ask, kilometresPerStep, metresPerSecond: speed } = driving;
  const there = towards(here, place, kilometresPerStep);
  const body = { ...there, speed, heading: headingOf(here, place), accuracy: 8 };
  await ask({ as: 'dispatcher', method: 'POST', path: `${iri}/location`, body });
  return there;
}

/** Delivers or collects; a delivery fails now and then. */
async function finish({ ask, choices }: Driving, { task, type, recipient }: Stop): Promise<void> {
  const isFailure = type === 'delivery' && choices.happens(FAILURE_RATE);
  const proof = type === 'delivery' && recipient !== '' ? { proof: { receivedBy: recipient } } : {};
  const body = isFailure
    ? { transition: 'fail', ...choices.oneOf(FAILURES) }
    : { transition: FINISH[type] ?? 'deliver', ...proof };
  await ask({ as: 'dispatcher', method: 'POST', path: `${task}/transition`, body });
}

/** The point that lies so many kilometres further on the straight way; the place itself where that is nearer. */
export function towards(here: Point, place: Point, kilometres: number): Point {
  const whole = distance(here, place);
  if (whole <= kilometres) return place;
  const part = kilometres / whole;
  const between = (from: number, to: number): number => Math.round((from + (to - from) * part) * 1e6) / 1e6;
  return {
    latitude: between(here.latitude, place.latitude),
    longitude: between(here.longitude, place.longitude),
  };
}

/** The direction in degrees from north, clockwise. */
function headingOf(here: Point, place: Point): number {
  const north = place.latitude - here.latitude;
  const east = (place.longitude - here.longitude) * Math.cos((here.latitude * Math.PI) / 180);
  return (Math.round((Math.atan2(east, north) * 180) / Math.PI) + 360) % 360;
}

/** The point of an address or a position; undefined where it has none. */
export function pointAt(document: unknown, path: string): Point | undefined {
  const [latitude, longitude] = [at(document, `${path}.latitude`), at(document, `${path}.longitude`)];
  return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined;
}
