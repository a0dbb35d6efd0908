import { setTimeout as delay } from 'node:timers/promises';
import type { MadeShipment, Organization } from './cast.ts';
import { JOURNEY, makeOrganization, makeShipments, move } from './cast.ts';
import type { Deployment } from './deployment.ts';
import type { HttpClient } from './http-client.ts';

/** The commands of a dispatcher at work while something else happens to the service. */
export interface LiveCommands {
  /** Sends commands one after the other until `isOver`; resolves to their times in ms. */
  readonly during: (isOver: () => boolean) => Promise<readonly number[]>;
}

/** Commands are sent at this rate at most, so that they measure a load and are none. */
const INTERVAL_MS = 100;

/** Makes `count` shipments, each good for six commands, in an organization of their own. */
export async function openLiveCommands(
  deployment: Deployment,
  http: HttpClient,
  count: number,
): Promise<LiveCommands> {
  const organization = await makeOrganization(deployment);
  const steps = stepsOf(await makeShipments(deployment, http, organization, count));
  return {
    during: async (isOver) => {
      const times: number[] = [];
      while (!isOver()) times.push(await timeOfNext(http, organization, steps));
      return times;
    },
  };
}

type Step = readonly [MadeShipment, (typeof JOURNEY)[number]];

/** Each shipment's first move, then each one's second, so that a command meets a shipment without backlog. */
function stepsOf(shipments: readonly MadeShipment[]): Iterator<Step> {
  return JOURNEY.flatMap((step) => shipments.map((shipment) => [shipment, step] as const))[Symbol.iterator]();
}

async function timeOfNext(
  http: HttpClient,
  organization: Organization,
  steps: Iterator<Step>,
): Promise<number> {
  const next = steps.next();
  if (next.done === true) throw new Error('there are too few shipments for so many live commands');
  const [shipment, step] = next.value;
  const begin = performance.now();
  await move(http, organization, shipment, step);
  const elapsedMs = performance.now() - begin;
  await delay(Math.max(0, INTERVAL_MS - elapsedMs));
  return elapsedMs;
}
