import { formatAmount } from '../../domain/money.ts';
import { iriOf } from '../../domain/iri.ts';
import type { FeeBreakdown } from '../../domain/pricing.ts';
import type { Item } from '../../domain/shipment.ts';
import type {
  ShipmentListRow,
  ShipmentRow,
  ShipmentTaskRow,
  TimelineRow,
} from '../../store/shipments/shipments.ts';
import type { Document } from '../hydra/resource.ts';
import { member, resource } from '../hydra/resource.ts';

/** A shipment in full (contract «Shipment as returned on creation», interpretation 25). */
export function presentShipment(
  row: ShipmentRow,
  tasks: readonly ShipmentTaskRow[],
  timeline: readonly TimelineRow[],
): Document {
  return resource('Shipment', iriOf('shipment', row.id), {
    id: row.id,
    trackingNumber: row.trackingNumber,
    status: row.status,
    priority: row.priority,
    packageSize: row.packageSize,
    weight: row.weightGrams === null ? null : row.weightGrams / 1_000,
    currency: row.currency,
    codAmount: formatAmount(row.codAmountCents),
    deliveryFee: formatAmount(row.deliveryFeeCents),
    totalCodToCollect: formatAmount(row.totalCodToCollectCents),
    feeBreakdown: presentFee(row.feeBreakdown),
    feePayer: row.feePayer,
    recipient: row.recipient,
    pickupPoint: row.pickupPointId === null ? null : iriOf('pickup_point', row.pickupPointId),
    pickupAddress: row.pickupAddress,
    merchant: row.merchantId === null ? null : iriOf('merchant', row.merchantId),
    items: row.items.map(presentItem),
    handlingOptions: row.handlingOptions,
    notes: row.notes,
    externalReference: row.externalReference,
    source: row.source,
    scheduledAfter: row.scheduledAfter?.toISOString(),
    scheduledBefore: row.scheduledBefore?.toISOString(),
    deliveryDeadline: row.deliveryDeadline?.toISOString(),
    deadlineMissedAt: row.deadlineMissedAt?.toISOString(),
    approve: row.status === 'pending_approval' ? `${iriOf('shipment', row.id)}/approve` : null,
    tasks: tasks.map(presentShipmentTask),
    timeline: timeline.map(presentTimelineEntry),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
}

/** A line of the list (contract «Shipment list item»). */
export function presentShipmentLine(row: ShipmentListRow): Document {
  return member('Shipment', iriOf('shipment', row.id), {
    id: row.id,
    trackingNumber: row.trackingNumber,
    status: row.status,
    priority: row.priority,
    externalReference: row.externalReference,
    recipient: { firstName: row.firstName, lastName: row.lastName },
    deliveryDeadline: row.deliveryDeadline?.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
}

/** A timeline entry, in the words of the webhook (interpretation 7). */
export function presentTimelineEntry(row: TimelineRow): Document {
  return {
    event: row.kind,
    status: row.status,
    taskType: row.taskType,
    taskStatus: row.taskStatus,
    transition: row.transition,
    reason: row.reason,
    occurredAt: row.occurredAt,
  };
}

function presentShipmentTask(row: ShipmentTaskRow): Document {
  return member('Task', iriOf('task', row.id), {
    id: row.id,
    type: row.type,
    status: row.status,
    driver: row.driverId === null ? null : iriOf('driver', row.driverId),
  });
}

function presentItem({ unitPriceCents, ...item }: Item): Document {
  return { ...item, unitPrice: unitPriceCents === null ? null : formatAmount(unitPriceCents) };
}

function presentFee(fee: FeeBreakdown): Document {
  return {
    base: formatAmount(fee.baseCents),
    size: formatAmount(fee.sizeCents),
    weight: formatAmount(fee.weightCents),
    priority: formatAmount(fee.priorityCents),
    total: formatAmount(fee.totalCents),
  };
}
