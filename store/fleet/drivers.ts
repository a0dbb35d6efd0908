import type { VehicleType } from '../../domain/enumerations.ts';
import type { DriverId, TaskId, UserId } from '../../domain/ids.ts';
import type { Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import type { TenantRow } from '../tenant-table.ts';
import { tenantTable } from '../tenant-table.ts';
import type { Tenant } from '../tenant.ts';
import { tenant } from '../tenant.ts';

/** Where a driver was, degrees WGS 84, metres, degrees from north, metres per second (interpretation 30). */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number | null;
  readonly heading: number | null;
  readonly speed: number | null;
}

/** A driver's fields (interpretation 6). The last position is written by store/fleet/driver-positions.ts alone. */
export interface DriverFields {
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly vehicleType: VehicleType | null;
  readonly isAvailable: boolean;
  readonly userId: UserId | null;
  readonly lastPosition: Position | null;
  readonly lastPositionAt: Date | null;
}
export type DriverRow = TenantRow<'driver', DriverFields>;

/** The drivers of an organization. */
export const drivers = tenantTable<'driver', DriverFields>('drivers', {
  firstName: 'first_name',
  lastName: 'last_name',
  phoneNumber: 'phone_number',
  vehicleType: 'vehicle_type',
  isAvailable: 'is_available',
  userId: 'user_id',
  lastPosition: 'last_position',
  lastPositionAt: 'last_position_at',
});

/** What became of a deletion: done, already deleted, or prevented by open tasks. */
export type DriverRemoval =
  | { readonly kind: 'removed' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'busy'; readonly openTasks: readonly TaskId[] };

const MAXIMUM_LISTED_TASKS = 100;

/**
 * Deletes a driver without open tasks (interpretation 6). The row's lock keeps out an assignment at the same moment,
 * which takes the driver `for share` (store/commands/apply-command.ts): either it comes first and its task is seen
 * here, or it finds the driver gone.
 */
export function removeDriver(
  database: Executor,
  { organizationId }: Tenant,
  id: DriverId,
  version: number | null,
): Promise<DriverRemoval> {
  return inTransaction(database, async (transaction) => {
    const scope = tenant(transaction, organizationId);
    await execute(
      transaction,
      'select id from drivers where id = $1 and organization_id = $2 for no key update',
      [id, organizationId],
    );
    const openTasks = await findOpenTasks(scope, id);
    if (openTasks.length > 0) return { kind: 'busy', openTasks };
    return (await drivers.remove(scope, id, version)) ? { kind: 'removed' } : { kind: 'gone' };
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
  const row = await selectOne<{ id: UserId }>(
    executor,
    `select id from users where id = $1 and organization_id = $2 and role = 'ROLE_DRIVER' and is_active`,
    [id, organizationId],
  );
  return row !== undefined;
}
