import { resetFactorAcrossTenants, setActiveAcrossTenants } from '../store/accounts/users.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import type { Database } from '../store/connection.ts';
import { inTransaction } from '../store/connection.ts';
import type { Command } from './command-line.ts';
import { CommandError, onDatabase } from './command-line.ts';

const USAGE = `Usage: npm run user -- disable EMAIL
       npm run user -- enable EMAIL
       npm run user -- reset-factor EMAIL

  disable       ends all sessions of the user, who can sign in no more; the last admin of an organization too
  enable        lets the user sign in again
  reset-factor  removes the second factor of a user who has lost the phone and the recovery codes, and ends all its sessions;
                make sure that it is the user who asks`;

type Act = (database: Database, email: string) => Promise<readonly string[]>;

const ACTS: Readonly<Record<string, Act>> = {
  disable: (database, email) => setActive(database, email, false),
  enable: (database, email) => setActive(database, email, true),
  'reset-factor': resetFactor,
};

/** What the operator does to a user of any organization. */
export const command: Command = {
  failure: 'Nothing was changed',
  run: (line) => {
    const [name = '', email = '', ...rest] = line.arguments;
    const act = ACTS[name];
    if (act === undefined || email === '' || rest.length > 0) throw new CommandError(USAGE);
    return onDatabase(line, (database) => act(database, email));
  },
};

async function setActive(database: Database, email: string, isActive: boolean): Promise<readonly string[]> {
  const change = await inTransaction(database, async (transaction) => {
    const made = await setActiveAcrossTenants(transaction, email, isActive);
    if (made === undefined) throw unknownUser(email);
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
}

async function resetFactor(database: Database, email: string): Promise<readonly string[]> {
  const { id, organizationId, hadFactor } = await inTransaction(database, async (transaction) => {
    const made = await resetFactorAcrossTenants(transaction, email);
    if (made === undefined) throw unknownUser(email);
    await recordAudit(transaction, operatorCaller('user', made.organizationId), {
      kind: 'second_factor.reset',
      subject: { kind: 'user', id: made.id },
    });
    return made;
  });
  const factor = hadFactor ? 'has no second factor any more' : 'had no second factor';
  return [`The user ${id} of the organization ${organizationId} ${factor}. Its sessions have ended.`];
}

function unknownUser(email: string): CommandError {
  return new CommandError(`No user has the address ${email}.`);
}
