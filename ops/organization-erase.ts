import type { Client } from '@temporalio/client';
import type { OrganizationId } from '../domain/ids.ts';
import { parseId } from '../domain/ids.ts';
import {
  buildErasureIndexes,
  deleteOrganization,
  deleteRows,
  deleteShipments,
  dropErasureIndexes,
  findErasableAcrossTenants,
  markErasureAcrossTenants,
  nextShipments,
} from '../store/accounts/erase-organization.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import type { Database, Executor } from '../store/connection.ts';
import { inTransaction } from '../store/connection.ts';
import { terminateWorkflows } from '../workflows/client/terminate-workflows.ts';
import type { Command, CommandLine } from './command-line.ts';
import { CommandError, readOptions, withDatabase, withTemporal } from './command-line.ts';
import { findServers } from './find-servers.ts';

const USAGE = `Usage: npm run organization -- erase ID --confirm NAME

  ID              the organization's id; it must be suspended
  --confirm NAME  its name, as it is written

It deletes everything of the organization and ends its workflows. Nothing brings it back but a backup.`;

/** Erases an organization (decision 0045). */
export const command: Command = {
  failure: 'The erasure is incomplete: run it again',
  run: async (line) => {
    const [idText = '', ...argv] = line.arguments;
    const { confirm } = readOptions(argv, { confirm: { type: 'string', default: '' } }, USAGE);
    const id = parseId<'organization'>(idText);
    if (id === undefined)
      throw new CommandError(`The id must be that of an organization, a UUID.\n\n${USAGE}`);
    const { databaseUrl, temporal } = await findServers(line);
    await withTemporal(temporal, (client) =>
      withDatabase(databaseUrl, (database) => erase({ database, client, id, confirm, line }), {
        hasNoTimeouts: true,
      }),
    );
    return 0;
  },
};

const PROGRESS_EVERY_MS = 5_000;
const REASON = 'The organization is erased.';

async function erase({
  database,
  client,
  id,
  confirm,
  line,
}: {
  readonly database: Database;
  readonly client: Client;
  readonly id: OrganizationId;
  readonly confirm: string;
  readonly line: CommandLine;
}): Promise<void> {
  const { name, isResumed } = await inTransaction(database, (transaction) => begin(transaction, id, confirm));
  await buildErasureIndexes(database);
  let deleted = 0;
  let saidAtMs = performance.now();
  for (;;) {
    const next = await nextShipments(database, id);
    await terminateWorkflows(client, next, REASON);
    if (next.ids.length === 0) break;
    await deleteShipments(database, next.ids);
    // The reconciler may have started one for rows that were still there.
    await terminateWorkflows(client, next, REASON);
    deleted += next.ids.length;
    if (performance.now() - saidAtMs < PROGRESS_EVERY_MS) continue;
    saidAtMs = performance.now();
    line.printError(`… ${deleted} shipments are deleted`);
  }
  await deleteRows(database, id);
  await inTransaction(database, async (transaction) => {
    await deleteOrganization(transaction, id);
    await recordAudit(transaction, callerOf(id), {
      kind: 'organization.erased',
      subject: { kind: 'organization', id },
      count: deleted,
    });
  });
  await dropErasureIndexes(database);
  line.print(
    `${name} is erased, with ${deleted} shipments${isResumed ? ' in this run' : ''}. Its audit log goes 91 days after each row was written.`,
  );
}

/** Checks that the organization may be erased, and says so in it and in the audit log. Resolves to its name, and whether an earlier run began. */
async function begin(
  transaction: Executor,
  id: OrganizationId,
  confirm: string,
): Promise<{ readonly name: string; readonly isResumed: boolean }> {
  const found = await findErasableAcrossTenants(transaction, id);
  if (found === undefined) throw new CommandError(`There is no organization ${id}.`);
  const { name, isSuspended, startedAt } = found;
  if (!isSuspended) {
    throw new CommandError(
      `${name} is not suspended. Suspend it first: npm run organization -- suspend ${id} REASON`,
    );
  }
  if (confirm !== name) {
    throw new CommandError(
      `Everything of ${name} would be deleted. To do so add: --confirm ${JSON.stringify(name)}`,
    );
  }
  if (startedAt === null) {
    await markErasureAcrossTenants(transaction, id);
    const subject = { kind: 'organization', id } as const;
    await recordAudit(transaction, callerOf(id), { kind: 'organization.erasure_started', subject });
  }
  return { name, isResumed: startedAt !== null };
}

function callerOf(id: OrganizationId) {
  return operatorCaller('organization', id);
}
