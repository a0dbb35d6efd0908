import type { ShipmentStatus, TaskStatus, TaskType } from '../../domain/enumerations.ts';
import type { TaskId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import type { Recipient } from '../../domain/shipment.ts';
import type { ShipmentTask } from '../../domain/shipment-state.ts';
import type { ApprovableShipment } from '../../domain/transition.ts';

/** Ids that read well in a failed assertion: the last digit tells which. */
export const PICKUP = taskId(1);
export const DELIVERY = taskId(2);
export const DETOUR = taskId(3);
export const DRIVER = toId<'driver'>('dddddddd-0000-4000-8000-000000000001');
export const OTHER_DRIVER = toId<'driver'>('dddddddd-0000-4000-8000-000000000002');

/** A task's id by its number. */
export function taskId(number: number): TaskId {
  return toId<'task'>(`00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`);
}

/** A task as decisions see it. */
export function task(
  id: TaskId,
  type: TaskType,
  status: TaskStatus,
  rest: Partial<ShipmentTask> = {},
): ShipmentTask {
  const fresh = { driverId: null, driverName: null, attempts: 1, failureReason: null, version: 1 };
  return { id, type, status, previousId: null, ...fresh, ...rest };
}

export const RECIPIENT: Recipient = {
  type: 'individual',
  firstName: 'Nadia',
  lastName: null,
  phoneNumber: '+33639980002',
  email: null,
  address: {
    street: '1 rue de la Paix',
    city: 'Paris',
    postalCode: null,
    latitude: null,
    longitude: null,
    landmark: null,
  },
};

/** A shipment of normal priority without a schedule, as its approval sees it. */
export function approvable(status: ShipmentStatus): ApprovableShipment {
  const schedule = { priority: 'normal', scheduledAfter: null, scheduledBefore: null } as const;
  return { status, recipient: RECIPIENT, deadlineHours: null, ...schedule };
}
