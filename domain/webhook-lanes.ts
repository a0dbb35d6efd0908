export const WEBHOOK_LANE_NAMES = ['live', 'slow', 'replay', 'test'] as const;
export type WebhookLane = (typeof WEBHOOK_LANE_NAMES)[number];

/**
 * Where webhook events wait for their turn (decision 0016). A lane is a task queue with slots of its own in each worker
 * process; an event that waits in its queue holds none.
 */
export const WEBHOOK_LANES = {
  /** The first delivery of an event. An endpoint holds at most so many slots in all worker processes together. */
  live: {
    queue: 'webhooks',
    slotsPerConnection: 10,
    slotsPerEndpoint: 8,
    polls: 5,
    attemptsPerSecondPerConnection: null,
  },
  /** Events that found the slots of their endpoint taken, or whose endpoint does not answer soon. */
  slow: {
    queue: 'webhooks-slow',
    slotsPerConnection: 3,
    slotsPerEndpoint: null,
    polls: 2,
    attemptsPerSecondPerConnection: 1,
  },
  /** Events that are delivered again on request. */
  replay: {
    queue: 'webhooks-replay',
    slotsPerConnection: 1,
    slotsPerEndpoint: null,
    polls: 2,
    attemptsPerSecondPerConnection: null,
  },
  /** Test events, so that a repaired receiver can be tried while thousands of events wait for it. */
  test: {
    queue: 'webhooks-test',
    slotsPerConnection: 0.5,
    slotsPerEndpoint: null,
    polls: 2,
    attemptsPerSecondPerConnection: null,
  },
} as const satisfies Record<WebhookLane, WebhookLaneRule>;

interface WebhookLaneRule {
  /** What follows the worker's task queue in the lane's name. */
  readonly queue: string;
  /** Slots in one worker process for each connection of its database pool. An attempt holds none while it waits. */
  readonly slotsPerConnection: number;
  /** Slots that one endpoint may hold at a time; null where the queue alone orders them. */
  readonly slotsPerEndpoint: number | null;
  /** Tasks of the lane that one worker process asks for at a time. */
  readonly polls: number;
  /**
   * Attempts that one worker process begins each second, for each connection of its database pool; null where the slots
   * alone limit them. Attempts that fail within a millisecond would otherwise take the processors from live events.
   */
  readonly attemptsPerSecondPerConnection: number | null;
}

/**
 * An endpoint whose attempt took this long, or got no answer, is slow until an attempt is answered sooner: its next events
 * go to the slow lane.
 */
export const SLOW_ATTEMPT_MS = 5_000;

/** How many attempts of the lane one worker process makes at the same time. */
export function laneSlots(lane: WebhookLane, databasePoolSize: number): number {
  return Math.max(1, Math.floor(WEBHOOK_LANES[lane].slotsPerConnection * databasePoolSize));
}

/** How many attempts of the lane one worker process begins each second at most, as an option of its worker. */
export function laneRate(
  lane: WebhookLane,
  databasePoolSize: number,
): { readonly maxActivitiesPerSecond?: number } {
  const { attemptsPerSecondPerConnection: perConnection } = WEBHOOK_LANES[lane];
  return perConnection === null ? {} : { maxActivitiesPerSecond: perConnection * databasePoolSize };
}
