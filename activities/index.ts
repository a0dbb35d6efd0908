import type { Clock } from '../platform/clock.ts';
import type { OutboundClient } from '../platform/outbound-client.ts';
import type { Database } from '../store/connection.ts';
import { shipmentActivities } from './shipments.ts';
import type { WorkflowSettings } from './shipments.ts';
import { webhookActivities } from './webhooks.ts';

export type { CommandReport } from '../store/commands/apply-command.ts';
export type { ShipmentSnapshot } from '../store/commands/shipment-snapshot.ts';
export type { WorkflowSettings } from './shipments.ts';

/** What the activities work with; the worker's main makes it once. */
export interface ActivityDependencies {
  readonly database: Database;
  readonly outbound: OutboundClient;
  readonly clock: Clock;
  readonly settings: WorkflowSettings;
}

/** Activities of the shipments queue, which read and write Postgres. */
export type ShipmentActivities = ReturnType<typeof shipmentActivities>;
/** Activities of the webhooks queue, which wait for receivers. */
export type WebhookActivities = ReturnType<typeof webhookActivities>;

/** Composes both groups over their dependencies. */
export function createActivities(dependencies: ActivityDependencies): {
  readonly shipments: ShipmentActivities;
  readonly webhooks: WebhookActivities;
} {
  return { shipments: shipmentActivities(dependencies), webhooks: webhookActivities(dependencies) };
}
