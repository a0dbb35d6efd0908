import type { Clock, Later } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { RunSubject, ShipmentRuns } from '../../workflows/client/shipment-runs.ts';

/** Starts that are under way at once; the engine makes about 150 a second on two cores, so more only queue there. */
const CONCURRENT_STARTS = 16;
/** A start waits this long for company, to see whether it comes alone or at the head of a burst. */
const LOOK_AFTER_MS = 50;
/** More waiting than this, the newest of which came a moment ago, is a burst: whoever waits for an answer goes first. */
const BURST_LENGTH = 4;
const BURST_QUIET_MS = 200;
/** A burst that lasts longer than this gets its runs while it lasts, one at a time. */
const BURST_PATIENCE_MS = 3_000;

/** Starts shipments' runs behind the answer. */
export type StartSoon = (subjects: readonly RunSubject[]) => void;

/** Where time comes from. */
export interface StartTiming {
  readonly clock: Clock;
  readonly later: Later;
}

/**
 * Queues starts behind the answers. The shipment or its intake is stored already, so whatever is lost here (this
 * process, Temporal) the relay starts; failures are therefore only logged. On two cores the starts of a burst took half of
 * the time in which its requests wanted to be answered; now they follow when it has passed, or after three seconds.
 */
export function createStartSoon(
  runs: Pick<ShipmentRuns, 'start'>,
  log: Logger,
  { clock, later }: StartTiming,
): StartSoon {
  const waiting: RunSubject[] = [];
  let underWay = 0;
  let newestAtMs = 0;
  let burstBeganAtMs: number | undefined;
  let isToLookAgain = false;

  const limit = (): number => {
    const nowMs = clock().getTime();
    if (waiting.length <= BURST_LENGTH || nowMs - newestAtMs >= BURST_QUIET_MS) {
      burstBeganAtMs = undefined;
      return CONCURRENT_STARTS;
    }
    burstBeganAtMs ??= nowMs;
    return nowMs - burstBeganAtMs < BURST_PATIENCE_MS ? 0 : 1;
  };
  const start = async (subject: RunSubject): Promise<void> => {
    try {
      await runs.start(subject);
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown';
      log.warn({ shipmentId: subject.id, reason }, 'Temporal is away: the relay will start this run');
    }
  };
  const startNext = (): void => {
    while (underWay < limit()) {
      const next = waiting.shift();
      if (next === undefined) return;
      underWay += 1;
      void start(next).finally(() => {
        underWay -= 1;
        startNext();
      });
    }
    // What is under way looks for the next when it ends; where nothing is, time does.
    if (underWay === 0 && waiting.length > 0) lookAgainIn(BURST_QUIET_MS);
  };
  const lookAgainIn = (ms: number): void => {
    if (isToLookAgain) return;
    isToLookAgain = true;
    later(() => {
      isToLookAgain = false;
      startNext();
    }, ms);
  };
  return (subjects) => {
    for (const subject of subjects) waiting.push(subject);
    newestAtMs = clock().getTime();
    lookAgainIn(LOOK_AFTER_MS);
  };
}
