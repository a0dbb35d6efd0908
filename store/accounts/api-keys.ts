import type { OrganizationId } from '../../domain/ids.ts';
import type { Database } from '../connection.ts';
import { selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';
import type { RateHit, RateHitRow } from './rate-windows.ts';
import { hitSql, RATE_HIT_COLUMNS, rateHit } from './rate-windows.ts';
import type { TrackingSeries } from '../shipments/tracking-numbers.ts';
import { TRACKING_SERIES_COLUMNS } from '../shipments/tracking-numbers.ts';

/** Who asks with a key, and what its request came to in its organization's window. */
export interface KeyAdmission {
  readonly organizationId: OrganizationId;
  readonly series: TrackingSeries;
  readonly hit: RateHit;
}

/**
 * Finds the organization of an API key by the key's hash, and counts the request against it, in one round trip. A rolled
 * key counts until its grace ends. Returns undefined, without counting the request, for an unknown key
 * and for one of a suspended organization.
 */
export async function admitKey(
  database: Database,
  keyHash: Buffer,
  limit: number,
  windowSeconds: number,
): Promise<KeyAdmission | undefined> {
  const row = await selectOne<RateHitRow & TrackingSeries & { id: OrganizationId }>(database, ADMIT_SQL, [
    keyHash,
    limit,
    windowSeconds,
  ]);
  if (row === undefined) return undefined;
  const { id, prefix, localDate } = row;
  return { organizationId: id, series: { prefix, localDate }, hit: rateHit(row, limit, windowSeconds) };
}

const ADMIT_SQL = prepared(`
with known as (
  select id, ${TRACKING_SERIES_COLUMNS} from organizations where suspended_at is null and (api_key_hash = $1
    or (previous_api_key_hash = $1 and previous_api_key_expires_at > clock_timestamp()))
), hit as (
  ${hitSql("select 'external:' || id from known")}
)
select id, prefix, "localDate", ${RATE_HIT_COLUMNS} from known, hit`);
