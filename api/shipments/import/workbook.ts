import { Refusal } from '../../../domain/problem.ts';
import { createTurns, TurnsFull } from '../../../platform/turns.ts';
import type { Sheet } from './cell.ts';
import { refuseByBeginning } from './file-kind.ts';
import { ReadingProcess } from './reading-process.ts';
import type { Refusal as WorkbookRefusal } from './refusal.ts';
import { assembleSheet } from './sheet-assembly.ts';

export type WorkbookOutcome =
  | { readonly kind: 'read'; readonly sheet: Sheet }
  | { readonly kind: 'refused'; readonly refusal: WorkbookRefusal };

export interface WorkbookReader {
  /**
   * Reads one uploaded file. Rejects with a Refusal (503) while too many wait, and with an Error only when the reader
   * itself is broken or closed, never because of the file.
   */
  readonly read: (file: Uint8Array) => Promise<WorkbookOutcome>;
  /** Ends the process that reads, whatever it does. */
  readonly close: () => Promise<void>;
}

export interface WorkbookReaderOptions {
  /** A file that takes longer is refused. 20,000 by default: a valid one takes one or two seconds. */
  readonly wallClockMs?: number;
  /** Heap of the reading process in MB. 256 by default: a valid file needs half of it, and collecting garbage takes less time with twice as much. */
  readonly heapMb?: number;
  /** How long a process without work is kept for the next file, which it reads without starting up. 60,000 by default. */
  readonly keepMs?: number;
  /** Files in hand or waiting; further ones are refused with 503. 16 by default. */
  readonly maxWaiting?: number;
}

/** Files in hand or waiting, 5 MB each at most. A valid one takes one or two seconds. */
const MAX_WAITING = 16;

/**
 * Makes a reader of XLSX files (design gap 34). Files are read one after the other in a process of their own, under
 * limits of heap and time, so that the event loop goes on and a hostile file ends with its process. The
 * rows come over in slices of a few milliseconds.
 */
export function createWorkbookReader(options: WorkbookReaderOptions = {}): WorkbookReader {
  const { wallClockMs = 20_000, heapMb = 256, keepMs = 60_000, maxWaiting = MAX_WAITING } = options;
  const reading = new ReadingProcess({ wallClockMs, heapMb, keepMs });
  const turns = createTurns(maxWaiting);
  return {
    read: async (file) => {
      const refusal = refuseByBeginning(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
      if (refusal) return { kind: 'refused', refusal };
      const { answer, rows } = await turns.take(() => reading.read(file)).catch(refuseWhenFull);
      if (answer.kind === 'refused') return answer;
      const sheet = await assembleSheet(answer.sheet, rows);
      return 'message' in sheet ? { kind: 'refused', refusal: sheet } : { kind: 'read', sheet };
    },
    close: () => reading.end(),
  };
}

function refuseWhenFull(error: unknown): never {
  if (!(error instanceof TurnsFull)) throw error;
  throw new Refusal({
    kind: 'unavailable',
    detail: 'Many workbooks are being read already. Send yours again in a moment.',
    retryAfterSeconds: 10,
  });
}
