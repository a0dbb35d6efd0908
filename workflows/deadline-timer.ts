import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

/**
 * One timer for one absolute moment, in a scope of its own. It is armed anew only when the moment
 * changes: a timer for each pass of the loop would fill the history.
 */
export class DeadlineTimer {
  readonly #onPassed: (moment: string) => void;
  #moment: string | null = null;
  #scope: CancellationScope | null = null;

  constructor(onPassed: (moment: string) => void) {
    this.#onPassed = onPassed;
  }

  /** Arms the timer for a moment (ISO 8601), or disarms it with null. A moment in the past fires at once. */
  setFor(moment: string | null): void {
    if (moment === this.#moment) return;
    this.cancel();
    this.#moment = moment;
    if (moment === null) return;
    const scope = new CancellationScope();
    this.#scope = scope;
    // The rejection is the cancellation below and nothing else; anything else fails the workflow task.
    void scope
      .run(async () => {
        await sleep(Math.max(1, new Date(moment).getTime() - Date.now()), {
          summary: `delivery deadline ${moment}`,
        });
        this.#onPassed(moment);
      })
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
      });
  }

  /** Disarms the timer. */
  cancel(): void {
    this.#scope?.cancel();
    this.#scope = null;
    this.#moment = null;
  }
}
