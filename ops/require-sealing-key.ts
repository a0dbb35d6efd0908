import { sealingKeysInUse } from '../store/accounts/webhook-secrets.ts';
import type { Database } from '../store/connection.ts';
import { CommandError } from './command-line.ts';

/**
 * Before a secret is stored: throws a CommandError where this command has no key and stored secrets are encrypted, since it would
 * store the new one as it is.
 */
export async function requireSealingKey(database: Database): Promise<void> {
  if (database.sealing.currentKeyId !== null) return;
  const ids = (await sealingKeysInUse(database)).flatMap(({ keyId }) => (keyId === null ? [] : [keyId]));
  if (ids.length === 0) return;
  throw new CommandError(
    `Stored secrets are encrypted with the key ${ids.join(', ')}. Set ENCRYPTION_KEYS (or ENCRYPTION_KEYS_FILE) as the API has it.`,
  );
}
