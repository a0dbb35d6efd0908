import type { Logger } from '../../platform/log.ts';
import type { Database } from '../connection.ts';
import { sealingKeysInUse } from './webhook-secrets.ts';

/**
 * Logs an error for each key that stored secrets are sealed with and `ENCRYPTION_KEYS` has not: what needs one of them fails, all else
 * goes on. Never rejects: a process starts while the database is away or not migrated.
 */
export async function reportMissingKeys(database: Database, log: Logger): Promise<void> {
  const inUse = await sealingKeysInUse(database).catch(() => undefined);
  if (inUse === undefined) log.warn('whether a key of stored secrets is missing could not be checked');
  for (const { keyId, count } of inUse ?? []) {
    if (keyId === null || database.sealing.hasKey(keyId)) continue;
    log.error({ keyId, count }, 'stored secrets are sealed with a key that ENCRYPTION_KEYS has not');
  }
}
