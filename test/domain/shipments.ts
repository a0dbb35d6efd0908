import type { TaskStatus, TaskType } from '../../domain/enumerations.ts';
import type { DriverId, TaskId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import type { TaskState } from '../../domain/transition.ts';

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
  rest: { readonly previousId?: TaskId; readonly driverId?: DriverId } = {},
): TaskState {
  return { id, type, status, driverId: rest.driverId ?? null, previousId: rest.previousId ?? null };
}
