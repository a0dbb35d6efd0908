import { defineSearchAttributeKey } from '@temporalio/common';
import { defineSignal } from '@temporalio/workflow';
import type { FailureReason, TaskType, Transition } from '../domain/enumerations.ts';
import type { CommandId, DriverId, ShipmentId, TaskId, WebhookEventId } from '../domain/ids.ts';

/**
 * What the API, the relay and the workflows say to each other: names, ids and payloads. Payloads carry
 * ids and the contract's words alone; personal data stays in Postgres.
 */

/** The queue of workflows and database activities; the webhook activities have one of their own beside it. */
export const SHIPMENT_TASK_QUEUE = 'shipments';

/** The queue on which webhooks are sent, so that a slow receiver never holds up a transition. */
export function webhookTaskQueue(taskQueue: string): string {
  return `${taskQueue}-webhooks`;
}

/** Workflow types by their exported names. */
export const SHIPMENT_WORKFLOW = 'shipment';
export const WEBHOOK_REPLAY_WORKFLOW = 'webhookReplay';

/** The id of a shipment's one workflow. */
export function shipmentWorkflowId(id: ShipmentId): string {
  return `shipment-${id}`;
}

/** The id of the workflow that sends an event again; `round` is the replay's number. */
export function webhookReplayWorkflowId(id: WebhookEventId, round: number): string {
  return `webhook-replay-${id}-${round}`;
}

/** What a shipment's workflow starts with. */
export interface ShipmentInput {
  readonly shipmentId: ShipmentId;
}

/** What a replay starts with. */
export interface WebhookReplayInput {
  readonly eventId: WebhookEventId;
  readonly organizationId: string;
}

/** A command's id, with the few words that make the history readable. */
export interface CommandMessage {
  readonly commandId: CommandId;
}

export interface TransitionMessage extends CommandMessage {
  readonly transition: Transition;
  readonly taskId: TaskId;
  readonly taskType: TaskType;
  readonly driverId?: DriverId;
  readonly reason?: FailureReason;
}

export interface AddTaskMessage extends CommandMessage {
  readonly taskId: TaskId;
  readonly taskType: TaskType;
}

export const transitionSignal = defineSignal<[TransitionMessage]>('transition');
export const approveSignal = defineSignal<[CommandMessage]>('approve');
export const withdrawSignal = defineSignal<[CommandMessage]>('withdraw');
export const addTaskSignal = defineSignal<[AddTaskMessage]>('add_task');
/** An edit moved the deadline: read the shipment again. */
export const rescheduleSignal = defineSignal('reschedule');

/** Search attributes: how ops find a shipment. `npm run search-attributes` registers them on a cluster. */
export const SEARCH_ATTRIBUTES = {
  organizationId: defineSearchAttributeKey('OrganizationId', 'KEYWORD'),
  trackingNumber: defineSearchAttributeKey('TrackingNumber', 'KEYWORD'),
  shipmentStatus: defineSearchAttributeKey('ShipmentStatus', 'KEYWORD'),
  deadlineMissed: defineSearchAttributeKey('DeadlineMissed', 'BOOL'),
  hasDeadLetter: defineSearchAttributeKey('HasDeadLetter', 'BOOL'),
} as const;
