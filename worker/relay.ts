import { FAILURE_REASONS, isOneOf, PRIORITIES, TASK_TYPES, TRANSITIONS } from '../domain/enumerations.ts';
import { parseId } from '../domain/ids.ts';
import type { Logger } from '../platform/log.ts';
import type { Database } from '../store/connection.ts';
import { deleteExpired } from '../store/expiry.ts';
import { foldShipmentTotals } from '../store/shipment-totals.ts';
import type { RelayCommand, RelayEntry, RelayPatience } from '../store/relay-queue.ts';
import {
  takeForgottenCommands,
  takeForgottenIntakes,
  takeForgottenReplays,
  takeForgottenShipments,
} from '../store/relay-queue.ts';
import type { CommandNotice, RunSubject, ShipmentRuns } from '../workflows/client/shipment-runs.ts';

/** Ages are well above what a healthy service needs, so that the relay touches only what was left behind. */
const PATIENCE: RelayPatience = { ageSeconds: 5, againAfterSeconds: 15, batch: 200 };
const CONCURRENCY = 8;

/** How many of each kind one pass woke. */
export interface RelayPass {
  readonly commands: number;
  readonly intakes: number;
  readonly shipments: number;
  readonly replays: number;
}

/**
 * One pass of the only sweeper (design, «Flow of a write»): signals again the commands that nobody decided, starts
 * the runs of intakes and shipments that have none, wakes those with overdue deadlines or events, and starts the
 * sending of replays and test events; folds the counts that lists tell. Several relays may run. Rejects when the database or Temporal is away; what was
 * taken is taken again later.
 */
export async function relayOnce(
  { database, runs }: { readonly database: Database; readonly runs: ShipmentRuns },
  patience: RelayPatience = PATIENCE,
): Promise<RelayPass> {
  await foldShipmentTotals(database);
  const commands = await takeForgottenCommands(database, patience);
  const intakes = await takeForgottenIntakes(database, patience);
  const shipments = await takeForgottenShipments(database, patience);
  const replays = await takeForgottenReplays(database, patience);
  await inSmallGroups(commands, async (command) => {
    const notice = noticeOf(command);
    if (notice !== undefined) await runs.tell(subjectOf(command), notice);
  });
  await inSmallGroups(intakes, (entry) => runs.start(subjectOf(entry)));
  // A running run may have lost sight of its shipment only by a fault; reading it again is always safe.
  await inSmallGroups(shipments, (entry) => runs.tell(subjectOf(entry), { kind: 'reschedule' }));
  await inSmallGroups(replays, ({ eventId, organizationId, round }) =>
    runs.replay({ eventId, organizationId }, round),
  );
  await deleteExpired(database);
  return {
    commands: commands.length,
    intakes: intakes.length,
    shipments: shipments.length,
    replays: replays.length,
  };
}

/** Runs passes until the signal aborts. Faults are logged once per kind of silence and never end the loop. */
export async function runRelay(
  dependencies: { readonly database: Database; readonly runs: ShipmentRuns; readonly log: Logger },
  intervalMs: number,
  signal: AbortSignal,
): Promise<void> {
  let wasAway = false;
  while (!signal.aborted) {
    try {
      const pass = await relayOnce(dependencies);
      wasAway = false;
      if (pass.commands + pass.intakes + pass.shipments + pass.replays > 0)
        dependencies.log.info(pass, 'relay woke runs');
    } catch (error) {
      if (!wasAway)
        dependencies.log.warn({ reason: nameOf(error) }, 'relay waits: database or Temporal is away');
      wasAway = true;
    }
    await pause(intervalMs, signal);
  }
}

/** The notice of a stored command; undefined when its row does not make one, which a later release may. */
function noticeOf(command: RelayCommand): CommandNotice | undefined {
  const commandId = parseId<'command'>(command.id);
  if (commandId === undefined) return undefined;
  const taskId = parseId<'task'>(command.taskId ?? '');
  const taskType = isOneOf(TASK_TYPES, command.taskType) ? command.taskType : undefined;
  switch (command.kind) {
    case 'approve':
    case 'withdraw':
      return { kind: command.kind, commandId };
    case 'add_task':
      if (taskId === undefined) return undefined;
      return { kind: 'add_task', commandId, taskId, taskType: taskType ?? 'transfer' };
    case 'transition': {
      if (taskId === undefined || taskType === undefined || !isOneOf(TRANSITIONS, command.transition))
        return undefined;
      const driverId = parseId<'driver'>(command.driverId ?? '');
      return {
        kind: 'transition',
        commandId,
        transition: command.transition,
        taskId,
        taskType,
        ...(driverId === undefined ? {} : { driverId }),
        ...(isOneOf(FAILURE_REASONS, command.reason) ? { reason: command.reason } : {}),
      };
    }
    default:
      return undefined;
  }
}

function subjectOf(entry: RelayEntry): RunSubject {
  return {
    id: entry.shipmentId,
    organizationId: entry.organizationId,
    trackingNumber: entry.trackingNumber,
    priority: isOneOf(PRIORITIES, entry.priority) ? entry.priority : 'normal',
  };
}

/**
 * Acts on all items, a few at a time, and rejects with the first failure at the end: one item that always fails must not
 * keep those behind it waiting for ever. A group that fails as a whole ends it, since then somebody is away.
 */
async function inSmallGroups<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (let start = 0; start < items.length; start += CONCURRENCY) {
    const group = items.slice(start, start + CONCURRENCY);
    const results = await Promise.allSettled(group.map(act));
    const failed = results.flatMap((result): unknown[] =>
      result.status === 'rejected' ? [result.reason] : [],
    );
    failures.push(...failed);
    if (group.length > 1 && failed.length === group.length) break;
  }
  if (failures.length > 0) throw failures[0];
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, durationMs);
    signal.addEventListener('abort', finish);
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
