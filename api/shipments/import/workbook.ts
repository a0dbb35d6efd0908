import { constants } from 'node:os';
import { PassThrough } from 'node:stream';
import type { OrganizationId } from '../../../domain/ids.ts';
import { say } from '../../../domain/messages.ts';
import { ProblemError, stated } from '../../../domain/problem.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ProcessLimitError } from '../../../platform/forked-process.ts';
import { QueueFullError } from '../../../platform/fair-queue.ts';
import { createProcessPool } from '../../../platform/process-pool.ts';
import type { ProcessPoolOptions, WaitingBounds } from '../../../platform/process-pool.ts';
import { createRecentCounts } from '../../../platform/recent-counts.ts';
import { checkSignature } from '../../../spreadsheet/file-signature.ts';
import type { WorkbookProblem } from '../../../spreadsheet/workbook-error.ts';
import { tooLarge, WorkbookError } from '../../../spreadsheet/workbook-error.ts';
import type { ImportContext } from './check-rows.ts';
import type { ImportAnswer, ImportEnd, ImportPart, ImportRequest } from './import-process.ts';
import type { SheetPreview } from './preview.ts';

/** An import that is under way. */
export interface Reading {
  /** The rows in the order of the sheet, while the rest is still being checked. Can be gone through once. */
  readonly parts: AsyncIterable<ImportPart>;
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
  /** Checks one uploaded file and shows what its import would come to. Rejects as `read` throws. */
  readonly preview: (
    file: Uint8Array,
    context: ImportContext,
    organizationId: OrganizationId,
  ) => Promise<SheetPreview>;
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
  /** CPU time after which a file and its organization yield to others. 250 by default. */
  readonly slowAfterCpuMs?: number;
  readonly clock?: Clock;
  /** Files that wait in a lane, of one organization and of all; further ones are rejected with 503. */
  readonly waiting?: WaitingBounds;
}

/** How long a process without work is kept for the next file, which it reads without starting up. */
const KEEP_MS = 60_000;
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
  const recentCpuMs = createRecentCounts(clock, RECENT_SPAN_MS);
  const createLane = (
    lane: Pick<ProcessPoolOptions, 'name' | 'size' | 'priority' | 'lowestPriorityAfterCpuMs'>,
  ) =>
    createProcessPool<ImportRequest, ImportAnswer, ImportPart>({
      entry: new URL('./import-process', import.meta.url),
      cpuMs: options.cpuMs ?? 5_000,
      wallClockMs: options.wallClockMs ?? 60_000,
      heapMb: options.heapMb ?? 256,
      idleTimeoutMs: KEEP_MS,
      waiting: options.waiting ?? WAITING,
      onUsed: recentCpuMs.add,
      ...lane,
    });
  const quick = createLane({ name: 'imports', size: PROCESSES, lowestPriorityAfterCpuMs: slowAfterCpuMs });
  const slow = createLane({
    name: 'imports slow',
    size: SLOW_PROCESSES,
    priority: constants.priority.PRIORITY_LOW,
  });
  const ask = async (
    request: ImportRequest,
    organizationId: OrganizationId,
    onPart: (part: ImportPart) => void = () => undefined,
  ): Promise<Answered> => {
    const { file } = request;
    checkSignature(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
    const lane = recentCpuMs.of(organizationId) > slowAfterCpuMs ? slow : quick;
    const answer = await lane.run(organizationId, request, onPart).catch(rethrow);
    if ('problem' in answer) throw errorOf(answer.problem);
    return answer;
  };
  return {
    read: (file, context, organizationId) => {
      const parts = new PassThrough({ objectMode: true });
      const request = { file, context, isPreview: false };
      const end = ask(request, organizationId, (part) => parts.write(part)).then(endOf);
      // A caller that goes through the rows sees the failure there and may never ask for the end, and the other way round.
      parts.on('error', () => undefined);
      end.then(
        () => parts.end(),
        (error: unknown) => parts.destroy(error instanceof Error ? error : undefined),
      );
      return { parts, end };
    },
    preview: async (file, context, organizationId) =>
      previewOf(await ask({ file, context, isPreview: true }, organizationId)),
    close: async () => {
      await Promise.all([quick.close(), slow.close()]);
    },
  };
}

type Answered = Exclude<ImportAnswer, { readonly problem: unknown }>;

function endOf(answer: Answered): ImportEnd {
  if ('end' in answer) return answer.end;
  throw new Error('the import process answered an import with a preview');
}

function previewOf(answer: Answered): SheetPreview {
  if ('preview' in answer) return answer.preview;
  throw new Error('the import process answered a preview with an import');
}

function errorOf({ kind, ...said }: WorkbookProblem): WorkbookError {
  return new WorkbookError(kind, said);
}

function rethrow(error: unknown): never {
  if (error instanceof QueueFullError) {
    throw new ProblemError({
      kind: 'unavailable',
      ...stated(say('too_many_imports')),
      retryAfterSeconds: 10,
    });
  }
  if (!(error instanceof ProcessLimitError)) throw error;
  throw tooLarge(say(error.reason === 'time' ? 'workbook_time' : 'workbook_memory'));
}
