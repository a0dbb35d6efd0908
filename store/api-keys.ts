import type { OrganizationId } from '../domain/ids.ts';
import type { Database } from './connection.ts';
import { selectOne } from './connection.ts';
import { prepared } from './prepared.ts';

/** The organization of an API key, by the key's hash; a rolled key counts until its grace ends. */
export async function findOrganizationByKey(
  database: Database,
  keyHash: Buffer,
): Promise<OrganizationId | undefined> {
  const row = await selectOne<{ id: OrganizationId }>(
    database,
    prepared(`select id from organizations where api_key_hash = $1
       or (previous_api_key_hash = $1 and previous_api_key_expires_at > clock_timestamp())`),
    [keyHash],
  );
  return row?.id;
}
