import type { Reading } from '../platform/metrics/metrics.ts';
import { reading } from '../platform/metrics/metrics.ts';
import type { Database } from './connection.ts';
import { selectOne } from './connection.ts';
import { countEndpoints } from './webhooks/webhook-endpoints.ts';

/** What waits in PostgreSQL, over all organizations. */
interface Backlog {
  readonly undecided: number;
  readonly oldestUndecidedSeconds: number;
  readonly failed: number;
  readonly pendingEvents: number;
  readonly oldestEventSeconds: number;
}

const READ_AT_MOST_EVERY_MS = 2_000;
/** Less than the ten seconds that Prometheus waits for an answer. */
const ANSWER_WITHIN_MS = 3_000;

const UNKNOWN: Backlog = {
  undecided: NaN,
  oldestUndecidedSeconds: NaN,
  failed: NaN,
  pendingEvents: NaN,
  oldestEventSeconds: NaN,
};

/** Each part reads an index of the rows that it counts. */
const BACKLOG_SQL = `
select c.undecided, c."oldestUndecidedSeconds", e."pendingEvents", e."oldestEventSeconds",
  (select count(*)::int from commands where status = 'failed') as failed
from (select count(*)::int as undecided,
    coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0)::float8 as "oldestUndecidedSeconds"
  from commands where status = 'received') c,
  (select count(*)::int as "pendingEvents",
    coalesce(extract(epoch from clock_timestamp() - min(created_at) filter (where round = 0)), 0)::float8 as "oldestEventSeconds"
  from webhook_events where status = 'pending') e`;

/**
 * Makes a source of what waits in PostgreSQL and of whether it answers. However often it is asked, the database is read once in
 * two seconds; it resolves within some seconds, with NaN for what could not be read.
 */
export function backlogSource(database: Database): () => Promise<readonly Reading[]> {
  let read: Promise<readonly Reading[]> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (read === undefined || performance.now() - readAtMs >= READ_AT_MOST_EVERY_MS) {
      readAtMs = performance.now();
      read = readBacklog(database);
    }
    return read;
  };
}

async function readBacklog(database: Database): Promise<readonly Reading[]> {
  const isUp = await database.isReachable();
  const [backlog = UNKNOWN, endpoints = { failing: NaN, slow: NaN }] = isUp
    ? await Promise.all([soon(selectOne<Backlog>(database, BACKLOG_SQL)), soon(countEndpoints(database))])
    : [];
  return [
    reading('dependency_up', { dependency: 'postgresql' }, isUp ? 1 : 0),
    reading('commands_undecided', {}, backlog.undecided),
    reading('command_oldest_undecided_age_seconds', {}, backlog.oldestUndecidedSeconds),
    reading('commands_failed', {}, backlog.failed),
    reading('webhook_events_pending', {}, backlog.pendingEvents),
    reading('webhook_oldest_pending_age_seconds', {}, backlog.oldestEventSeconds),
    reading('webhook_endpoints', { state: 'failing' }, endpoints.failing),
    reading('webhook_endpoints', { state: 'slow' }, endpoints.slow),
  ];
}

/** Resolves to undefined where the call fails or takes too long; it then goes on alone. */
async function soon<Result>(call: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
  });
  return Promise.race([call.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}
