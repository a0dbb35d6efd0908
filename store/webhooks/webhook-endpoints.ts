import type { Database } from '../connection.ts';
import { selectOne } from '../connection.ts';
import { failingSince } from './failing-since.ts';

/** How many endpoints are in a state that somebody should look at, over all organizations. */
export interface EndpointCounts {
  readonly failing: number;
  readonly slow: number;
}

/** Counts the endpoints that fail and those on the slow lane. */
export async function countEndpoints(database: Database): Promise<EndpointCounts> {
  const row = await selectOne<EndpointCounts>(
    database,
    `select count(*) filter (where ${failingSince('o')} is not null)::int as failing,
       count(*) filter (where e.slow_since is not null)::int as slow
     from webhook_endpoints e join organizations o on o.id = e.organization_id and o.webhook_url = e.url`,
  );
  return row ?? { failing: 0, slow: 0 };
}
