import { ApplicationFailure } from '@temporalio/activity';
import { deadlineRecordAt } from '../domain/deadline.ts';
import type { ShipmentId, WebhookEventId } from '../domain/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { AppliedCommand, CommandReport } from '../store/commands/apply-command.ts';
import { applyNextCommand } from '../store/commands/apply-command.ts';
import type { Database } from '../store/connection.ts';
import { deadlineCrowd } from '../store/commands/deadline-crowd.ts';
import { loadOrCreateShipment } from '../store/commands/load-or-create-shipment.ts';
import { recordDeadlineMissed } from '../store/commands/record-deadline-missed.ts';
import { outcomePublisher } from '../store/commands/outcome-notifications.ts';
import { readSnapshot } from '../store/commands/shipment-snapshot.ts';
import type { ShipmentSnapshot } from '../store/commands/shipment-snapshot.ts';
import { deadLetterEvent } from '../store/webhooks/webhook-attempts.ts';

/** One call decides at most this many commands: their time has to fit into a local activity's. */
const COMMANDS_PER_CALL = 20;

/** Settings that workflow code may depend on: it gets them as an activity's result, so that replays agree. */
export interface WorkflowSettings {
  readonly webhookMaxAttempts: number;
  readonly continueAsNewAfterEvents: number;
}

/** What a run begins with. */
interface LoadedShipment {
  readonly organizationId: string;
  readonly trackingNumber: string;
  readonly snapshot: ShipmentSnapshot;
  readonly settings: WorkflowSettings;
}

/** The shipment after its waiting commands, and the last of them; null where none waited. */
interface AppliedCommands {
  readonly snapshot: ShipmentSnapshot;
  readonly last: CommandReport | null;
}

/** The activities that read and write Postgres. Each may run twice and changes things once. */
export function shipmentActivities({
  database,
  settings,
  clock,
}: {
  readonly database: Database;
  readonly settings: WorkflowSettings;
  readonly clock: Clock;
}) {
  const publish = outcomePublisher(database);
  const crowdAt = deadlineCrowd(database, () => clock().getTime());

  /** Adds when a missed deadline is recorded, for a deadline that the workflow does not know yet. */
  const withRecordAt = async (id: ShipmentId, snapshot: ShipmentSnapshot): Promise<ShipmentSnapshot> => {
    if (snapshot.deadline === null) return snapshot;
    const due = new Date(snapshot.deadline.due);
    const recordAt = deadlineRecordAt(due, id, await crowdAt(due));
    return { ...snapshot, deadline: { due: snapshot.deadline.due, recordAt: recordAt.toISOString() } };
  };

  const readKnown = async (id: ShipmentId): Promise<ShipmentSnapshot> => {
    const snapshot = await readSnapshot(database, id);
    if (snapshot === undefined) throw unknownShipment(id);
    return withRecordAt(id, snapshot);
  };

  return {
    /** Loads a shipment, after creating it from its request where that has not happened yet. Fails for good without both. */
    async loadOrCreateShipment(id: ShipmentId): Promise<LoadedShipment> {
      const found = await loadOrCreateShipment(database, id);
      if (found === undefined) throw unknownShipment(id);
      return { ...found, snapshot: await withRecordAt(id, found.snapshot), settings };
    },

    /**
     * Decides the waiting commands of a shipment in the order of their acceptance, each in a transaction of its own, at most
     * COMMANDS_PER_CALL of them; `hasWaitingCommands` of the result asks for another call. Without a waiting command it
     * reads the shipment.
     */
    async applyCommands(id: ShipmentId): Promise<AppliedCommands> {
      let last: AppliedCommand | undefined;
      let isDeadlineNew = false;
      for (let count = 0; count < COMMANDS_PER_CALL; count += 1) {
        const applied = await applyNextCommand(database, id);
        if (applied === undefined) break;
        publish(applied);
        last = applied;
        isDeadlineNew ||= applied.isDeadlineNew;
        if (!applied.snapshot.hasWaitingCommands) break;
      }
      if (last === undefined) return { snapshot: await readKnown(id), last: null };
      const { caption, outcome, reason, snapshot } = last;
      return {
        snapshot: isDeadlineNew ? await withRecordAt(id, snapshot) : snapshot,
        last: { caption, outcome, reason },
      };
    },

    /** Records a missed deadline, once, unless an edit has moved it. `moment` is one that has passed, ISO 8601. */
    recordDeadlineMissed(id: ShipmentId, moment: string): Promise<ShipmentSnapshot> {
      return recordDeadlineMissed(database, id, new Date(moment));
    },

    /**
     * Puts an event on the dead-letter queue; one that has been settled meanwhile stays as it is. Resolves to the number of
     * dead letters of the event's shipment.
     */
    deadLetterWebhook(id: WebhookEventId): Promise<number> {
      return deadLetterEvent(database, id);
    },

    /** Returns the settings to a workflow that starts without a shipment. */
    readSettings(): Promise<WorkflowSettings> {
      return Promise.resolve(settings);
    },
  };
}

function unknownShipment(id: ShipmentId): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `there is no shipment ${id} and no request for one`,
    'UnknownShipment',
  );
}
