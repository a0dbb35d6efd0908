import type { ReceiverAnswer } from '../harness/receiver.ts';
import type { Durations, Fault } from './faults.ts';
import { SERVER_FAULTS, together } from './faults.ts';
import { randomOf } from './random.ts';
import type { RoundPlan } from './round.ts';
import { WORKFLOW_FAULTS } from './workflow-faults.ts';

/** What a run does, in order. */
export interface Schedule {
  readonly rounds: readonly RoundPlan[];
  readonly orderCase: { readonly shipments: number; readonly frozenMs: number };
  readonly receiverFailures: readonly ReceiverAnswer[];
}

const LONG: Durations = { outageMs: 30_000, disturbanceMs: 10_000 };
const SHORT: Durations = { outageMs: 5_000, disturbanceMs: 4_000 };
const COMBINATIONS = 3;

/** The faults of both versions in the order that the seed gives, and how many shipments are driven in each round. */
export function scheduleOf(seed: number, isShort: boolean): Schedule {
  return isShort ? shortSchedule(seed) : longSchedule(seed);
}

function longSchedule(seed: number): Schedule {
  const random = randomOf(seed, 'schedule');
  const combined = [
    SERVER_FAULTS.apiKilled,
    SERVER_FAULTS.workerKilled,
    SERVER_FAULTS.temporalKilled,
    SERVER_FAULTS.backendsKilled,
    SERVER_FAULTS.receiverFails,
  ];
  const combinations = Array.from({ length: COMBINATIONS }, () => {
    const [one = SERVER_FAULTS.apiKilled, other = SERVER_FAULTS.workerKilled] = random.shuffle(combined);
    return together(one, other);
  });
  const faults: readonly Fault[] = [
    ...Object.values(SERVER_FAULTS),
    ...Object.values(WORKFLOW_FAULTS),
    ...combinations,
  ];
  return {
    rounds: random.shuffle(faults).map((fault) => planOf(fault, 10, LONG, 1_200)),
    orderCase: { shipments: 20, frozenMs: LONG.outageMs },
    receiverFailures: [500, 503, 500, 503, 'hang_up', 'hang_up', 'hang_up', 403, 'silence'],
  };
}

function shortSchedule(seed: number): Schedule {
  const random = randomOf(seed, 'schedule');
  const server = random.shuffle([
    SERVER_FAULTS.apiKilled,
    SERVER_FAULTS.temporalKilled,
    SERVER_FAULTS.postgresKilled,
    SERVER_FAULTS.postgresReadOnly,
    SERVER_FAULTS.outOfConnections,
    SERVER_FAULTS.backendsKilled,
  ]);
  const workflow = random.pick([WORKFLOW_FAULTS.cancelled, WORKFLOW_FAULTS.reset, WORKFLOW_FAULTS.garbage]);
  const [one = SERVER_FAULTS.apiKilled, other = SERVER_FAULTS.backendsKilled] = server;
  const faults: readonly Fault[] = [one, other, SERVER_FAULTS.workerKilled, workflow];
  return {
    rounds: [...random.shuffle(faults), SERVER_FAULTS.receiverFails].map((fault) =>
      planOf(fault, 6, SHORT, 300),
    ),
    orderCase: { shipments: 8, frozenMs: SHORT.outageMs },
    receiverFailures: [500, 503, 'hang_up', 403],
  };
}

function planOf(fault: Fault, shipments: number, durations: Durations, pauseMs: number): RoundPlan {
  return { name: fault.name, fault, shipments, durations, pauseMs };
}
