import type { TaskId } from '../../domain/ids.ts';
import { selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';
import type { Tenant } from '../tenant.ts';

/** What brought a task to where it is. */
export interface TaskChangeRow {
  readonly changedAt: Date;
  /** Who asked for it; null where the service did it itself. */
  readonly changedByName: string | null;
}

/**
 * Since when a task of the tenant is as it is, and by whom: the last entry of the timeline that moved it. A task at rest may have
 * been moved by another one's entry: its predecessor's end releases it, an added task makes it wait, and the creation or
 * the approval of the shipment has made it. Undefined for an unknown task.
 */
export function findTaskChange(
  { executor, organizationId }: Tenant,
  id: TaskId,
): Promise<TaskChangeRow | undefined> {
  return selectOne<TaskChangeRow>(
    executor,
    prepared(`select e.recorded_at as "changedAt", u.first_name || ' ' || u.last_name as "changedByName"
     from tasks t cross join lateral (
       select x.recorded_at, x.actor_id from timeline_entries x where x.shipment_id = t.shipment_id and (x.task_id = t.id
         or (t.status in ('waiting_for_pickup', 'assigned_waiting', 'pending', 'assigned')
           and (x.kind in ('created', 'approved', 'task_added')
             or (x.task_id = t.previous_id and x.task_status in ('picked_up', 'delivered', 'cancelled')))))
       order by x.sequence desc limit 1) e
     left join users u on u.id = e.actor_id
     where t.id = $1 and t.organization_id = $2`),
    [id, organizationId],
  );
}
