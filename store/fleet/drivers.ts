import type { DriverId, TaskId, UserId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { execute, select, withoutValues } from '../connection.ts';
import type { DriverFields } from '../models/models.ts';
import { tenantRecords } from '../tenant-records.ts';
import type { Tenant } from '../tenant.ts';
import { inTenantTransaction } from '../tenant.ts';

/** The drivers of an organization. */
export const drivers = tenantRecords<'driver', DriverFields>((models) => models.drivers);

const MAXIMUM_LISTED_TASKS = 100;

/**
 * Deletes a driver; false when there was none of that version. Throws a ProblemError for one with open tasks
 * (interpretation 6). The row's lock keeps out an assignment at the same moment, which takes the driver `for share`
 * (store/commands/apply-command.ts): either it comes first and its task is seen here, or it finds the driver gone.
 */
export function removeDriver(tenant: Tenant, id: DriverId, version: number | null): Promise<boolean> {
  return inTenantTransaction(tenant, async (scope) => {
    await execute(
      scope.executor,
      'select id from drivers where id = $1 and organization_id = $2 for no key update',
      [id, scope.organizationId],
    );
    const openTasks = await findOpenTasks(scope, id);
    if (openTasks.length === 0) return drivers.remove(scope, id, version);
    throw new ProblemError({
      kind: 'conflict',
      ...stated(say('driver_has_tasks')),
      blockedBy: openTasks.map((taskId) => iriOf('task', taskId)),
    });
  });
}

async function findOpenTasks({ executor, organizationId }: Tenant, id: DriverId): Promise<TaskId[]> {
  const rows = await select<{ id: TaskId }>(
    executor,
    `select id from tasks where driver_id = $1 and organization_id = $2
       and status not in ('delivered', 'cancelled') and not (type = 'pickup' and status = 'picked_up')
     order by created_at, id limit ${MAXIMUM_LISTED_TASKS}`,
    [id, organizationId],
  );
  return rows.map((row) => row.id);
}

/** Whether a user of the tenant may stand behind a driver: active, and with the driver's role. */
export async function isDriversUser({ executor, organizationId }: Tenant, id: UserId): Promise<boolean> {
  const { models, transaction } = executor;
  const active = models.users.scope({ method: ['tenant', organizationId] });
  const where = { id, role: 'ROLE_DRIVER', isActive: true };
  return (await withoutValues(active.count({ where, transaction }))) === 1;
}
