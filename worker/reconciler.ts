import { setTimeout as delay } from 'node:timers/promises';
import { isOneOf, PRIORITIES } from '../domain/enumerations.ts';
import type { Logger } from '../platform/log.ts';
import { isTemporalUnreachable } from '../platform/temporal.ts';
import type { Database } from '../store/connection.ts';
import { deleteExpired } from '../store/expiry.ts';
import { recordDeadlineMissed } from '../store/commands/record-deadline-missed.ts';
import { aggregateShipmentTotals } from '../store/shipments/shipment-totals.ts';
import type { ClaimSize, MissedDeadline, PendingEvent, StaleShipment } from '../store/reconciler-queue.ts';
import {
  claimMissedDeadlines,
  claimPendingEvents,
  claimStaleCommands,
  claimStaleRequests,
  claimUnstartedShipments,
} from '../store/reconciler-queue.ts';
import type {
  WorkflowSubject,
  ShipmentWorkflowClient,
} from '../workflows/client/shipment-workflow-client.ts';

/** Rows are claimed only when they are acted on: one small batch at a time, a few rows of each organization. */
const BATCH: ClaimSize = { perOrganization: 4, total: 16 };
const CONCURRENCY = 8;
/**
 * After an outage the backlog is worked off at this rate, so that live commands keep half of a machine of two cores: the
 * backlog of two minutes at 15 commands a second is decided within one (docs/performance.md). An action counts as often as
 * there are commands to decide after it.
 */
const ACTIONS_PER_SECOND = 40;
/** A pass ends after this many batches of one kind, so that no kind waits for another's backlog. */
const MAX_BATCHES = 20;
/** Late deadlines come first in a pass, since they need no Temporal, and take little of its time. */
const MAX_DEADLINE_BATCHES = 4;
const EXPIRY_INTERVAL_MS = 60_000;

/** What the reconciler works with. */
export interface ReconcilerDependencies {
  readonly database: Database;
  readonly workflows: ShipmentWorkflowClient;
}

/** How many rows of each kind one pass acted on, and how many of these actions failed. */
export interface ReconcilerPass {
  readonly commands: number;
  readonly requests: number;
  readonly shipments: number;
  readonly deadlines: number;
  readonly events: number;
  readonly failed: number;
  /** Runs that were terminated and started again because their workflow task kept failing. */
  readonly restarted: number;
  /** Whether a kind had more due rows than one pass takes. */
  readonly hasMore: boolean;
}

/**
 * One pass over what a crash or an outage left behind (decision 0001): it signals the workflows of shipments
 * with undecided commands or unsent events, starts the workflows of external requests and shipments that have none, and
 * starts deliveries of replays and test events. It also records the deadlines of a crowd (decision 0018) and aggregates the
 * list counters. Several reconcilers may run. One action that fails holds up no other: its row becomes due again after a
 * growing back-off. Rejects when PostgreSQL or Temporal is unreachable; deadlines are recorded without Temporal.
 */
export async function reconcileOnce({
  database,
  workflows,
}: ReconcilerDependencies): Promise<ReconcilerPass> {
  await aggregateShipmentTotals(database);
  let failed = 0;
  let restarted = 0;
  let hasMore = false;
  const work = async <Row>(
    claim: (database: Database, size: ClaimSize) => Promise<Row[]>,
    act: (row: Row) => Promise<void>,
    { weightOf = () => 1, batches = MAX_BATCHES }: WorkOptions<Row> = {},
  ): Promise<number> => {
    let acted = 0;
    for (let batch = 0; batch < batches; batch += 1) {
      const rows = await claim(database, BATCH);
      if (rows.length === 0) return acted;
      const startedAt = performance.now();
      failed += await actOnAll(rows, act);
      acted += rows.length;
      const weight = rows.reduce((sum, row) => sum + weightOf(row), 0);
      const paceMs = (weight / ACTIONS_PER_SECOND) * 1_000 - (performance.now() - startedAt);
      if (paceMs > 0) await delay(paceMs);
    }
    hasMore = true;
    return acted;
  };
  const wake = async (row: StaleShipment): Promise<void> => {
    if (await workflows.wake(subjectOf(row))) restarted += 1;
  };
  const deadlines = await work(claimMissedDeadlines, (row) => recordMissed(database, row), {
    batches: MAX_DEADLINE_BATCHES,
  });
  await workflows.checkConnection();
  const counts = {
    deadlines,
    commands: await work(claimStaleCommands, wake, { weightOf: ({ waitingCommands }) => waitingCommands }),
    requests: await work(claimStaleRequests, (row) => workflows.start(subjectOf(row))),
    shipments: await work(claimUnstartedShipments, (row) => workflows.start(subjectOf(row))),
    events: await work(claimPendingEvents, async (row) => {
      if (await resumeEvent(workflows, row)) restarted += 1;
    }),
  };
  return { ...counts, failed, restarted, hasMore };
}

/** How one kind of row is worked off. */
interface WorkOptions<Row> {
  /** As how many actions a row counts. */
  readonly weightOf?: (row: Row) => number;
  readonly batches?: number;
}

/** The workflow learns of it when it wakes next. */
async function recordMissed(database: Database, { shipmentId, due }: MissedDeadline): Promise<void> {
  await recordDeadlineMissed(database, shipmentId, due);
}

/**
 * A first delivery belongs to its shipment's workflow; a replay and a test event have a workflow of their own. Resolves to
 * whether a run was replaced.
 */
function resumeEvent(workflows: ShipmentWorkflowClient, event: PendingEvent): Promise<boolean> {
  const { eventId, organizationId, shipment, round } = event;
  if (shipment !== null && round === 0) return workflows.resumeSending(subjectOf(shipment));
  const shipmentId = shipment?.shipmentId ?? null;
  return workflows.resumeDelivery({ eventId, organizationId, shipmentId }, round);
}

/** Runs passes until the signal aborts. An unreachable dependency is logged once and never ends the loop. */
export async function runReconciler(
  dependencies: ReconcilerDependencies & { readonly log: Logger },
  intervalMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = dependencies;
  let isPaused = false;
  let expiredAtMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let hasMore = false;
    try {
      const pass = await reconcileOnce(dependencies);
      hasMore = pass.hasMore;
      if (Object.values(pass).some(Boolean)) log.info(pass, 'reconciler acted on stale rows');
      if (performance.now() - expiredAtMs >= EXPIRY_INTERVAL_MS) {
        await deleteExpired(database);
        expiredAtMs = performance.now();
      }
      isPaused = false;
    } catch (error) {
      if (!isPaused) log.warn({ reason: nameOf(error) }, 'reconciler paused: dependency unreachable');
      isPaused = true;
    }
    if (!hasMore) await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Acts on all rows, a few at a time; resolves to how many failed. A group of which every action found Temporal unreachable
 * ends it with that error: what was not reached stays due.
 */
async function actOnAll<Row>(rows: readonly Row[], act: (row: Row) => Promise<void>): Promise<number> {
  let failed = 0;
  for (let start = 0; start < rows.length; start += CONCURRENCY) {
    const group = rows.slice(start, start + CONCURRENCY);
    const results = await Promise.allSettled(group.map(act));
    const errors = results.flatMap((result): unknown[] =>
      result.status === 'rejected' ? [result.reason] : [],
    );
    failed += errors.length;
    if (errors.length === group.length && errors.every(isTemporalUnreachable)) throw errors[0];
  }
  return failed;
}

function subjectOf({ shipmentId, organizationId, trackingNumber, priority }: StaleShipment): WorkflowSubject {
  return {
    id: shipmentId,
    organizationId,
    trackingNumber,
    priority: isOneOf(PRIORITIES, priority) ? priority : 'normal',
  };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
