import type { ShipmentStatus } from '../domain/enumerations.ts';
import type { Database } from './connection.ts';
import { selectOne } from './connection.ts';
import { prepared } from './prepared.ts';
import type { Tenant } from './tenant.ts';

const CHANGES_PER_FOLD = 20_000;

/** How many shipments the tenant has, all or those in one status: exact at the moment of the statement, without counting. */
export async function shipmentTotal(tenant: Tenant, status: ShipmentStatus | null): Promise<number> {
  const row = await selectOne<{ total: number }>(
    tenant.executor,
    status === null ? TOTAL_OF_ALL_SQL : TOTAL_OF_STATUS_SQL,
    [tenant.organizationId, ...(status === null ? [] : [status])],
  );
  return row?.total ?? 0;
}

/** One statement, one snapshot: a fold that runs meanwhile is seen whole or not at all. */
function totalSql(condition: string): string {
  return prepared(
    `select (select coalesce(sum(total), 0) from shipment_totals where ${condition})::bigint
       + (select coalesce(sum(change), 0) from shipment_total_changes where ${condition})::bigint as total`,
  );
}

const TOTAL_OF_ALL_SQL = totalSql('organization_id = $1');
const TOTAL_OF_STATUS_SQL = totalSql('organization_id = $1 and status = $2');

/**
 * Folds the changes that writes left behind into the totals; the totals that readers see stay what they are. Several
 * folds may run at once. Resolves to how many changes were folded; more may be waiting.
 */
export async function foldShipmentTotals(database: Database): Promise<number> {
  const row = await selectOne<{ folded: number }>(
    database,
    `with taken as (
       delete from shipment_total_changes where id in (
         select id from shipment_total_changes order by id limit $1 for update skip locked)
       returning organization_id, status, change
     ), folded as (
       insert into shipment_totals as t (organization_id, status, total)
       select organization_id, status, sum(change) from taken group by organization_id, status
       order by organization_id, status
       on conflict (organization_id, status) do update set total = t.total + excluded.total
     ) select count(*) as folded from taken`,
    [CHANGES_PER_FOLD],
  );
  return row?.folded ?? 0;
}
