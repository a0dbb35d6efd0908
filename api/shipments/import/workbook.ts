import type { OrganizationId } from '../../../domain/ids.ts';
import { constants } from 'node:os';
import { ReadableStream } from 'node:stream/web';
import type { ReadableStreamDefaultController } from 'node:stream/web';
import { ProblemError } from '../../../domain/problem.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ForkedProcess, ProcessLimitError } from '../../../platform/forked-process.ts';
import type { ForkedProcessOptions } from '../../../platform/forked-process.ts';
import { createFairQueue, QueueFullError } from '../../../platform/fair-queue.ts';
import type { QueueBounds } from '../../../platform/fair-queue.ts';
import { createRecentCounts } from '../../../platform/recent-counts.ts';
import type { GoodRow, ImportContext } from './check-rows.ts';
import { checkSignature } from '../../../spreadsheet/file-signature.ts';
import type { ImportEnd, ImportMessage } from './import-message.ts';
import type { WorkbookProblem } from '../../../spreadsheet/workbook-error.ts';
import { WorkbookError } from '../../../spreadsheet/workbook-error.ts';

/** An import that is under way. */
export interface Reading {
  /** The good rows in the order of the sheet, while the rest is still being checked. Can be gone through once. */
  readonly good: AsyncIterable<readonly GoodRow[]>;
  /** What it comes to besides. */
  readonly end: Promise<ImportEnd>;
}

export interface WorkbookReader {
  /**
   * Reads and checks one uploaded file. Both sides of the reading throw WorkbookError for a file that is not to be
   * read, before the first good row unless time or memory ran out; a ProblemError (503) while too many wait; and an Error
   * only when the reader itself is broken or closed, never because of the file.
   */
  readonly read: (file: Uint8Array, context: ImportContext, organizationId: OrganizationId) => Reading;
  /** Ends the processes that read, whatever they do. */
  readonly close: () => Promise<void>;
}

export interface WorkbookReaderOptions {
  /** A file that needs more CPU time is rejected. 5,000 by default: a valid one needs one or two seconds. */
  readonly cpuMs?: number;
  /** A file that takes longer is rejected, on a busy machine too. 60,000 by default. */
  readonly wallClockMs?: number;
  /** Heap of the import process in MB. 256 by default: a valid file needs half of it, and collecting garbage takes less time with twice as much. */
  readonly heapMb?: number;
  /** How long a process without work is kept for the next file, which it reads without starting up. 60,000 by default. */
  readonly idleTimeoutMs?: number;
  /** CPU time after which a file and its organization yield to others. 250 by default. */
  readonly slowAfterCpuMs?: number;
  readonly clock?: Clock;
  /** Files that wait in a lane, of one organization and of all; further ones are rejected with 503. */
  readonly waiting?: Pick<QueueBounds, 'maxWaitingPerCaller' | 'maxWaiting'>;
}

/** Files that wait, 5 MB each at most. */
const WAITING = { maxWaitingPerCaller: 4, maxWaiting: 16 };
/** Processes that read files of most organizations, and those of organizations whose files took much CPU time of late. */
const PROCESSES = 2;
const SLOW_PROCESSES = 1;
/**
 * A file that takes more CPU time goes on at the lowest priority; an organization whose files took more within one to two
 * minutes has its next file read in the slow lane. About a thousand rows take as much.
 */
const SLOW_AFTER_CPU_MS = 250;
const RECENT_SPAN_MS = 60_000;

/**
 * Makes a reader of XLSX files (interpretation 34). Files are read and checked in processes of their own, those of an
 * organization one after the other, under limits of heap and time, so that the event loop goes on and a hostile file ends
 * with its process. Organizations take turns. One whose files took much CPU time of late has its next ones read in a slow
 * lane: a process that yields the processors to those of all others. The good rows come over in parts of a few
 * milliseconds, so that they can be written while the rest is checked.
 */
export function createWorkbookReader(options: WorkbookReaderOptions = {}): WorkbookReader {
  const { clock = systemClock, slowAfterCpuMs = SLOW_AFTER_CPU_MS } = options;
  const quick = createLane(options, PROCESSES, { lowestPriorityAfterCpuMs: slowAfterCpuMs });
  const slow = createLane(options, SLOW_PROCESSES, { priority: constants.priority.PRIORITY_LOW });
  const recentCpuMs = createRecentCounts(clock, RECENT_SPAN_MS);
  const ask = async (
    file: Uint8Array,
    context: ImportContext,
    organizationId: OrganizationId,
    onGood: (rows: readonly GoodRow[]) => void,
  ): Promise<ImportEnd> => {
    const problem = checkSignature(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
    if (problem) throw new WorkbookError(problem.kind, problem.message);
    const lane = recentCpuMs.of(organizationId) > slowAfterCpuMs ? slow : quick;
    const answer = await lane
      .run(organizationId, async (importing) => {
        try {
          return await importing.request({ file, context }, (message) => {
            if (message.kind !== 'good') return answerOf(message);
            onGood(message.rows);
            return undefined;
          });
        } finally {
          recentCpuMs.add(organizationId, importing.lastCpuMs);
        }
      })
      .catch((error: unknown) => {
        throw explained(error);
      });
    if (answer.kind === 'refused') throw new WorkbookError(answer.problem.kind, answer.problem.message);
    return answer.end;
  };
  return {
    read: (file, context, organizationId) => {
      const { good, arrival } = openParts();
      const end = ask(file, context, organizationId, (rows) => arrival.enqueue(rows));
      // A caller that goes through the rows sees the failure there and may never ask for the end.
      end.then(
        () => arrival.close(),
        (error: unknown) => arrival.error(error),
      );
      return { good, end };
    },
    close: async () => {
      await Promise.all([quick.close(), slow.close()]);
    },
  };
}

/** Processes of one kind, and the files that wait for them. */
function createLane(
  options: WorkbookReaderOptions,
  concurrency: number,
  priority: Pick<ForkedProcessOptions, 'priority' | 'lowestPriorityAfterCpuMs'>,
) {
  const {
    cpuMs = 5_000,
    wallClockMs = 60_000,
    heapMb = 256,
    idleTimeoutMs = 60_000,
    waiting = WAITING,
  } = options;
  const entry = new URL('./import-process', import.meta.url);
  const processes = Array.from(
    { length: concurrency },
    () => new ForkedProcess<ImportMessage>({ entry, cpuMs, wallClockMs, heapMb, idleTimeoutMs, ...priority }),
  );
  const free = [...processes];
  const queue = createFairQueue({ concurrency, concurrencyPerCaller: 1, ...waiting });
  /** Runs work on a process that is free: the queue lets no more work begin than there are processes. */
  const onProcess = async <Result>(
    work: (importing: ForkedProcess<ImportMessage>) => Promise<Result>,
  ): Promise<Result> => {
    const importing = free.pop();
    if (importing === undefined) throw new Error('more workbooks are being read than there are processes');
    try {
      return await work(importing);
    } finally {
      free.push(importing);
    }
  };
  return {
    run: <Result>(
      organizationId: OrganizationId,
      work: (importing: ForkedProcess<ImportMessage>) => Promise<Result>,
    ): Promise<Result> => queue.run({ name: organizationId, standing: 'trusted' }, () => onProcess(work)),
    close: async () => {
      await Promise.all(processes.map((importing) => importing.end()));
    },
  };
}

type Parts = ReadableStream<readonly GoodRow[]>;

/** A stream and its other end, which exists as soon as the stream does. */
function openParts(): {
  readonly good: Parts;
  readonly arrival: ReadableStreamDefaultController<readonly GoodRow[]>;
} {
  const made: { arrival?: ReadableStreamDefaultController<readonly GoodRow[]> } = {};
  const good: Parts = new ReadableStream({
    start: (controller) => {
      made.arrival = controller;
    },
  });
  if (made.arrival === undefined) throw new Error('a stream did not start when it was created');
  return { good, arrival: made.arrival };
}

/** A broken reader is an error, which ends its process; a rejected file is a result. */
function answerOf(message: Exclude<ImportMessage, { readonly kind: 'good' }>) {
  if (message.kind === 'failed') throw new Error(`reading a workbook failed: ${message.stack}`);
  return message;
}

function explained(error: unknown): unknown {
  if (error instanceof QueueFullError) {
    return new ProblemError({
      kind: 'unavailable',
      detail: 'Too many workbooks are being read. Retry in a moment.',
      retryAfterSeconds: 10,
    });
  }
  if (!(error instanceof ProcessLimitError)) return error;
  const { kind, message } = error.reason === 'time' ? TOO_SLOW : TOO_BIG_FOR_MEMORY;
  return new WorkbookError(kind, message);
}

const TOO_BIG_FOR_MEMORY: WorkbookProblem = {
  kind: 'too_large',
  message: 'The workbook needs more memory than an import may use. Split it into several smaller ones.',
};

const TOO_SLOW: WorkbookProblem = {
  kind: 'too_large',
  message: 'The workbook takes too long to read. Split it into several smaller ones.',
};
