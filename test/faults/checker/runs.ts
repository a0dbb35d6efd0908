import type { Evidence } from './evidence.ts';
import type { Violation } from './history.ts';
import { isTerminal } from './shipment-model.ts';

/** A workflow task is tried again after a crash; one that is tried this often fails for a reason of its own. */
const FAILING_ATTEMPT = 4;

/**
 * Checks that each shipment has the workflow that it needs: one that runs while it can still change, none that runs after
 * its end, and no workflow task that fails again and again.
 */
export function checkRuns({ shipments, runs }: Evidence): readonly Violation[] {
  return shipments.flatMap(({ id, status }) => {
    const own = runs.filter(({ shipmentId }) => shipmentId === id);
    const running = own.filter(({ isRunning }) => isRunning).length;
    const expected = isTerminal(status) ? 0 : 1;
    const failing = own.filter(({ taskAttempt }) => taskAttempt >= FAILING_ATTEMPT);
    return [
      ...(running === expected ? [] : [`it is ${status} and has ${running} running workflows`]),
      ...failing.map(({ taskAttempt }) => `its workflow task is at attempt ${taskAttempt}`),
    ].map((evidence) => ({ property: 'no run without work', shipmentId: id, evidence }));
  });
}
