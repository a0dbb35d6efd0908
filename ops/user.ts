import { setActiveAcrossTenants } from '../store/accounts/users.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import { inTransaction } from '../store/connection.ts';
import type { Command } from './command-line.ts';
import { CommandError, onDatabase } from './command-line.ts';

const USAGE = `Usage: npm run user -- disable EMAIL
       npm run user -- enable EMAIL

  disable  ends all sessions of the user, who can sign in no more; the last admin of an organization too
  enable   lets the user sign in again`;

/** Disables or enables a user of any organization. */
export const command: Command = {
  failure: 'Nothing was changed',
  run: (line) => {
    const [act, email = '', ...rest] = line.arguments;
    if ((act !== 'disable' && act !== 'enable') || email === '' || rest.length > 0)
      throw new CommandError(USAGE);
    const isActive = act === 'enable';
    return onDatabase(line, async (database) => {
      const change = await inTransaction(database, async (transaction) => {
        const made = await setActiveAcrossTenants(transaction, email, isActive);
        if (made === undefined) throw new CommandError(`No user has the address ${email}.`);
        await recordAudit(transaction, operatorCaller('user', made.organizationId), {
          kind: isActive ? 'user.enabled' : 'user.disabled',
          subject: { kind: 'user', id: made.id },
          fields: ['isActive'],
        });
        return made;
      });
      const { id, organizationId, wasActive, hasAdmin } = change;
      const already = wasActive === isActive ? 'was already' : 'is';
      return [
        `The user ${id} of the organization ${organizationId} ${already} ${isActive ? 'enabled' : 'disabled'}.`,
        ...(hasAdmin ? [] : ['The organization has no active admin now.']),
      ];
    });
  },
};
