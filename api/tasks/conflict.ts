import { findTask } from '../../store/shipments/tasks.ts';
import { findTaskChange } from '../../store/shipments/task-changes.ts';
import type { TaskId } from '../../domain/ids.ts';
import type { ConflictMembers } from '../http/conflict-members.ts';
import type { RouteRequest } from '../http/route.ts';
import { isOwnTask, taskResponse } from './answer.ts';

/**
 * What the 409 of a transition says of the task: as it is now, since when, and by whom. A caller who may not read the task, or
 * no longer, gets nothing of it; names of users are for staff. It is read for each answer: what is stored with a key or a command
 * is the decision alone.
 */
export async function taskConflictMembers(
  { actor, scope, permissionScope }: RouteRequest,
  id: TaskId,
): Promise<ConflictMembers> {
  const [found, change] = await Promise.all([findTask(scope, id), findTaskChange(scope, id)]);
  if (found.kind !== 'found' || change === undefined) return {};
  const isStaff = permissionScope === 'organization';
  if (!isStaff && !isOwnTask(actor, found.row)) return {};
  const { changedAt, changedByName } = change;
  return {
    changedAt: changedAt.toISOString(),
    ...(isStaff && changedByName !== null ? { changedBy: { name: changedByName } } : {}),
    task: taskResponse(found.row, actor.role).body,
  };
}
