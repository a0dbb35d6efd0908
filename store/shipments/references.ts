import type { Id, MerchantId, OrganizationId, ShipmentId, TaskId } from '../../domain/ids.ts';
import { columns } from '../columns.ts';
import type { Executor } from '../connection.ts';
import { select } from '../connection.ts';
import { drivers } from '../fleet/drivers.ts';
import { merchants } from '../fleet/merchants.ts';
import { pickupPoints } from '../fleet/pickup-points.ts';
import type { Lookup, Tenant } from '../tenant.ts';

/** Finds what a request names: a record of the tenant that is in use. Another organization's is as unknown as none. */
function named<Kind extends string, Row>(records: {
  readonly find: (tenant: Tenant, id: Id<Kind>) => Promise<Lookup<Row>>;
}): (tenant: Tenant, id: Id<Kind>) => Promise<Row | undefined> {
  return async (tenant, id) => {
    const found = await records.find(tenant, id);
    return found.kind === 'found' ? found.row : undefined;
  };
}

export const findPickupPointReference = named(pickupPoints);
export const findDriverReference = named(drivers);
const findMerchantReference = named(merchants);

/** Whether a merchant of the tenant is in use. */
export async function merchantExists(tenant: Tenant, id: MerchantId): Promise<boolean> {
  return (await findMerchantReference(tenant, id)) !== undefined;
}

/** The tasks of these ids, whosever they are, by id alone: the caller rejects another organization's. */
export async function findTaskOwnersAcrossTenants(
  executor: Executor,
  ids: readonly TaskId[],
): Promise<
  ReadonlyMap<TaskId, { readonly organizationId: OrganizationId; readonly shipmentId: ShipmentId }>
> {
  const rows = await select<{ id: TaskId; organizationId: OrganizationId; shipmentId: ShipmentId }>(
    executor,
    `select ${columns('t', 'id, organization_id, shipment_id')} from tasks t where t.id = any($1::uuid[])`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, ...owner }) => [id, owner]));
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
