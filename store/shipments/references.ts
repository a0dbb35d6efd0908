import type { DriverId, MerchantId, PickupPointId, TaskId } from '../../domain/ids.ts';
import { select, selectOne, withoutValues } from '../connection.ts';
import type { Tenant } from '../tenant.ts';

/** A pickup point that a shipment may name. */
export interface NamedPickupPoint {
  readonly id: PickupPointId;
  readonly merchantId: MerchantId | null;
}

/** Finds a pickup point of the tenant that is in use; another organization's is as unknown as none. */
export function findPickupPointReference(
  tenant: Tenant,
  id: PickupPointId,
): Promise<NamedPickupPoint | undefined> {
  return selectOne<NamedPickupPoint>(
    tenant.executor,
    `select id, merchant_id as "merchantId" from pickup_points
     where id = $1 and organization_id = $2 and deleted_at is null`,
    [id, tenant.organizationId],
  );
}

/** Whether a merchant of the tenant is in use. */
export async function merchantExists({ executor, organizationId }: Tenant, id: MerchantId): Promise<boolean> {
  const { models, transaction } = executor;
  const own = models.merchants.scope({ method: ['tenant', organizationId] });
  return (await withoutValues(own.count({ where: { id }, transaction }))) === 1;
}

/** A driver that a request may name. */
export interface NamedDriver {
  readonly id: DriverId;
  readonly isAvailable: boolean;
}

/** Finds a driver of the tenant that is in use; another organization's is as unknown as none. */
export function findDriverReference(tenant: Tenant, id: DriverId): Promise<NamedDriver | undefined> {
  return selectOne<NamedDriver>(
    tenant.executor,
    `select id, is_available as "isAvailable" from drivers
     where id = $1 and organization_id = $2 and deleted_at is null`,
    [id, tenant.organizationId],
  );
}

/** The tenant's tasks among these ids; unknown ones, and those of other organizations and deleted shipments, are left out. */
export function findNamedTasks(tenant: Tenant, ids: readonly TaskId[]): Promise<{ readonly id: TaskId }[]> {
  return select<{ id: TaskId }>(
    tenant.executor,
    `select t.id from tasks t join shipments s on s.id = t.shipment_id and s.deleted_at is null
     where t.id = any($1::uuid[]) and t.organization_id = $2`,
    [[...ids], tenant.organizationId],
  );
}
