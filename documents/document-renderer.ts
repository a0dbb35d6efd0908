import type { OrganizationId } from '../domain/ids.ts';
import { ProblemError } from '../domain/problem.ts';
import { QueueFullError } from '../platform/fair-queue.ts';
import { ProcessLimitError } from '../platform/forked-process.ts';
import { createProcessPool } from '../platform/process-pool.ts';
import type { WaitingBounds } from '../platform/process-pool.ts';
import type { DeliveryNoteData, DeliveryNoteOptions, LabelData, LabelOptions } from './document-data.ts';
import type { RenderingRequest } from './document-process.ts';

/** Renders PDFs outside this process: the bytes are those of `renderDeliveryNotes` and `renderLabels`. */
export interface DocumentRenderer {
  /**
   * Both render for an organization, in its turn, and reject with a ProblemError: 503 while too many wait, 413 for more than the
   * limits of time and memory allow; with an Error when rendering itself is broken or closed.
   */
  readonly deliveryNotes: (
    organizationId: OrganizationId,
    notes: readonly DeliveryNoteData[],
    options: DeliveryNoteOptions,
  ) => Promise<Uint8Array>;
  readonly labels: (
    organizationId: OrganizationId,
    labels: readonly LabelData[],
    options: LabelOptions,
  ) => Promise<Uint8Array>;
  /** Ends the processes, whatever they do. */
  readonly close: () => Promise<void>;
}

export interface DocumentRendererOptions {
  /** PDFs of one shipment that wait, of one organization and of all; further ones are rejected with 503. */
  readonly waitingSingles?: WaitingBounds;
  /** The same for PDFs of several shipments. */
  readonly waitingBulks?: WaitingBounds;
  /** A PDF that takes longer is given up. 120,000 by default: the largest takes 20 s of a processor. */
  readonly wallClockMs?: number;
}

const WAITING_SINGLES: WaitingBounds = { maxWaitingPerCaller: 16, maxWaiting: 64 };
const WAITING_BULKS: WaitingBounds = { maxWaitingPerCaller: 3, maxWaiting: 8 };
/** The largest bulk that is allowed, 100 notes of 200 items, needs about 600. */
const HEAP_MB = 1_024;
/** Somebody who prints one label prints another: the process that is asked for single ones stays for long. */
const KEEP_SINGLE_MS = 15 * 60_000;
const KEEP_BULK_MS = 60_000;

/**
 * Makes a renderer with two processes: one for PDFs of a single shipment, which somebody waits for, and one
 * for bulks, which take seconds. Each starts with its first request and renders one PDF after the other, so that the event
 * loop goes on. Organizations take turns.
 */
export function createDocumentRenderer(options: DocumentRendererOptions = {}): DocumentRenderer {
  const { waitingSingles = WAITING_SINGLES, waitingBulks = WAITING_BULKS, wallClockMs = 120_000 } = options;
  const createLane = (name: 'documents' | 'documents bulk', waiting: WaitingBounds, idleTimeoutMs: number) =>
    createProcessPool<RenderingRequest, Uint8Array>({
      name,
      entry: new URL('./document-process', import.meta.url),
      size: 1,
      heapMb: HEAP_MB,
      wallClockMs,
      idleTimeoutMs,
      waiting,
    });
  const singles = createLane('documents', waitingSingles, KEEP_SINGLE_MS);
  const bulks = createLane('documents bulk', waitingBulks, KEEP_BULK_MS);
  const render = (
    organizationId: OrganizationId,
    documents: readonly { readonly trackingNumber: string }[],
    request: RenderingRequest,
  ): Promise<Uint8Array> => {
    const isBulk = new Set(documents.map(({ trackingNumber }) => trackingNumber)).size > 1;
    return (isBulk ? bulks : singles).run(organizationId, request).catch(rethrow);
  };
  return {
    deliveryNotes: (organizationId, notes, noteOptions) =>
      render(organizationId, notes, { kind: 'delivery-notes', notes, options: noteOptions }),
    labels: (organizationId, labels, labelOptions) =>
      render(organizationId, labels, { kind: 'labels', labels, options: labelOptions }),
    close: async () => {
      await Promise.all([singles.close(), bulks.close()]);
    },
  };
}

function rethrow(error: unknown): never {
  if (error instanceof QueueFullError) {
    throw new ProblemError({
      kind: 'unavailable',
      detail: 'Too many documents are being generated. Retry in a moment.',
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof ProcessLimitError) {
    throw new ProblemError({
      kind: 'too_large',
      detail: 'This is too much for one PDF. Request fewer shipments.',
    });
  }
  throw error;
}
