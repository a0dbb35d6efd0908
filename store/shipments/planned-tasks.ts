import { newId } from '../new-id.ts';
import type { OrganizationId, ShipmentId, TaskId } from '../../domain/ids.ts';
import type { Address, Contact, Recipient } from '../../domain/shipment.ts';
import { fullName } from '../../domain/shipment.ts';
import { TASK_PLANS } from '../../domain/task-plan.ts';
import type { TaskInsert } from '../commands/write-shipment.ts';

/** Where the parcel is collected; null where the shipment starts with its delivery. */
export interface PickupPlace {
  readonly mode: 'point' | 'address';
  readonly address: Address;
  readonly contact: Contact | null;
}

/** The first tasks of a shipment, by its pickup mode (contract «Pickup modes»). */
export function plannedTasks(shipment: {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly recipient: Recipient;
  readonly pickup: PickupPlace | null;
  readonly scheduledAfter: Date | null;
  readonly deliveryDeadline: Date;
}): TaskInsert[] {
  const { pickup, recipient } = shipment;
  const plan = TASK_PLANS[pickup?.mode ?? 'none'];
  const ids = plan.map(() => newId<'task'>());
  return plan.flatMap(({ type, status, follows }, ordinal) => {
    const id = ids[ordinal];
    if (id === undefined) return [];
    const isPickup = type === 'pickup';
    return [
      {
        id,
        organization_id: shipment.organizationId,
        shipment_id: shipment.id,
        ordinal,
        type,
        status,
        previous_id: predecessor(ids, follows),
        address: isPickup && pickup !== null ? pickup.address : recipient.address,
        contact: isPickup ? (pickup?.contact ?? null) : recipientContact(recipient),
        after: shipment.scheduledAfter?.toISOString() ?? null,
        before: isPickup ? null : shipment.deliveryDeadline.toISOString(),
      },
    ];
  });
}

/** The recipient as the person whom the driver meets. */
export function recipientContact(recipient: Recipient): Contact {
  return { name: fullName(recipient), phoneNumber: recipient.phoneNumber, email: recipient.email };
}

function predecessor(ids: readonly TaskId[], follows: number | null): TaskId | null {
  return follows === null ? null : (ids[follows] ?? null);
}
