import type { Sheet } from './cell.ts';
import { refuseByBeginning } from './file-kind.ts';
import { ReadingProcess } from './reading-process.ts';
import type { Refusal } from './refusal.ts';
import { assembleSheet } from './sheet-assembly.ts';

export type WorkbookOutcome =
  { readonly kind: 'read'; readonly sheet: Sheet } | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface WorkbookReader {
  /** Reads one uploaded file. Rejects only when the reader itself is broken or closed, never because of the file. */
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
}

/**
 * Makes a reader of XLSX files (design gap 34). Files are read one after the other in a thread under
 * limits of heap and time, so that the event loop goes on and a hostile file ends with its process. The
 * rows come over in slices of a few milliseconds.
 */
export function createWorkbookReader(options: WorkbookReaderOptions = {}): WorkbookReader {
  const { wallClockMs = 20_000, heapMb = 256, keepMs = 60_000 } = options;
  const reading = new ReadingProcess({ wallClockMs, heapMb, keepMs });
  let turn: Promise<unknown> = Promise.resolve();
  return {
    read: async (file) => {
      const refusal = refuseByBeginning(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
      if (refusal) return { kind: 'refused', refusal };
      const answering = turn.then(() => reading.read(file));
      turn = answering.catch(() => undefined);
      const { answer, rows } = await answering;
      if (answer.kind === 'refused') return answer;
      const sheet = assembleSheet(answer.sheet, rows);
      return 'message' in sheet ? { kind: 'refused', refusal: sheet } : { kind: 'read', sheet };
    },
    close: () => reading.end(),
  };
}
