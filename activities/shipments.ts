import { ApplicationFailure } from '@temporalio/activity';
import type { CommandId, ShipmentId, WebhookEventId } from '../domain/ids.ts';
import { applyCommand } from '../store/apply-command.ts';
import type { Database } from '../store/connection.ts';
import { recordDeadlineMissed } from '../store/missed-deadline.ts';
import { takeUpShipment } from '../store/take-up-shipment.ts';
import { readSnapshot } from '../store/shipment-snapshot.ts';
import type { ShipmentSnapshot } from '../store/shipment-snapshot.ts';
import { settleEvent } from '../store/webhook-sending.ts';

/** Settings that workflow code may depend on: it gets them as an activity's result, so that replays agree. */
export interface WorkflowSettings {
  readonly webhookMaxAttempts: number;
  readonly continueAsNewAfterEvents: number;
}

/** What a run begins with. */
export interface TakenUpShipment {
  readonly organizationId: string;
  readonly trackingNumber: string;
  readonly snapshot: ShipmentSnapshot;
  readonly settings: WorkflowSettings;
}

/** The activities that read and write Postgres. Each may run twice and changes things once. */
export function shipmentActivities({
  database,
  settings,
}: {
  readonly database: Database;
  readonly settings: WorkflowSettings;
}) {
  return {
    /** Loads a shipment, after making it from its intake where that has not happened yet. Fails for good when there is neither. */
    async takeUpShipment(id: ShipmentId): Promise<TakenUpShipment> {
      const found = await takeUpShipment(database, id);
      if (found === undefined) throw unknownShipment(id);
      return { ...found, settings };
    },

    /**
     * Decides and writes one stored command; the key is its id. A command that is not in the database (a signal sent by
     * hand, a database restored from a backup) is passed over: it must not hold up those behind it.
     */
    async applyCommand(id: CommandId, shipmentId: ShipmentId): Promise<ShipmentSnapshot> {
      const applied = await applyCommand(database, id);
      return applied?.snapshot ?? readKnown(database, shipmentId);
    },

    /** Notes a passed deadline, once, unless an edit has moved it. `moment` is the one that has passed, ISO 8601. */
    recordDeadlineMissed(id: ShipmentId, moment: string): Promise<ShipmentSnapshot> {
      return recordDeadlineMissed(database, id, new Date(moment));
    },

    /** Reads a shipment as it stands. */
    readShipment(id: ShipmentId): Promise<ShipmentSnapshot> {
      return readKnown(database, id);
    },

    /** Puts an event on the dead-letter queue; one that has been settled meanwhile stays as it is. */
    buryWebhook(id: WebhookEventId): Promise<void> {
      return settleEvent(database, id, 'dead');
    },

    /** Tells the settings to a workflow that starts without a shipment. */
    readSettings(): Promise<WorkflowSettings> {
      return Promise.resolve(settings);
    },
  };
}

async function readKnown(database: Database, id: ShipmentId): Promise<ShipmentSnapshot> {
  const snapshot = await readSnapshot(database, id);
  if (snapshot === undefined) throw unknownShipment(id);
  return snapshot;
}

function unknownShipment(id: ShipmentId): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `there is no shipment ${id} and no request for one`,
    'UnknownShipment',
  );
}
