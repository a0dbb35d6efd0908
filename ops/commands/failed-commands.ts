import type { CommandId } from '../../domain/ids.ts';
import { parseId } from '../../domain/ids.ts';
import type { Database } from '../../store/connection.ts';
import {
  dismissFailedCommand,
  findFailedCommands,
  retryFailedCommand,
} from '../../store/commands/failed-commands.ts';
import { UsageError } from '../organization/usage-error.ts';

/** What the operator asks for. */
export type FailedCommandsRequest =
  { readonly act: 'list' } | { readonly act: 'retry' | 'dismiss'; readonly ids: readonly CommandId[] };

const MAX_LISTED = 200;

const USAGE = `Usage: npm run commands -- list
       npm run commands -- retry ID...
       npm run commands -- dismiss ID...

  list     shows the commands that failed on every attempt to decide them
  retry    accepts a failed command again, after the commands that its shipment has accepted since
  dismiss  rejects a failed command for good`;

/** Reads the arguments. Throws a UsageError with the usage. */
export function parseFailedCommandsRequest(argv: readonly string[]): FailedCommandsRequest {
  const [act, ...texts] = argv;
  if (act === 'list' && texts.length === 0) return { act };
  if (act !== 'retry' && act !== 'dismiss') throw new UsageError(USAGE);
  const ids = texts.map((text) => parseId<'command'>(text));
  const known = ids.flatMap((id) => id ?? []);
  if (known.length === 0 || known.length < ids.length) {
    throw new UsageError(`Each argument after "${act}" must be the id of a command, a UUID.\n\n${USAGE}`);
  }
  return { act, ids: known };
}

/** Does what the operator asks for; resolves to the lines to print. Throws a UsageError for ids that have not failed. */
export async function handleFailedCommands(
  database: Database,
  request: FailedCommandsRequest,
): Promise<readonly string[]> {
  if (request.act === 'list') return list(database);
  const settle = request.act === 'retry' ? retryFailedCommand : dismissFailedCommand;
  const lines: string[] = [];
  const unknown: string[] = [];
  for (const id of request.ids) {
    if (await settle(database, id)) lines.push(`${id}: ${OUTCOME[request.act]}`);
    else unknown.push(id);
  }
  if (unknown.length === 0) return lines;
  throw new UsageError(
    [...lines, ...unknown.map((id) => `${id}: there is no failed command with this id`)].join('\n'),
  );
}

const OUTCOME = {
  retry: 'accepted again; the reconciler signals its workflow within seconds',
  dismiss: 'rejected',
} as const;

async function list(database: Database): Promise<readonly string[]> {
  const commands = await findFailedCommands(database, MAX_LISTED);
  if (commands.length === 0) return ['No command has failed.'];
  return [
    ...commands.map(
      ({ id, kind, shipmentId, organizationId, failedAt, failure }) =>
        `${id}  ${kind}  shipment ${shipmentId}  organization ${organizationId}  ${failedAt.toISOString()}\n    ${failure}`,
    ),
    ...(commands.length === MAX_LISTED ? [`These are the first ${MAX_LISTED}.`] : []),
  ];
}
