import type { OrganizationId } from '../../domain/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { provideQueue } from '../../platform/metrics/metrics.ts';
import type { WorkflowSubject } from '../../domain/shipment.ts';
import { systemPause } from './workflow-start.ts';
import type { Pause } from './workflow-start.ts';

/** How much the queue takes on. */
interface WorkflowStartLimits {
  /** Starts in flight. */
  readonly concurrency: number;
  /** Starts of one organization in flight while commands are accepted. */
  readonly perOrganizationWhileActive: number;
  /** Starts that wait in memory, of all organizations together. */
  readonly capacity: number;
}

/** How the queue lets time pass. */
interface QueueTime {
  readonly nowMs: () => number;
  readonly pause: Pause;
}

const SYSTEM_TIME: QueueTime = { nowMs: () => performance.now(), pause: systemPause };

/** Decision 0009 says why four and one. The capacity holds two imports of the largest size. */
const LIMITS: WorkflowStartLimits = { concurrency: 4, perOrganizationWhileActive: 1, capacity: 20_000 };

/** Starts shipment workflows after the response. */
export interface WorkflowStartQueue {
  /** Starts the workflows of shipments that are stored already, or of stored requests. Returns immediately, never throws. */
  readonly enqueue: (subjects: readonly WorkflowSubject[]) => void;
}

/**
 * Starts workflows immediately, with bounded concurrency: organizations take turns, and the starts of each keep their
 * order. While `areCommandsActive` an organization has one start in flight, and rests after it for as long as it took, so that
 * an import leaves half of the machine to live commands; otherwise it may have all. `start` resolves when its workflow needs
 * no more room, and rejects where it could not be started. The reconciler starts whatever fails, exceeds the capacity, or is
 * lost with this process; failures are therefore only logged.
 */
export function createWorkflowStartQueue(
  start: (subject: WorkflowSubject) => Promise<void>,
  log: Logger,
  areCommandsActive: () => boolean,
  { concurrency, perOrganizationWhileActive, capacity }: WorkflowStartLimits = LIMITS,
  { nowMs, pause }: QueueTime = SYSTEM_TIME,
): WorkflowStartQueue {
  const turns = new Turns();
  const inFlight = new Map<OrganizationId, number>();
  let inFlightCount = 0;
  provideQueue('workflow starts', () => ({ waiting: turns.count, running: inFlightCount }));

  const count = (organizationId: OrganizationId, change: 1 | -1): void => {
    const inFlightNow = (inFlight.get(organizationId) ?? 0) + change;
    if (inFlightNow === 0) inFlight.delete(organizationId);
    else inFlight.set(organizationId, inFlightNow);
    inFlightCount += change;
  };
  const takeNext = (): WorkflowSubject | undefined => {
    const limit = areCommandsActive() ? perOrganizationWhileActive : concurrency;
    return turns.take((organizationId) => (inFlight.get(organizationId) ?? 0) < limit);
  };
  const startOne = async (subject: WorkflowSubject): Promise<void> => {
    const startedAtMs = nowMs();
    try {
      await start(subject);
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown';
      log.warn({ shipmentId: subject.id, reason }, 'Temporal unreachable; the reconciler will retry');
    }
    if (areCommandsActive()) await pause(nowMs() - startedAtMs);
    count(subject.organizationId, -1);
    startWaiting();
  };
  const startWaiting = (): void => {
    while (inFlightCount < concurrency) {
      const subject = takeNext();
      if (subject === undefined) return;
      count(subject.organizationId, 1);
      void startOne(subject);
    }
  };
  return {
    enqueue: (subjects) => {
      turns.add(subjects);
      startWaiting();
      const dropped = turns.dropTo(capacity);
      if (dropped > 0) {
        log.warn({ dropped }, 'workflow start queue full; the reconciler will start the rest');
      }
    },
  };
}

/** Waiting starts: organizations take turns, and those of each keep their order. */
class Turns {
  /** The order of the keys is the order of the turns. */
  readonly #waiting = new Map<OrganizationId, WorkflowSubject[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(subjects: readonly WorkflowSubject[]): void {
    for (const subject of subjects) {
      const queued = this.#waiting.get(subject.organizationId);
      if (queued === undefined) this.#waiting.set(subject.organizationId, [subject]);
      else queued.push(subject);
    }
    this.#count += subjects.length;
  }

  /** Takes the next of the first organization that may start one; its turn comes again after all others'. */
  take(mayStart: (organizationId: OrganizationId) => boolean): WorkflowSubject | undefined {
    for (const [organizationId, subjects] of this.#waiting) {
      if (!mayStart(organizationId)) continue;
      const subject = subjects.shift();
      this.#waiting.delete(organizationId);
      if (subjects.length > 0) this.#waiting.set(organizationId, subjects);
      this.#count -= 1;
      return subject;
    }
    return undefined;
  }

  /**
   * Takes the newest starts from the organization with the most until `capacity` is left, so that a large import never
   * displaces others. Returns how many were dropped.
   */
  dropTo(capacity: number): number {
    const excess = Math.max(0, this.#count - capacity);
    while (this.#count > capacity) {
      const longest = [...this.#waiting.values()].reduce((one, other) =>
        other.length > one.length ? other : one,
      );
      const dropped = Math.min(this.#count - capacity, Math.ceil(longest.length / 2));
      longest.length -= dropped;
      this.#count -= dropped;
    }
    return excess;
  }
}
