import type { CommandId } from '../domain/ids.ts';
import { parseId } from '../domain/ids.ts';
import type { Database } from '../store/connection.ts';
import {
  dismissFailedCommand,
  findFailedCommands,
  retryFailedCommand,
} from '../store/commands/failed-commands.ts';
import type { Command } from './command-line.ts';
import { CommandError, onDatabase } from './command-line.ts';

const MAX_LISTED = 200;

const USAGE = `Usage: npm run commands -- list
       npm run commands -- retry ID...
       npm run commands -- dismiss ID...

  list     shows the commands that failed on every attempt to decide them
  retry    accepts a failed command again, after the commands that its shipment has accepted since
  dismiss  rejects a failed command for good`;

const ACTS = {
  retry: {
    settle: retryFailedCommand,
    outcome: 'accepted again; the reconciler signals its workflow within seconds',
  },
  dismiss: { settle: dismissFailedCommand, outcome: 'rejected' },
} as const;

/** Lists, retries and dismisses failed commands. */
export const command: Command = {
  failure: 'Nothing was changed',
  run: (line) => {
    const [act, ...texts] = line.arguments;
    if (act === 'list' && texts.length === 0) return onDatabase(line, list);
    if (act !== 'retry' && act !== 'dismiss') throw new CommandError(USAGE);
    const ids = parseIds(act, texts);
    return onDatabase(line, (database) => settleAll(database, act, ids));
  },
};

function parseIds(act: string, texts: readonly string[]): readonly CommandId[] {
  const known = texts.flatMap((text) => parseId<'command'>(text) ?? []);
  if (known.length > 0 && known.length === texts.length) return known;
  throw new CommandError(`Each argument after "${act}" must be the id of a command, a UUID.\n\n${USAGE}`);
}

async function settleAll(
  database: Database,
  act: keyof typeof ACTS,
  ids: readonly CommandId[],
): Promise<readonly string[]> {
  const { settle, outcome } = ACTS[act];
  const lines: string[] = [];
  const unknown: string[] = [];
  for (const id of ids) {
    if (await settle(database, id)) lines.push(`${id}: ${outcome}`);
    else unknown.push(`${id}: there is no failed command with this id`);
  }
  if (unknown.length > 0) throw new CommandError([...lines, ...unknown].join('\n'));
  return lines;
}

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
