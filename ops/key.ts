import { MAXIMUM_GRACE_HOURS } from '../api/organizations/fields.ts';
import { hashSecret, newApiKey } from '../api/auth/tokens.ts';
import type { OrganizationId } from '../domain/ids.ts';
import { parseId } from '../domain/ids.ts';
import { findOrganization, rollApiKey } from '../store/accounts/organizations.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import { inTransaction } from '../store/connection.ts';
import { tenant } from '../store/tenant.ts';
import type { Command } from './command-line.ts';
import { CommandError, onDatabase } from './command-line.ts';

const HOUR_SECONDS = 3_600;

const USAGE = `Usage: npm run key -- rotate ID [GRACE_HOURS]

  ID           the organization's id, a UUID
  GRACE_HOURS  how long the present key stays valid, 0 to ${MAXIMUM_GRACE_HOURS} (default: 0, for a key in wrong hands)

It prints the new API key once; only its hash is stored.`;

/** Replaces the API key of any organization. */
export const command: Command = {
  failure: 'Nothing was changed',
  run: (line) => {
    const { id, graceHours } = parseArguments(line.arguments);
    const { key, shownPrefix } = newApiKey();
    return onDatabase(line, (database) =>
      inTransaction(database, async (transaction) => {
        const scope = tenant(transaction, id);
        const found = await findOrganization(scope, id);
        if (found.kind !== 'found') throw new CommandError(`There is no organization ${id}.`);
        const newKey = { hash: hashSecret(key), shownPrefix };
        const graceEndsAt = await rollApiKey(scope, newKey, graceHours * HOUR_SECONDS);
        await recordAudit(transaction, operatorCaller('key', id), {
          kind: 'api_key.rolled',
          subject: { kind: 'organization', id },
        });
        const end = graceEndsAt === null ? 'is invalid now' : `is valid until ${graceEndsAt.toISOString()}`;
        return [
          `The key of ${found.row.name} until now ${end}. The new one is shown only once; store it now.`,
          '',
          `  API key         ${key}`,
        ];
      }),
    );
  },
};

function parseArguments([act, idText = '', grace = '0', ...rest]: readonly string[]): {
  readonly id: OrganizationId;
  readonly graceHours: number;
} {
  const id = parseId<'organization'>(idText);
  const graceHours = Number(grace);
  const isGrace = Number.isInteger(graceHours) && graceHours >= 0 && graceHours <= MAXIMUM_GRACE_HOURS;
  if (act === 'rotate' && id !== undefined && isGrace && rest.length === 0) return { id, graceHours };
  throw new CommandError(USAGE);
}
