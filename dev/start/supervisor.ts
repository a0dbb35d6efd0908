import { setTimeout as delay } from 'node:timers/promises';
import type { RunningProcess } from '../engines/process-group.ts';
import type { Say } from '../engines/progress.ts';

/** A part of the service that is started again when it ends by itself. */
export interface SupervisedPart {
  readonly name: string;
  /** Starts the part; hands over its process as soon as there is one, and resolves once the part is usable. */
  readonly start: (onProcess: (process: RunningProcess) => void) => Promise<unknown>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** A part that ran this long is healthy: its next end is met with the short pause again. */
const HEALTHY_AFTER_MS = 30_000;

/** Thrown out of a first start that was ended on purpose. */
export class StartAbandoned extends Error {
  override readonly name = 'StartAbandoned';
}

/** Starts parts, starts those again that die, and ends all of them in a given order. */
export class Supervisor {
  readonly #say: Say;
  readonly #processes = new Map<string, RunningProcess>();
  readonly #stopping = new AbortController();

  constructor(say: Say) {
    this.#say = say;
  }

  /**
   * Starts a part and resolves when it is usable; from then on it is started again whenever it ends. Rejects when
   * the first start fails, and with StartAbandoned when `stop` was called meanwhile.
   */
  async run(part: SupervisedPart): Promise<void> {
    await this.#startOnce(part);
    void this.#keepAlive(part);
  }

  /** Tells whether the end has begun. */
  isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Ends the named parts one after the other, each with time to finish; nothing is started again from now on. */
  async stop(namesInOrder: readonly string[]): Promise<void> {
    this.#stopping.abort();
    for (const name of namesInOrder) await this.#processes.get(name)?.stop();
  }

  /** Ends every part immediately. */
  kill(): void {
    this.#stopping.abort();
    for (const process of this.#processes.values()) process.kill();
  }

  async #startOnce(part: SupervisedPart): Promise<void> {
    this.#throwWhenStopping();
    try {
      await part.start((process) => {
        this.#processes.set(part.name, process);
        // Stopped while the process was being made: `stop` could not see it yet.
        if (this.isStopping()) process.kill();
      });
    } catch (error) {
      this.#throwWhenStopping();
      throw error;
    }
  }

  async #keepAlive(part: SupervisedPart): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const startedAt = performance.now();
      const exit = await this.#processes.get(part.name)?.exited;
      if (this.isStopping()) return;
      pauseMs = performance.now() - startedAt > HEALTHY_AFTER_MS ? FIRST_PAUSE_MS : pauseMs;
      this.#say(`${part.name} exited unexpectedly (${exit ?? 'no process'}); restarting it…`);
      pauseMs = await this.#startUntilItWorks(part, pauseMs);
      if (this.isStopping()) return;
    }
  }

  async #startUntilItWorks(part: SupervisedPart, firstPauseMs: number): Promise<number> {
    let pauseMs = firstPauseMs;
    while (!this.isStopping()) {
      await delay(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      try {
        await this.#startOnce(part);
        this.#say(`${part.name} is running again.`);
        break;
      } catch (error) {
        if (error instanceof StartAbandoned) break;
        this.#say(error instanceof Error ? error.message : String(error));
      }
    }
    return pauseMs;
  }

  #throwWhenStopping(): void {
    if (this.isStopping()) throw new StartAbandoned('The start was interrupted.');
  }
}
