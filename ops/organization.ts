import type { OrganizationId } from '../domain/ids.ts';
import { parseId } from '../domain/ids.ts';
import { suspendAcrossTenants } from '../store/accounts/suspension.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import { inTransaction } from '../store/connection.ts';
import type { Command, CommandLine } from './command-line.ts';
import { CommandError, onDatabase } from './command-line.ts';
import { command as createCommand } from './organization-create.ts';
import { command as eraseCommand } from './organization-erase.ts';
import { command as planCommand } from './organization-plan.ts';

const USAGE = `Usage: npm run organization -- create OPTIONS
       npm run organization -- plan ID PLAN
       npm run organization -- suspend ID REASON
       npm run organization -- resume ID
       npm run organization -- erase ID --confirm NAME

  create   makes an organization with its first admin; without options it says which there are
  plan     moves an organization to a plan
  suspend  stops its sign-ins, sessions, streams and keys within 5 seconds, and its webhooks; what was accepted is decided
  resume   ends a suspension; sessions and keys are accepted again
  erase    deletes everything of a suspended organization, and ends its workflows

  ID       the organization's id, a UUID
  REASON   why, in quotes; kept with the organization, for the operator alone`;

type Act = (line: CommandLine) => Promise<number>;

const ACTS: Readonly<Record<string, Act>> = {
  create: (line) => createCommand.run(line),
  plan: (line) => planCommand.run(line),
  erase: (line) => eraseCommand.run(line),
  suspend: (line) => {
    const [id, because = '', ...rest] = line.arguments;
    if (because.trim() === '' || rest.length > 0)
      throw new CommandError(`Give one reason, in quotes.\n\n${USAGE}`);
    return changeSuspension(line, idOf(id), because.trim());
  },
  resume: (line) => {
    const [id, ...rest] = line.arguments;
    if (rest.length > 0) throw new CommandError(USAGE);
    return changeSuspension(line, idOf(id), null);
  },
};

/** What the operator does to organizations. */
export const command: Command = {
  failure: (act) => (act === 'erase' ? 'The erasure is incomplete: run it again' : 'Nothing was changed'),
  run: (line) => {
    const [name = '', ...argv] = line.arguments;
    const act = ACTS[name];
    if (act === undefined) throw new CommandError(USAGE);
    return act({ ...line, arguments: argv });
  },
};

function idOf(text = ''): OrganizationId {
  const id = parseId<'organization'>(text);
  if (id === undefined) throw new CommandError(`The id must be that of an organization, a UUID.\n\n${USAGE}`);
  return id;
}

function changeSuspension(line: CommandLine, id: OrganizationId, because: string | null): Promise<number> {
  return onDatabase(line, async (database) => {
    const change = await inTransaction(database, async (transaction) => {
      const made = await suspendAcrossTenants(transaction, id, because);
      if (made === undefined) throw new CommandError(`There is no organization ${id}.`);
      if (because === null && made.isBeingErased) {
        throw new CommandError(`The erasure of ${made.name} has begun; it cannot be resumed.`);
      }
      await recordAudit(transaction, operatorCaller('organization', id), {
        kind: because === null ? 'organization.resumed' : 'organization.suspended',
        subject: { kind: 'organization', id },
      });
      return made;
    });
    const { name, suspendedBefore } = change;
    const since = suspendedBefore?.toISOString();
    if (because === null) {
      return [
        since === undefined
          ? `${name} is not suspended.`
          : `${name} is resumed; it was suspended since ${since}.`,
      ];
    }
    const kept = since === undefined ? '' : ` since ${since}; the reason is changed`;
    return [
      `${name} is suspended${kept}. Its webhook events end as skipped; after a resume they can be replayed.`,
    ];
  });
}
