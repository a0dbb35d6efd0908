import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../platform/log.ts';
import { count } from '../platform/metrics/metrics.ts';
import { isTemporalUnreachable } from '../platform/temporal.ts';
import type { Database } from '../store/connection.ts';
import { deleteExpired } from '../store/expiry.ts';
import type { Retention, RetentionWalk } from '../store/retention.ts';
import { deleteRetained } from '../store/retention.ts';
import { recordDeadlineMissed } from '../store/commands/record-deadline-missed.ts';
import { failAbandonedImportsAcrossTenants } from '../store/shipments/import-records.ts';
import { aggregateShipmentTotals } from '../store/shipments/shipment-totals.ts';
import type { ClaimSize, PendingEvent, StaleRows } from '../store/reconciler-queue.ts';
import { claimStale } from '../store/reconciler-queue.ts';
import type { ShipmentWorkflowClient } from '../workflows/client/shipment-workflow-client.ts';

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
export interface ReconcilerPass extends Readonly<Record<keyof StaleRows, number>> {
  readonly failed: number;
  /** Runs that were terminated and started again because their workflow task kept failing. */
  readonly restarted: number;
  /** Whether a kind had more due rows than one pass takes. */
  readonly hasMore: boolean;
}

/**
 * One pass over what a crash or an outage left behind (decision 0001): it signals the workflows of shipments
 * with undecided commands or unsent events, starts the workflows of external requests and shipments that have none, and
 * starts deliveries of replays and test events. It also records the deadlines of a crowd (decision 0018), fails the imports
 * whose process has ended and aggregates the list counters. Several reconcilers may run. One action that fails holds up no other: its row becomes due again after a
 * growing back-off. Rejects when PostgreSQL or Temporal is unreachable; deadlines are recorded without Temporal.
 */
export async function reconcileOnce({
  database,
  workflows,
}: ReconcilerDependencies): Promise<ReconcilerPass> {
  await aggregateShipmentTotals(database);
  await failAbandonedImportsAcrossTenants(database);
  let failed = 0;
  let restarted = 0;
  let hasMore = false;
  /** `act` resolves to true where it replaced a run; `weightOf` says as how many actions a row counts. */
  const work = async <Kind extends keyof StaleRows>(
    kind: Kind,
    act: (row: StaleRows[Kind]) => Promise<unknown>,
    { weightOf = () => 1, batches = MAX_BATCHES }: WorkOptions<StaleRows[Kind]> = {},
  ): Promise<number> => {
    let acted = 0;
    for (let batch = 0; batch < batches; batch += 1) {
      const rows = await claimStale(database, kind, BATCH);
      if (rows.length === 0) return acted;
      const startedAt = performance.now();
      const results = await actOnAll(rows, act);
      const failures = results.filter(({ status }) => status === 'rejected').length;
      const replaced = results.filter(
        (result) => result.status === 'fulfilled' && result.value === true,
      ).length;
      count('reconciler_actions_total', { kind }, rows.length);
      count('reconciler_failed_actions_total', {}, failures);
      count('reconciler_replaced_runs_total', {}, replaced);
      failed += failures;
      restarted += replaced;
      acted += rows.length;
      const weight = rows.reduce((sum, row) => sum + weightOf(row), 0);
      const paceMs = (weight / ACTIONS_PER_SECOND) * 1_000 - (performance.now() - startedAt);
      if (paceMs > 0) await delay(paceMs);
    }
    hasMore = true;
    return acted;
  };
  // The workflow learns of its deadline when it wakes next.
  const deadlines = await work(
    'deadlines',
    (row) => recordDeadlineMissed(database, row.shipmentId, row.due),
    {
      batches: MAX_DEADLINE_BATCHES,
    },
  );
  await workflows.checkConnection();
  const counts = {
    deadlines,
    commands: await work('commands', workflows.wake, { weightOf: ({ waitingCommands }) => waitingCommands }),
    requests: await work('requests', workflows.start),
    shipments: await work('shipments', workflows.start),
    events: await work('events', (row) => resumeEvent(workflows, row)),
  };
  return { ...counts, failed, restarted, hasMore };
}

interface WorkOptions<Row> {
  readonly weightOf?: (row: Row) => number;
  readonly batches?: number;
}

/**
 * A first delivery belongs to its shipment's workflow; a replay and a test event have a workflow of their own. Resolves to
 * whether a run was replaced.
 */
function resumeEvent(workflows: ShipmentWorkflowClient, event: PendingEvent): Promise<boolean> {
  const { eventId, organizationId, shipment, round } = event;
  if (shipment !== null && round === 0) return workflows.resumeSending(shipment);
  return workflows.resumeDelivery({ eventId, organizationId, shipmentId: shipment?.id ?? null }, round);
}

/** Runs passes until the signal aborts. An unreachable dependency is logged once and never ends the loop. */
export async function runReconciler(
  dependencies: ReconcilerDependencies & { readonly log: Logger; readonly retention: Retention },
  intervalMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { database, log, retention } = dependencies;
  const walk: RetentionWalk = new Map();
  let isPaused = false;
  let expiredAtMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let hasMore = false;
    try {
      const pass = await reconcileOnce(dependencies);
      hasMore = pass.hasMore;
      count('reconciler_passes_total', { result: 'done' });
      if (Object.values(pass).some(Boolean)) log.info(pass, 'reconciler acted on stale rows');
      if (performance.now() - expiredAtMs >= EXPIRY_INTERVAL_MS) {
        expiredAtMs = performance.now();
        await deleteExpired(database);
        await deleteRetained(database, retention, walk);
      }
      isPaused = false;
    } catch (error) {
      count('reconciler_passes_total', { result: 'interrupted' });
      if (!isPaused) log.warn({ reason: nameOf(error) }, 'reconciler paused: dependency unreachable');
      isPaused = true;
    }
    if (!hasMore) await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Acts on all rows, a few at a time. A group of which every action found Temporal unreachable ends it with that error: what
 * was not reached stays due.
 */
async function actOnAll<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> {
  const all: PromiseSettledResult<unknown>[] = [];
  for (let start = 0; start < rows.length; start += CONCURRENCY) {
    const results = await Promise.allSettled(rows.slice(start, start + CONCURRENCY).map(act));
    const errors = results.flatMap((result): unknown[] =>
      result.status === 'rejected' ? [result.reason] : [],
    );
    if (errors.length === results.length && errors.every(isTemporalUnreachable)) throw errors[0];
    all.push(...results);
  }
  return all;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
