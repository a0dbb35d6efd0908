import { MAX_DEADLINE_CROWD } from '../../domain/deadline.ts';
import type { Database } from '../connection.ts';
import { selectOne } from '../connection.ts';

const COUNT_LIFETIME_MS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Counts the open deadlines that fall into the minute of a given one. An import may start thousands of workflows with one
 * deadline, so a count is kept for ten seconds.
 */
export function deadlineCrowd(database: Database, nowMs: () => number): (due: Date) => Promise<number> {
  const counts = new Map<number, { readonly count: Promise<number>; readonly untilMs: number }>();
  return (due) => {
    const minute = Math.floor(due.getTime() / MINUTE_MS) * MINUTE_MS;
    const known = counts.get(minute);
    if (known !== undefined && known.untilMs > nowMs()) return known.count;
    for (const [key, { untilMs }] of counts) if (untilMs <= nowMs()) counts.delete(key);
    const count = countWithin(database, new Date(minute), new Date(minute + MINUTE_MS));
    counts.set(minute, { count, untilMs: nowMs() + COUNT_LIFETIME_MS });
    // A count that failed is not kept: the caller fails with it, and its retry counts again.
    count.catch(() => counts.delete(minute));
    return count;
  };
}

async function countWithin(database: Database, from: Date, to: Date): Promise<number> {
  const row = await selectOne<{ count: number }>(
    database,
    `select count(*)::int as count from (
       select from shipments where delivery_deadline >= $1 and delivery_deadline < $2 and deadline_missed_at is null
         and status in ('pending', 'pickup_in_progress', 'picked_up', 'in_transit') limit ${MAX_DEADLINE_CROWD}) counted`,
    [from, to],
  );
  return row?.count ?? 0;
}
