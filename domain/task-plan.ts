import type { ShipmentSource, ShipmentStatus, TaskStatus, TaskType } from './enumerations.ts';
import type { TaskId } from './ids.ts';
import type { Address, Contact, Recipient } from './shipment.ts';
import { recipientContact } from './shipment.ts';

/** Where a parcel is collected: at a pickup point, or at a manual address without a contact. */
export interface PickupPlace {
  readonly address: Address;
  readonly contact: Contact | null;
}

/** A task to be made. */
export interface NewTask {
  readonly id: TaskId;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly previousId: TaskId | null;
  readonly address: Address;
  readonly contact: Contact | null;
  readonly after: Date | null;
  readonly before: Date | null;
}

/**
 * Plans the first tasks of a shipment (contract «Pickup modes»): a pickup and the delivery that waits for it, or (`pickup` is
 * null) the delivery alone.
 */
export function plannedTasks(
  shipment: {
    readonly recipient: Recipient;
    readonly pickup: PickupPlace | null;
    readonly scheduledAfter: Date | null;
    readonly deliveryDeadline: Date;
  },
  newTaskId: () => TaskId,
): NewTask[] {
  const { pickup, recipient, scheduledAfter: after, deliveryDeadline: before } = shipment;
  const contact = recipientContact(recipient);
  const delivery = { type: 'delivery', address: recipient.address, contact, after, before } as const;
  if (pickup === null) return [{ ...delivery, id: newTaskId(), status: 'pending', previousId: null }];
  const first = { type: 'pickup', status: 'pending', previousId: null, after, before: null } as const;
  const pickupId = newTaskId();
  return [
    { ...pickup, ...first, id: pickupId },
    { ...delivery, id: newTaskId(), status: 'waiting_for_pickup', previousId: pickupId },
  ];
}

/** The first status: a merchant's shipment awaits approval, every other one is pending (interpretation 18). */
export function initialShipmentStatus(
  source: ShipmentSource,
  createdByMerchant: boolean,
): Extract<ShipmentStatus, 'pending_approval' | 'pending'> {
  return source !== 'external' && createdByMerchant ? 'pending_approval' : 'pending';
}
