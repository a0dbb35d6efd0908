import { defineSearchAttributeKey } from '@temporalio/common';
import type { FailureReason, TaskType, Transition } from '../domain/enumerations.ts';
import { TRANSITIONS } from '../domain/enumerations.ts';
import { WEBHOOK_LANES } from '../domain/webhook-lanes.ts';
import type { WebhookLane } from '../domain/webhook-lanes.ts';
import type { CommandId, DriverId, ShipmentId, TaskId, WebhookEventId } from '../domain/ids.ts';

/**
 * What the API, the reconciler and the workflows send each other: names, ids and payloads. Payloads carry ids and the
 * contract's words alone; personal data stays in Postgres.
 */

/** The queue of a lane of webhooks; a slow receiver holds up no transition and no other lane. */
export function webhookTaskQueue(taskQueue: string, lane: WebhookLane): string {
  return `${taskQueue}-${WEBHOOK_LANES[lane].queue}`;
}

/** Workflow types by their exported names. */
export const SHIPMENT_WORKFLOW = 'shipment';
export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery';

/** The id of a shipment's one workflow. */
export function shipmentWorkflowId(id: ShipmentId): string {
  return `shipment-${id}`;
}

/** The id of the workflow that delivers an event again; `round` is the replay's number, 0 for a test event. */
export function webhookDeliveryWorkflowId(id: WebhookEventId, round: number): string {
  return `webhook-delivery-${id}-${round}`;
}

/** What a shipment's workflow starts with. */
export interface ShipmentInput {
  readonly shipmentId: ShipmentId;
}

/** What the delivery of a replay or a test event starts with. */
export interface WebhookDeliveryInput {
  readonly eventId: WebhookEventId;
  readonly organizationId: string;
  /** Null for a test event. */
  readonly shipmentId: ShipmentId | null;
}

/**
 * A signal to a shipment's workflow. Its name says what happened, so that ops can read the history. It is only a nudge:
 * the workflow then decides what is stored (decision 0013), so a signal that is lost, repeated, reordered or malformed
 * changes nothing.
 */
export type ShipmentSignal =
  | {
      readonly name: Transition;
      readonly commandId: CommandId;
      readonly taskId: TaskId;
      readonly taskType: TaskType;
      readonly driverId?: DriverId;
      readonly reason?: FailureReason;
    }
  | { readonly name: 'approve' | 'delete'; readonly commandId: CommandId }
  | {
      readonly name: 'add_task';
      readonly commandId: CommandId;
      readonly taskId: TaskId;
      readonly taskType: TaskType;
    }
  /** An edit moved the deadline; the reconciler found work; a replay or a test event was settled. */
  | { readonly name: 'reschedule' | 'reconcile' | 'webhook_settled' };

/** Every signal that the workflow knows. */
export const SIGNAL_NAMES = [
  ...TRANSITIONS,
  'approve',
  'delete',
  'add_task',
  'reschedule',
  'reconcile',
  'webhook_settled',
] as const satisfies readonly ShipmentSignal['name'][];

/** Search attributes: how ops find a shipment. `npm run search-attributes` registers them on a cluster. */
export const SEARCH_ATTRIBUTES = {
  organizationId: defineSearchAttributeKey('OrganizationId', 'KEYWORD'),
  trackingNumber: defineSearchAttributeKey('TrackingNumber', 'KEYWORD'),
  shipmentStatus: defineSearchAttributeKey('ShipmentStatus', 'KEYWORD'),
  deadlineMissed: defineSearchAttributeKey('DeadlineMissed', 'BOOL'),
  hasDeadLetter: defineSearchAttributeKey('HasDeadLetter', 'BOOL'),
} as const;
