import { ForkedProcess, GivenUp } from '../../../platform/forked-process.ts';
import type { ForkedProcessOptions } from '../../../platform/forked-process.ts';
import { assembleRow } from './sheet-assembly.ts';
import type { AssembledRow } from './sheet-assembly.ts';
import type { ReadingMessage } from './reading-message.ts';
import type { Refusal } from './refusal.ts';

export interface ReadingAnswer {
  readonly answer: Extract<ReadingMessage, { readonly kind: 'end' | 'refused' }>;
  readonly rows: readonly AssembledRow[];
}

/** The process that reads workbooks; one file at a time. */
export class ReadingProcess {
  readonly #limits: Omit<ForkedProcessOptions, 'entry'>;
  readonly #process: ForkedProcess<ReadingMessage>;

  constructor(limits: Omit<ForkedProcessOptions, 'entry'>) {
    this.#limits = limits;
    this.#process = new ForkedProcess({ ...limits, entry: new URL('./workbook-process', import.meta.url) });
  }

  /** Reads one file; not to be called again before the promise settles. Rejects when the reader is broken. */
  async read(file: Uint8Array): Promise<ReadingAnswer> {
    const rows: AssembledRow[] = [];
    try {
      return await this.#process.ask(file, (message) => {
        if (message.kind === 'failed') throw new Error(`reading a workbook failed: ${message.stack}`);
        if (message.kind !== 'rows') return { answer: message, rows };
        for (const row of message.rows) rows.push(assembleRow(row));
        return undefined;
      });
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      const refusal = error.reason === 'time' ? tooSlow(this.#limits.wallClockMs) : TOO_BIG_FOR_MEMORY;
      return { answer: { kind: 'refused', refusal }, rows: [] };
    }
  }

  /** Ends the process, whatever it does. */
  end(): Promise<void> {
    return this.#process.end();
  }
}

const TOO_BIG_FOR_MEMORY: Refusal = {
  kind: 'too_large',
  message: 'The workbook needs more memory than an import may use. Split it into several smaller ones.',
};

function tooSlow(wallClockMs: number): Refusal {
  return {
    kind: 'too_large',
    message: `The workbook could not be read within ${wallClockMs / 1000} seconds. Split it into several smaller ones.`,
  };
}
