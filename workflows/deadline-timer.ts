import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { ShipmentSnapshot } from '../activities/index.ts';

/**
 * One timer for one absolute deadline, in a scope of its own. It is set again only when the deadline changes: a timer for
 * each pass of the loop would fill the history.
 */
export class DeadlineTimer {
  #due: string | null = null;
  #passed: string | null = null;
  #scope: CancellationScope | null = null;

  /** Whether the timer has fired since the last `takePassed`. */
  get isPassed(): boolean {
    return this.#passed !== null;
  }

  /** Takes the moment that has passed, ISO 8601; null when the timer has not fired. */
  takePassed(): string | null {
    const moment = this.#passed;
    this.#passed = null;
    return moment;
  }

  /** Sets the timer, or clears it with null. A moment in the past fires immediately. */
  setFor(deadline: ShipmentSnapshot['deadline']): void {
    if ((deadline?.due ?? null) === this.#due) return;
    this.clear();
    if (deadline === null) return;
    const { due, recordAt } = deadline;
    const moment = recordAt ?? due;
    this.#due = due;
    const scope = new CancellationScope();
    this.#scope = scope;
    // The rejection is the cancellation below; any other error fails the workflow task.
    void scope
      .run(async () => {
        await sleep(Math.max(1, new Date(moment).getTime() - Date.now()), {
          summary: `delivery deadline ${due}`,
        });
        this.#passed = moment;
      })
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
      });
  }

  /** Clears the timer. */
  clear(): void {
    this.#scope?.cancel();
    this.#scope = null;
    this.#due = null;
    this.#passed = null;
  }
}
