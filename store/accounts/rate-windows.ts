import type { Database } from '../connection.ts';
import { execute, selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';

/** What a hit came to. Times by the database's clock, so that all processes agree. */
export interface RateHit {
  readonly isAccepted: boolean;
  /** How many more hits the window takes now. */
  readonly remaining: number;
  /** Seconds until the window takes a hit again (0 when it does now), and until its oldest hit leaves it. */
  readonly retryAfterSeconds: number;
  readonly resetSeconds: number;
}

/**
 * Counts a hit in a sliding log, exactly: accepted if fewer than `limit` were accepted within the last
 * `windowSeconds` (contract «Limits», interpretation 40). One statement under the row's lock; rejected hits leave no
 * trace. It does not wait for the disk, as the table is unlogged: after a crash of the database the windows begin
 * empty.
 */
export async function hitRateWindow(
  database: Database,
  subject: string,
  limit: number,
  windowSeconds: number,
): Promise<RateHit> {
  const row = await selectOne<RateHitRow>(database, HIT_SQL, [subject, limit, windowSeconds]);
  if (row === undefined) throw new Error('the rate window query returned no row');
  return rateHit(row, limit, windowSeconds);
}

/** Takes the newest hit of a window back, for a request that turned out not to count. Harmless where there is none. */
export async function giveBackRateHit(database: Database, subject: string): Promise<void> {
  await execute(
    database,
    'update rate_windows set hits = hits[:cardinality(hits) - 1] where subject = $1 and cardinality(hits) > 0',
    [subject],
  );
}

/** What a statement with `hitSql` selects by RATE_HIT_COLUMNS. */
export interface RateHitRow {
  readonly isAccepted: boolean;
  readonly used: number;
  readonly oldestInSeconds: number | null;
}

/** Counts a hit of the subject that a query selects, inside a larger statement: parameter 2 is the limit, 3 the window in seconds. */
export function hitSql(subject: string): string {
  return `insert into rate_windows as w (subject, hits, was_accepted)
     select subject, array[clock_timestamp()], true from (${subject}) as given (subject)
     on conflict (subject) do update set (hits, was_accepted) = (
       select case when cardinality(live.hits) < $2 then live.hits || clock_timestamp() else live.hits end,
         cardinality(live.hits) < $2
       from (select array(select h from unnest(w.hits) h
         where h > clock_timestamp() - make_interval(secs => $3) order by h) as hits) live)
     returning hits, was_accepted`;
}

/** Of the rows that `hitSql` returns. */
export const RATE_HIT_COLUMNS = `was_accepted as "isAccepted", cardinality(hits) as used,
  extract(epoch from hits[1] + make_interval(secs => $3) - clock_timestamp())::float8 as "oldestInSeconds"`;

const HIT_SQL = prepared(`with hit as (${hitSql('select $1::text')}) select ${RATE_HIT_COLUMNS} from hit`);

/** What a row of RATE_HIT_COLUMNS says. */
export function rateHit(row: RateHitRow, limit: number, windowSeconds: number): RateHit {
  const resetSeconds = Math.max(0, row.oldestInSeconds ?? windowSeconds);
  const remaining = Math.max(0, limit - row.used);
  return {
    isAccepted: row.isAccepted,
    remaining,
    retryAfterSeconds: remaining > 0 && row.isAccepted ? 0 : resetSeconds,
    resetSeconds,
  };
}
