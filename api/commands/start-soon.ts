import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { RunSubject, ShipmentRuns } from '../../workflows/client/shipment-runs.ts';

/** Starts that are under way at once; the engine makes about 150 a second on two cores, so more only queue there. */
const CONCURRENT_STARTS = 16;
/** While a burst comes in, few: whoever waits for an answer goes before a run that nobody waits for yet. */
const CONCURRENT_STARTS_IN_BURST = 2;
/** More waiting than this, the newest of which came a moment ago, is a burst. */
const BURST_LENGTH = 16;
const BURST_QUIET_MS = 200;

/** Starts a shipment's run behind the answer. */
export type StartSoon = (subject: RunSubject) => void;

/**
 * Queues starts behind the answers. The shipment or its intake is stored already, so whatever is lost here (this
 * process, Temporal) the relay starts; failures are therefore only logged.
 */
export function createStartSoon(runs: Pick<ShipmentRuns, 'start'>, log: Logger, clock: Clock): StartSoon {
  const waiting: RunSubject[] = [];
  let underWay = 0;
  let newestAtMs = 0;
  const limit = (): number =>
    waiting.length > BURST_LENGTH && clock().getTime() - newestAtMs < BURST_QUIET_MS
      ? CONCURRENT_STARTS_IN_BURST
      : CONCURRENT_STARTS;
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
  };
  return (subject) => {
    waiting.push(subject);
    newestAtMs = clock().getTime();
    startNext();
  };
}
