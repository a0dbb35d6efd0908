import type { ShipmentId } from '../../domain/ids.ts';
import { formatAmount } from '../../domain/money.ts';
import type { ExternalShipment } from '../../store/shipments/external-shipments.ts';
import type { ShipmentTaskRow, TimelineRow } from '../../store/shipments/shipments.ts';
import type { Document } from '../hydra/resource.ts';

/** The answer to a creation (contract «External creation response»), with a hint where no webhook is configured. */
export function presentAccepted(id: ShipmentId, hasWebhook: boolean): Document {
  return {
    id,
    status: 'processing',
    message: 'The shipment is accepted and being created.',
    ...(hasWebhook
      ? {}
      : {
          hint: `No webhook is configured: set webhookUrl on the organization to be notified, or poll GET /external/shipments/${id}.`,
        }),
  };
}

/** The external detail (contract «External shipment detail», interpretation 7): plain JSON, absent values as null. */
export function presentExternalShipment(shipment: ExternalShipment): Document {
  if (shipment.kind === 'request') {
    const { id, trackingNumber, request } = shipment.request;
    return {
      id,
      trackingNumber,
      externalReference: request.externalReference,
      status: 'processing',
      driver: null,
      timeline: [],
      deliveryDeadline: null,
      codAmount: formatAmount(request.codAmountCents),
      totalCodToCollect: null,
    };
  }
  const { row, tasks, timeline } = shipment;
  return {
    id: row.id,
    trackingNumber: row.trackingNumber,
    externalReference: row.externalReference,
    status: row.status,
    driver: presentDriver(tasks),
    timeline: timeline.map(presentEntry),
    deliveryDeadline: row.deliveryDeadline?.toISOString() ?? null,
    codAmount: formatAmount(row.codAmountCents),
    totalCodToCollect: formatAmount(row.totalCodToCollectCents),
  };
}

/** Who has the parcel or will have it: the driver of the last task that has one and has not been given up. */
function presentDriver(tasks: readonly ShipmentTaskRow[]): Document | null {
  const task = tasks.findLast(({ driverName, status }) => driverName !== null && status !== 'cancelled');
  return task === undefined ? null : { name: task.driverName, phone: task.driverPhoneNumber };
}

function presentEntry({
  status,
  taskType,
  taskStatus,
  transition,
  reason,
  occurredAt,
}: TimelineRow): Document {
  return { status, taskType, taskStatus, transition, reason, occurredAt };
}
