import { setTimeout as delay } from 'node:timers/promises';
import { readMoment } from '../api/schema/schema-moments.ts';
import { isOneOf } from '../domain/enumerations.ts';
import type { OrganizationId } from '../domain/ids.ts';
import { parseId } from '../domain/ids.ts';
import { FAILED_STATUSES, REPLAY_WAIT_SECONDS, REPLAYABLE_STATUSES } from '../domain/webhook.ts';
import type { Database } from '../store/connection.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import { inTransaction, selectOne } from '../store/connection.ts';
import type { DeadLetterFilter, DeadLetterGroup, DeadLetterTurn } from '../store/webhooks/dead-letters.ts';
import { countDeadLettersAcrossTenants, openDeadLetters } from '../store/webhooks/dead-letters.ts';
import type { Command, CommandLine } from './command-line.ts';
import { CommandError, onDatabase, readOptions } from './command-line.ts';

const DEFAULT_PER_SECOND = 5;
/** The reconciler begins no more (worker/reconciler.ts). */
const MAXIMUM_PER_SECOND = 40;
/** Events of an organization that one turn opens, so that organizations take turns. */
const EVENTS_PER_TURN = 5;
const WAIT_MS = 1_000;

const USAGE = `Usage: npm run dead-letters -- list [options]
       npm run dead-letters -- replay [options]

  list    counts the events that were not delivered, by organization and host
  replay  sends them again with the same bytes, the oldest of each organization first, until none is left; an organization
          with live events under way waits, a minute at most. It can be stopped and run again.

  --from MOMENT, --to MOMENT  when the events were made, both inclusive, for example 2026-03-01T09:30:00Z
  --organization ID           those of one organization
  --host HOST                 those whose last attempt went to this host
  --status STATUS             ${REPLAYABLE_STATUSES.join(', ')}; several are separated by commas (default: ${FAILED_STATUSES.join(',')})
  --per-second NUMBER         of replay: 1 to ${MAXIMUM_PER_SECOND} (default: ${DEFAULT_PER_SECOND})
  --not-replayed-since MOMENT leaves out what was replayed from then on; replay prints it when it begins`;

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  organization: { type: 'string' },
  host: { type: 'string' },
  status: { type: 'string', default: FAILED_STATUSES.join(',') },
  'per-second': { type: 'string', default: String(DEFAULT_PER_SECOND) },
  'not-replayed-since': { type: 'string' },
} as const;

/** Lists and replays webhook events of all organizations. */
export const command: Command = {
  failure: (act) =>
    act === 'replay' ? 'Not all was replayed; what was opened is being sent' : 'Nothing was listed',
  run: (line) => {
    const [act, ...argv] = line.arguments;
    if (act !== 'list' && act !== 'replay') throw new CommandError(USAGE);
    const { filter, perSecond } = parseOptions(argv);
    // To count what all organizations have may take longer than a request may.
    return onDatabase(
      line,
      (database) => (act === 'list' ? list(database, filter) : replay(database, filter, perSecond, line)),
      { hasNoTimeouts: true },
    );
  },
};

function parseOptions(argv: readonly string[]): {
  readonly filter: DeadLetterFilter;
  readonly perSecond: number;
} {
  const values = readOptions(argv, OPTIONS, USAGE);
  const faults: string[] = [];
  const moment = (name: 'from' | 'to' | 'not-replayed-since') => {
    const text = values[name];
    if (text === undefined) return null;
    const read = readMoment(text);
    if (read === undefined)
      faults.push(`--${name} must be a moment with offset, for example 2026-03-01T09:30:00Z.`);
    return read ?? null;
  };
  const organizationId =
    values.organization === undefined ? null : parseId<'organization'>(values.organization);
  if (organizationId === undefined) faults.push('--organization must be the id of an organization, a UUID.');
  const words = values.status.split(',');
  const statuses = words.filter((word) => isOneOf(REPLAYABLE_STATUSES, word));
  if (statuses.length < words.length) faults.push(`--status must be of: ${REPLAYABLE_STATUSES.join(', ')}.`);
  const perSecond = Number(values['per-second']);
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > MAXIMUM_PER_SECOND) {
    faults.push(`--per-second must be a whole number from 1 to ${MAXIMUM_PER_SECOND}.`);
  }
  const filter = {
    statuses,
    organizationId: organizationId ?? null,
    host: values.host?.toLowerCase() ?? null,
    from: moment('from'),
    to: moment('to'),
    notReplayedSince: moment('not-replayed-since'),
  };
  if (faults.length > 0) throw new CommandError(`${faults.join('\n')}\n\n${USAGE}`);
  return { filter, perSecond };
}

async function list(database: Database, filter: DeadLetterFilter): Promise<readonly string[]> {
  const groups = await countDeadLettersAcrossTenants(database, filter);
  if (groups.length === 0) return ['There is no such event.'];
  return [...groups.map(lineOf), `${totalOf(groups)} events in all.`];
}

function lineOf({ organizationId, name, host, count, oldest, newest, lastError }: DeadLetterGroup): string {
  const span = `${oldest.toISOString()} to ${newest.toISOString()}`;
  return `${count}  ${host ?? 'no host'}  ${organizationId} (${name})  ${span}  ${lastError ?? 'no attempt'}`;
}

function totalOf(groups: readonly DeadLetterGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

/** Gives each organization a turn after the other, at the pace, until no event is left that may be sent. */
async function replay(
  database: Database,
  given: DeadLetterFilter,
  perSecond: number,
  { print }: CommandLine,
): Promise<readonly string[]> {
  const filter = { ...given, notReplayedSince: given.notReplayedSince ?? (await now(database)) };
  const groups = await countDeadLettersAcrossTenants(database, filter);
  const total = totalOf(groups);
  if (total === 0) return ['There is no such event.'];
  print(
    `${total} events. To go on after a stop: --not-replayed-since ${filter.notReplayedSince.toISOString()}`,
  );
  let waiting: readonly Waiting[] = [
    ...new Map(groups.map(({ organizationId: id, name }) => [id, { id, name, sinceMs: null }])).values(),
  ];
  let opened = 0;
  const blocked: string[] = [];
  while (waiting.length > 0) {
    const next: Waiting[] = [];
    let openedNow = 0;
    for (const one of waiting) {
      const turn = await takeTurn(database, one, filter, Math.min(EVENTS_PER_TURN, perSecond));
      if (turn.kind === 'blocked') blocked.push(`Left out: ${one.id} (${one.name}): ${turn.reason}`);
      if (turn.kind === 'waits') next.push(waits(one, turn.for, print));
      if (turn.kind !== 'opened' || turn.count === 0) continue;
      next.push(turn.hasLive ? one : { ...one, sinceMs: null });
      openedNow += turn.count;
      await delay((turn.count / perSecond) * 1_000);
    }
    opened += openedNow;
    if (openedNow > 0) print(`${opened} of ${total} are being sent again.`);
    else if (next.length > 0) await delay(WAIT_MS);
    waiting = next;
  }
  return [...blocked, `Done: ${opened} events are being sent again.`];
}

/** An organization that waits for its next turn. */
interface Waiting {
  readonly id: OrganizationId;
  readonly name: string;
  /** Since when its live events keep it from its turns, on the clock of this process; null while they do not. */
  readonly sinceMs: number | null;
}

/** Opens what a turn may open, with its row of the audit log. Live events keep an organization from its turns for a minute. */
function takeTurn(
  database: Database,
  { id, sinceMs }: Waiting,
  filter: DeadLetterFilter,
  count: number,
): Promise<DeadLetterTurn> {
  const ignoresLive = sinceMs !== null && performance.now() - sinceMs >= REPLAY_WAIT_SECONDS * 1_000;
  return inTransaction(database, async (transaction) => {
    const turn = await openDeadLetters(transaction, id, filter, count, ignoresLive);
    if (turn.kind === 'opened' && turn.count > 0) {
      const note = { kind: 'webhooks.replayed', count: turn.count } as const;
      await recordAudit(transaction, operatorCaller('dead-letters', id), note);
    }
    return turn;
  });
}

/** Says once who waits for the end of its live events, and remembers since when. */
function waits(one: Waiting, what: 'live' | 'replays', print: CommandLine['print']): Waiting {
  if (what === 'replays' || one.sinceMs !== null) return one;
  print(`Waits up to ${REPLAY_WAIT_SECONDS} s for its live events: ${one.id} (${one.name})`);
  return { ...one, sinceMs: performance.now() };
}

async function now(database: Database): Promise<Date> {
  const row = await selectOne<{ now: Date }>(database, 'select clock_timestamp() as now');
  return row?.now ?? new Date();
}
