import type { CommandId, TaskId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { TaskRow } from '../../store/shipments/tasks.ts';
import { findTask } from '../../store/shipments/tasks.ts';
import { appliedCommand } from '../commands/send-command.ts';
import type { RouteRequest, UserActor } from '../http/route.ts';
import type { RecordResponse } from '../resource/resource.ts';
import { recordResponse } from '../resource/resource.ts';
import { task } from './fields.ts';
import { presentCommandResult } from './present.ts';

/** Whether a task is the actor's own, as a driver's are. */
export function isOwnTask({ driverId }: UserActor, row: TaskRow): boolean {
  return driverId !== null && row.driverId === driverId;
}

/** Answers a task in full, as a user of that role is shown it. */
export function taskResponse(row: TaskRow, viewerRole: UserRole): RecordResponse {
  return recordResponse(task.present({ ...row, viewerRole }), task.editable);
}

/** Answers an applied command with its task; by its outcome alone where a later command has deleted the shipment. */
export async function taskAfter(
  { actor, dependencies, scope }: RouteRequest,
  commandId: CommandId,
  taskId: TaskId,
): Promise<RecordResponse> {
  const found = await findTask(scope, taskId);
  if (found.kind === 'found') return taskResponse(found.row, actor.role);
  return presentCommandResult(await appliedCommand(dependencies, commandId));
}
