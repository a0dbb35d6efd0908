import { setActiveAcrossTenants } from '../store/accounts/users.ts';
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
      const change = await setActiveAcrossTenants(database, email, isActive);
      if (change === undefined) throw new CommandError(`No user has the address ${email}.`);
      const { id, organizationId, wasActive, hasAdmin } = change;
      const already = wasActive === isActive ? 'was already' : 'is';
      return [
        `The user ${id} of the organization ${organizationId} ${already} ${isActive ? 'enabled' : 'disabled'}.`,
        ...(hasAdmin ? [] : ['The organization has no active admin now.']),
      ];
    });
  },
};
