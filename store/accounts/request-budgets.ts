import type { Database } from '../connection.ts';
import { select } from '../connection.ts';
import { prepared } from '../prepared.ts';

/** What a process reports and asks for one subject. A statement names each subject once. */
export interface BudgetCharge {
  readonly subject: string;
  /** Units that it took already, negative for units that it gives back: counted whatever the limit says. */
  readonly spent: number;
  /** Units that it asks for: all are granted, or none. At most the limit; 0 to learn the count. */
  readonly wanted: number;
  readonly limit: number;
}

/** Where a subject's window stands after a charge. Times by the database's clock, so that all processes agree. */
export interface BudgetCount {
  readonly subject: string;
  readonly isGranted: boolean;
  /** Units within the window. */
  readonly used: number;
  /** Seconds until the oldest unit leaves the window; until there is room for one more; until there is room for `wanted`. */
  readonly oldestInSeconds: number | null;
  readonly roomInSeconds: number | null;
  readonly fitsInSeconds: number | null;
}

/**
 * Counts units in sliding logs, exactly: what is wanted is granted if it fits together with the units of the last `windowSeconds`
 * (decision 0017). One statement, which locks the rows in the order of their subjects, so that two never wait for each
 * other. It does not wait for the disk: the table is unlogged.
 */
export function countUnits(
  database: Database,
  charges: readonly BudgetCharge[],
  windowSeconds: number,
): Promise<readonly BudgetCount[]> {
  return select<BudgetCount>(database, COUNT_SQL, [
    charges.map(({ subject }) => subject),
    charges.map(({ spent }) => spent),
    charges.map(({ wanted }) => wanted),
    charges.map(({ limit }) => limit),
    windowSeconds,
  ]);
}

/** Units that are given back leave the window before those that they stand for, never after: the sum is never too low. */
const GIVEN_BACK = `clock_timestamp() - interval '2 seconds'`;

const COUNT_SQL = prepared(`
with given as (
  select subject, spent, wanted, quota
  from unnest($1::text[], $2::integer[], $3::integer[], $4::integer[]) as charge (subject, spent, wanted, quota)
), counted as (
  insert into request_budgets as b (subject, moments, units, granted)
  select subject, array[clock_timestamp()], array[greatest(spent, 0) + fits], fits
  from (
    select subject, spent, case when greatest(spent, 0) + wanted <= quota then wanted else 0 end as fits from given
  ) as first
  order by subject
  on conflict (subject) do update set (moments, units, granted) = (
    select live.moments || array[${GIVEN_BACK}, clock_timestamp()],
      live.units || array[least(given.spent, 0), greatest(given.spent, 0) + decided.fits],
      decided.fits
    from given
    cross join lateral (
      select coalesce(array_agg(moment order by moment), '{}') as moments,
        coalesce(array_agg(unit order by moment), '{}') as units,
        coalesce(sum(unit), 0)::integer as used
      from unnest(b.moments, b.units) as entry (moment, unit)
      where unit <> 0 and moment > clock_timestamp() - make_interval(secs => $5)
    ) as live
    cross join lateral (
      select case when live.used + given.spent + given.wanted <= given.quota then given.wanted else 0 end as fits
    ) as decided
    where given.subject = excluded.subject
  )
  returning subject, moments, units, granted
)
select counted.subject, counted.granted = given.wanted as "isGranted", total.used,
  extract(epoch from total.oldest + make_interval(secs => $5) - clock_timestamp())::float8 as "oldestInSeconds",
  extract(epoch from leaving.room + make_interval(secs => $5) - clock_timestamp())::float8 as "roomInSeconds",
  extract(epoch from leaving.fits + make_interval(secs => $5) - clock_timestamp())::float8 as "fitsInSeconds"
from counted
join given on given.subject = counted.subject
cross join lateral (
  select coalesce(sum(unit), 0)::integer as used, min(moment) filter (where unit > 0) as oldest
  from unnest(counted.moments, counted.units) as entry (moment, unit)
) as total
cross join lateral (
  select min(moment) filter (where gone > total.used - given.quota) as room,
    min(moment) filter (where gone >= total.used + given.wanted - given.quota) as fits
  from (
    select moment, sum(unit) over (order by moment) as gone
    from unnest(counted.moments, counted.units) as entry (moment, unit)
  ) as entries
) as leaving`);
