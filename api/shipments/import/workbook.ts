import type { Sheet } from './cell.ts';
import { refuseByBeginning } from './file-kind.ts';
import { ReadingThread } from './reading-thread.ts';
import type { Refusal } from './refusal.ts';
import { assembleSheet } from './sheet-assembly.ts';

export type WorkbookOutcome =
  { readonly kind: 'read'; readonly sheet: Sheet } | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface WorkbookReader {
  /** Reads one uploaded file. Rejects only when the reader itself is broken or closed, never because of the file. */
  readonly read: (file: Uint8Array) => Promise<WorkbookOutcome>;
  /** Ends the thread, whatever it does. */
  readonly close: () => Promise<void>;
}

export interface WorkbookReaderOptions {
  /** A file that takes longer is refused. 20,000 by default: a valid one takes one or two seconds. */
  readonly wallClockMs?: number;
  /** Heap of the reading thread in MB. 96 by default, so that the process grows by less than 200 MB. */
  readonly heapMb?: number;
  /** How long a thread without work is kept for the next file, which it reads without starting up. 60,000 by default. */
  readonly keepMs?: number;
}

/**
 * Makes a reader of XLSX files (design gap 34). Files are read one after the other in a thread under
 * limits of heap and time, so that the event loop goes on and a hostile file ends with its thread. The
 * rows come over in slices of a few milliseconds.
 */
export function createWorkbookReader(options: WorkbookReaderOptions = {}): WorkbookReader {
  const { wallClockMs = 20_000, heapMb = 96, keepMs = 60_000 } = options;
  const thread = new ReadingThread({ wallClockMs, heapMb, keepMs });
  let turn: Promise<unknown> = Promise.resolve();
  return {
    read: async (file) => {
      const refusal = refuseByBeginning(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
      if (refusal) return { kind: 'refused', refusal };
      const reading = turn.then(() => thread.read(file));
      turn = reading.catch(() => undefined);
      const { answer, rows } = await reading;
      if (answer.kind === 'refused') return answer;
      const sheet = assembleSheet(answer.sheet, rows);
      return 'message' in sheet ? { kind: 'refused', refusal: sheet } : { kind: 'read', sheet };
    },
    close: () => thread.end(),
  };
}
