import { newId } from '../new-id.ts';
import type { ShipmentStatus, TaskStatus, TaskType } from '../../domain/enumerations.ts';
import { encodeStatusChanged } from '../../domain/webhook.ts';

/** A row of webhook_events, ready to be written with its exact bytes as hex. */
export interface WebhookEventRow {
  readonly id: string;
  readonly sequence: number;
  readonly body_hex: string;
  readonly task_status: TaskStatus;
  readonly event_updated_at: string;
}

/** Encodes one notification, once (contract «Request sent», interpretation 42). */
export function webhookEventRow(event: {
  readonly shipmentId: string;
  readonly trackingNumber: string;
  readonly externalReference: string | null;
  readonly shipmentStatus: ShipmentStatus;
  readonly taskType: TaskType;
  readonly taskStatus: TaskStatus;
  readonly driverName: string | null;
  readonly updatedAt: string;
  readonly sequence: number;
}): WebhookEventRow {
  const body = encodeStatusChanged({
    event: 'shipment.status_changed',
    shipmentId: event.shipmentId,
    trackingNumber: event.trackingNumber,
    externalReference: event.externalReference,
    status: event.shipmentStatus,
    taskType: event.taskType,
    taskStatus: event.taskStatus,
    driverName: event.driverName,
    updatedAt: event.updatedAt,
  });
  return {
    id: newId<'webhook_event'>(),
    sequence: event.sequence,
    body_hex: Buffer.from(body, 'utf8').toString('hex'),
    task_status: event.taskStatus,
    event_updated_at: event.updatedAt,
  };
}
