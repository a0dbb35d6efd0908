import { setTimeout as delay } from 'node:timers/promises';
import type { ShipmentId } from '../../domain/ids.ts';
import type { Database } from '../../store/connection.ts';
import { findStartedShipments } from '../../store/commands/load-or-create-shipment.ts';
import type { ShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import type { WorkflowSubject } from '../../domain/shipment.ts';

const POLL_INTERVAL_MS = 25;
/** Without a worker nothing begins, and the engine keeps what was started until there is one. */
const BEGIN_TIMEOUT_MS = 5_000;

/** Resolves after some time. */
export type Pause = (durationMs: number) => Promise<unknown>;

/** Does not keep a process alive that has nothing else to do. */
export const systemPause: Pause = (durationMs) => delay(durationMs, undefined, { ref: false });

/**
 * Makes a function that starts a workflow and resolves when its first step is done, or after five seconds. Temporal
 * accepts starts faster than workers take them up; those who wait for the first step leave no backlog in Temporal's queue,
 * behind which starts of other organizations and live commands would wait. Rejects when Temporal is unreachable.
 */
export function createWorkflowStart(
  workflows: Pick<ShipmentWorkflowClient, 'start'>,
  database: Database,
  pause: Pause = systemPause,
): (subject: WorkflowSubject) => Promise<void> {
  const pending = new Map<ShipmentId, () => void>();
  let isPolling = false;

  /** One query for all that are pending, while there are any. */
  const poll = async (): Promise<void> => {
    isPolling = true;
    while (pending.size > 0) {
      await pause(POLL_INTERVAL_MS);
      // An unreachable database says nothing about the workflows: the next poll or the timeout ends the wait.
      const begun = await findStartedShipments(database, [...pending.keys()]).catch(() => []);
      for (const id of begun) {
        pending.get(id)?.();
        pending.delete(id);
      }
    }
    isPolling = false;
  };
  return async (subject) => {
    await workflows.start(subject);
    const begun = new Promise<void>((resolve) => pending.set(subject.id, resolve));
    if (!isPolling) void poll();
    await Promise.race([begun, pause(BEGIN_TIMEOUT_MS)]);
    pending.delete(subject.id);
  };
}
