import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import type { HttpClient } from '../test/harness/http.ts';
import { at, textAt } from '../test/harness/json.ts';
import type { OrganizationOptions, TeamWithDriver } from '../test/harness/make.ts';
import { makePickupPoint, makeTeamWithDriver, shipmentBodyWith } from '../test/harness/make.ts';
import { until } from '../test/harness/until.ts';
import type { CaseContext } from './case.ts';
import type { BenchDeployment } from './deployment.ts';
import { repeatDuring, timed } from './pace.ts';
import { untilAllRun } from './rows.ts';

/** The body of a creation, as `POST /shipments` and `POST /external/shipments` take it. */
export const SHIPMENT_BODY = shipmentBodyWith({
  priority: 'normal',
  packageSize: 'medium',
  weight: 2.5,
  codAmount: '49.90',
});

/** Makes an organization on Pro with a signed-in dispatcher and an available driver. */
export function makeTeam(
  deployment: BenchDeployment,
  options: OrganizationOptions = {},
): Promise<TeamWithDriver> {
  return makeTeamWithDriver(deployment, 'ROLE_DISPATCHER', options);
}

/** A shipment of a team with a pickup and a delivery; both are IRIs of tasks. */
export interface MadeShipment {
  readonly team: TeamWithDriver;
  readonly id: string;
  readonly pickup: string;
  readonly delivery: string;
}

/** The moves of a shipment from the first assignment to its delivery, as the contract's typical sequence has them. */
export const JOURNEY = [
  ['pickup', 'assign'],
  ['pickup', 'start_approach'],
  ['pickup', 'pick_up'],
  ['delivery', 'assign'],
  ['delivery', 'start_delivery'],
  ['delivery', 'deliver'],
] as const;

export type Step = (typeof JOURNEY)[number];

/** Each shipment's first moves, then each one's second, so that a command meets a shipment without backlog. */
export function stepsOf(
  shipments: readonly MadeShipment[],
  journey: readonly Step[] = JOURNEY,
): readonly (readonly [MadeShipment, Step])[] {
  return journey.flatMap((step) => shipments.map((shipment) => [shipment, step] as const));
}

/** Makes shipments over HTTP and waits until a run has taken up each of them. */
export async function makeShipments(
  deployment: BenchDeployment,
  http: HttpClient,
  team: TeamWithDriver,
  count: number,
): Promise<readonly MadeShipment[]> {
  const { organization, token } = team;
  const pickupPoint = `/api/v1/pickup-points/${await makePickupPoint(deployment, organization)}`;
  const make = async (): Promise<MadeShipment> => {
    const { body } = await http.send('POST', '/shipments', {
      token,
      body: { ...SHIPMENT_BODY, pickupPoint },
    });
    const [pickup, delivery] = [textAt(body, 'tasks.0.@id'), textAt(body, 'tasks.1.@id')];
    return { team, id: textAt(body, 'id'), pickup, delivery };
  };
  const made = await pMap(new Array(count).keys(), make, { concurrency: 8 });
  await untilAllRun(deployment, organization.id);
  return made;
}

/** Sends a move. Resolves to its answer, which may be 202. */
export function sendMove(http: HttpClient, shipment: MadeShipment, [task, transition]: Step) {
  const { token, driver } = shipment.team;
  const assigned = transition === 'assign' ? { driver: `/api/v1/drivers/${driver}` } : {};
  return http.send('POST', `${shipment[task]}/transition`, { token, body: { transition, ...assigned } });
}

/** Moves a shipment's task. On a busy machine the answer may be 202; then the time until it is applied counts too. */
export async function move(http: HttpClient, shipment: MadeShipment, step: Step): Promise<void> {
  const { status, body } = await sendMove(http, shipment, step);
  if (status === 200) return;
  if (status !== 202) throw new Error(`${step[1]}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  const isApplied = async (): Promise<boolean> => {
    const found = await http.send('GET', textAt(body, '@id'), { token: shipment.team.token });
    const outcome = at(found.body, 'status');
    if (outcome !== 'applied' && outcome !== 'received') throw new Error(`a command was ${String(outcome)}`);
    return outcome === 'applied';
  };
  await until(isApplied, 'a command was not decided', { everyMs: 50, giveUpMs: 900_000 });
}

/** Makes all moves of a shipment. Resolves to how long each took, in ms. */
export async function journey(http: HttpClient, shipment: MadeShipment): Promise<readonly number[]> {
  const times: number[] = [];
  for (const step of JOURNEY) times.push(await timed(() => move(http, shipment, step)));
  return times;
}

/** Live commands are sent at this rate at most, so that they measure a load and are none. */
const LIVE_INTERVAL_MS = 100;
const ALONE_MS = 20_000;

/** The commands of a dispatcher at work, one after the other. Both resolve to their times in ms. */
export interface LiveCommands {
  /** Sends commands until some work is done. */
  readonly during: (work: Promise<unknown>) => Promise<readonly number[]>;
  /** Sends commands for a while, when nothing else happens. */
  readonly alone: () => Promise<readonly number[]>;
}

/** Makes `count` shipments of an organization of their own, each good for six live commands. */
export async function openLiveCommands(
  { deployment, isQuick }: CaseContext,
  http: HttpClient,
  count: number,
): Promise<LiveCommands> {
  const shipments = await makeShipments(deployment, http, await makeTeam(deployment), count);
  const steps = stepsOf(shipments)[Symbol.iterator]();
  const during: LiveCommands['during'] = async (work) => {
    const times: number[] = [];
    await repeatDuring(work, async () => {
      const next = steps.next();
      if (next.done === true) throw new Error('there are too few shipments for so many live commands');
      const elapsedMs = await timed(() => move(http, ...next.value));
      times.push(elapsedMs);
      await delay(Math.max(0, LIVE_INTERVAL_MS - elapsedMs));
    });
    return times;
  };
  return { during, alone: () => during(delay(isQuick ? 2_000 : ALONE_MS)) };
}
