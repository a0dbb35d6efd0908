import type { Logger } from '../../platform/log.ts';
import type { RunSubject, ShipmentRuns } from '../../workflows/client/shipment-runs.ts';

/** Starts that are under way at once; the engine makes about 150 a second on two cores, so more only queue there. */
const CONCURRENT_STARTS = 16;

/** Starts a shipment's run behind the answer. */
export type StartSoon = (subject: RunSubject) => void;

/**
 * Queues starts behind the answers. The shipment or its intake is stored already, so whatever is lost here (this
 * process, Temporal) the relay starts; failures are therefore only logged.
 */
export function createStartSoon(runs: ShipmentRuns, log: Logger): StartSoon {
  const waiting: RunSubject[] = [];
  let underWay = 0;
  const start = async (subject: RunSubject): Promise<void> => {
    try {
      await runs.start(subject);
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown';
      log.warn({ shipmentId: subject.id, reason }, 'Temporal is away: the relay will start this run');
    }
  };
  const startNext = (): void => {
    const next = underWay < CONCURRENT_STARTS ? waiting.shift() : undefined;
    if (next === undefined) return;
    underWay += 1;
    void start(next).finally(() => {
      underWay -= 1;
      startNext();
    });
  };
  return (subject) => {
    waiting.push(subject);
    startNext();
  };
}
