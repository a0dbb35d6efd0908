import { parseId } from '../domain/ids.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import type { Database } from '../store/connection.ts';
import { inTransaction } from '../store/connection.ts';
import {
  resealWebhookSecretsAcrossTenants,
  rotateWebhookSecretAcrossTenants,
  sealingKeysInUse,
} from '../store/accounts/webhook-secrets.ts';
import type { Command, CommandLine } from './command-line.ts';
import { CommandError, onDatabase } from './command-line.ts';
import { requireSealingKey } from './require-sealing-key.ts';

const DEFAULT_OVERLAP_HOURS = 72;
const MAXIMUM_OVERLAP_HOURS = 720;
const HOUR_SECONDS = 3_600;

const USAGE = `Usage: npm run webhook-secrets -- rotate ID [OVERLAP_HOURS]
       npm run webhook-secrets -- reseal
       npm run webhook-secrets -- show

  rotate  gives an organization a new secret and prints it once. X-Service-Signature is made with the old one until the overlap
          ends, 0 to ${MAXIMUM_OVERLAP_HOURS} hours (default: ${DEFAULT_OVERLAP_HOURS})
  reseal  encrypts every stored secret with the first key of ENCRYPTION_KEYS
  show    says which keys are in use: only others may be taken out of ENCRYPTION_KEYS`;

/** Rotates webhook secrets, and the key that encrypts them. */
export const command: Command = {
  failure: 'Nothing was changed',
  run: (line) => {
    const [act, ...rest] = line.arguments;
    if (act === 'rotate') return rotate(line, rest);
    if (rest.length > 0) throw new CommandError(USAGE);
    if (act === 'reseal') return onDatabase(line, reseal);
    if (act === 'show') return onDatabase(line, show);
    throw new CommandError(USAGE);
  },
};

function rotate(line: CommandLine, [idText = '', hoursText, ...rest]: readonly string[]): Promise<number> {
  const id = parseId<'organization'>(idText);
  const hours = Number(hoursText ?? DEFAULT_OVERLAP_HOURS);
  const isOverlap = Number.isInteger(hours) && hours >= 0 && hours <= MAXIMUM_OVERLAP_HOURS;
  if (id === undefined || !isOverlap || rest.length > 0) throw new CommandError(USAGE);
  return onDatabase(line, async (database) => {
    await requireSealingKey(database);
    const rotation = await inTransaction(database, async (transaction) => {
      const made = await rotateWebhookSecretAcrossTenants(transaction, id, hours * HOUR_SECONDS);
      if (made.kind === 'rotated') {
        await recordAudit(transaction, operatorCaller('webhook-secrets', id), {
          kind: 'webhook_secret.rotated',
          subject: { kind: 'organization', id },
        });
      }
      return made;
    });
    if (rotation.kind === 'missing') throw new CommandError(`There is no organization ${id}.`);
    if (rotation.kind === 'under_way') {
      throw new CommandError(`A rotation is under way; it ends at ${rotation.changesAt.toISOString()}.`);
    }
    return [
      `${rotation.name} has a new webhook secret. X-Service-Signature is made with it from ${rotation.changesAt.toISOString()} on.`,
      '',
      `  webhook secret  ${rotation.secret}`,
    ];
  });
}

async function reseal(database: Database): Promise<readonly string[]> {
  if (database.sealing.currentKeyId === null) {
    throw new CommandError('ENCRYPTION_KEYS is not set: there is no key to encrypt with.');
  }
  let count = 0;
  try {
    await resealWebhookSecretsAcrossTenants(database, async (transaction, id) => {
      await recordAudit(transaction, operatorCaller('webhook-secrets', id), {
        kind: 'webhook_secrets.resealed',
        subject: { kind: 'organization', id },
      });
      count += 1;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `The secrets of ${count} organizations were encrypted again, then it failed: ${reason}\nRun it again for the others.`,
    );
  }
  return [`Encrypted the secrets of ${count} organizations again.`, ...(await show(database))];
}

async function show(database: Database): Promise<readonly string[]> {
  const keys = await sealingKeysInUse(database);
  return keys.map(({ keyId, count }) =>
    keyId === null
      ? `${count} secrets are not encrypted.`
      : `${count} secrets are encrypted with the key ${keyId}.`,
  );
}
