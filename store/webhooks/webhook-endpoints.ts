import { FAILING_AFTER_SECONDS } from '../../domain/webhook.ts';
import type { Database } from '../connection.ts';
import { selectOne } from '../connection.ts';

/**
 * SQL: since when nothing was delivered to the endpoint of the organization `o`; null while it is not failing (decision
 * 0016). A new URL begins without a past.
 */
export const FAILING_SINCE = `(select p.failing_since from webhook_endpoints p
  where p.organization_id = o.id and p.url = o.webhook_url and o.is_webhook_enabled
    and p.failing_since < clock_timestamp() - make_interval(secs => ${FAILING_AFTER_SECONDS}))`;

/** How many endpoints are in a state that somebody should look at, over all organizations. */
export interface EndpointCounts {
  readonly failing: number;
  readonly slow: number;
}

/** Counts the endpoints that fail and those on the slow lane. */
export async function countEndpoints(database: Database): Promise<EndpointCounts> {
  const row = await selectOne<EndpointCounts>(
    database,
    `select count(*) filter (where ${FAILING_SINCE} is not null)::int as failing,
       count(*) filter (where e.slow_since is not null)::int as slow
     from webhook_endpoints e join organizations o on o.id = e.organization_id and o.webhook_url = e.url`,
  );
  return row ?? { failing: 0, slow: 0 };
}
