import type { Database } from '../connection.ts';
import { selectOne } from '../connection.ts';

const CHANGES_PER_FOLD = 20_000;

/**
 * Folds the changes that writes left behind into the totals; the totals that readers see stay what they are. Several may run
 * concurrently. Resolves to how many changes were folded; more may be waiting.
 */
export async function aggregateShipmentTotals(database: Database): Promise<number> {
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
