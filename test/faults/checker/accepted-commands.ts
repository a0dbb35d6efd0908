import type { Evidence, StoredCommand, TimelineEntry } from './evidence.ts';
import type { Operation, ShipmentHistory, Violation } from './history.ts';
import { acceptance, decisiveExchange, isRead } from './history.ts';

/**
 * Checks the accepted commands of a shipment against the database: each applied or rejected exactly once, as the client
 * was answered, and in the order of acceptance, where a request that ended before another began is the older.
 */
export function checkAcceptedCommands(history: ShipmentHistory, evidence: Evidence): readonly Violation[] {
  const { shipmentId } = history;
  const commands = evidence.commands.filter((command) => command.shipmentId === shipmentId);
  const timeline = evidence.timeline.filter((entry) => entry.shipmentId === shipmentId);
  const traced = history.operations.flatMap((operation) => traceOf(operation, commands, timeline) ?? []);
  const faults = [
    ...commands.flatMap((command) => undecided(command)),
    ...traced.flatMap((trace) => [...countFaults(trace), ...truthFaults(trace)]),
    ...orderFaults(traced),
  ];
  return faults.map(([property, evidenceLine]) => ({ property, shipmentId, evidence: evidenceLine }));
}

/** A command's traces: rows of `commands` and timeline entries that carry the operation's id. */
interface Trace {
  readonly operation: Operation;
  readonly commands: readonly StoredCommand[];
  readonly entries: readonly TimelineEntry[];
}

type Fault = readonly [property: string, evidence: string];

/** Undefined for what leaves no trace of its own: reads, and commands without a comment. */
function traceOf(
  operation: Operation,
  commands: readonly StoredCommand[],
  timeline: readonly TimelineEntry[],
): Trace | undefined {
  if (isRead(operation.action) || operation.action.kind !== 'transition') return undefined;
  return {
    operation,
    commands: commands.filter(({ comment }) => comment === operation.id),
    entries: timeline.filter(({ comment }) => comment === operation.id),
  };
}

function undecided({ id, kind, status }: StoredCommand): readonly Fault[] {
  if (status === 'received') return [['decided', `command ${id} (${kind}) is still received`]];
  if (status === 'failed') return [['decided', `command ${id} (${kind}) was set aside as failed`]];
  return [];
}

function countFaults({ operation, commands, entries }: Trace): readonly Fault[] {
  const name = nameOf(operation);
  const isAccepted = acceptance(operation) !== undefined;
  const applied = commands.filter(({ status }) => status === 'applied').length;
  const faults: Fault[] = [];
  if (commands.length > 1) faults.push(['exactly once', `${name} was stored ${commands.length} times`]);
  if (isAccepted && commands.length === 0)
    faults.push(['exactly once', `${name} was accepted and is not stored`]);
  if (entries.length > applied) {
    faults.push([
      'exactly once',
      `${name} was applied ${applied} times and has ${entries.length} timeline entries`,
    ]);
  }
  // Assigning the same driver again is applied without an entry (interpretation 10).
  if (entries.length < applied && !isAssignment(operation)) {
    faults.push(['exactly once', `${name} is applied and has no timeline entry`]);
  }
  return faults;
}

/** What a client was answered must be what the database says. */
function truthFaults({ operation, commands, entries }: Trace): readonly Fault[] {
  const status = commands[0]?.status;
  const name = nameOf(operation);
  const verdict = decisiveExchange(operation)?.verdict;
  const { resolution } = operation;
  const faults: Fault[] = [];
  if (verdict === 'applied' && status !== 'applied') {
    faults.push(['true', `${name} was answered as applied and is ${status ?? 'not stored'}`]);
  }
  if ((verdict === 'rejected' || verdict === 'gone') && (status === 'applied' || entries.length > 0)) {
    const statuses = operation.exchanges.map((exchange) => exchange.status ?? 'no response').join(', ');
    faults.push(['true', `${name} was answered with ${statuses} and was applied`]);
  }
  if (resolution !== null && status !== undefined && resolution.status !== status) {
    faults.push(['true', `GET /commands said that ${name} is ${resolution.status}, and it is ${status}`]);
  }
  if (verdict === 'accepted' && resolution === null) {
    faults.push(['decided', `${name} was accepted and its outcome could not be read`]);
  }
  return faults;
}

function orderFaults(traces: readonly Trace[]): readonly Fault[] {
  return traces.flatMap((earlier) =>
    traces.flatMap((later): readonly Fault[] => {
      const first = earlier.commands[0]?.decidedAt;
      const second = later.commands[0]?.decidedAt;
      const isOlder = isAcceptedBefore(earlier.operation, later.operation);
      if (!isOlder || first == null || second == null || first <= second) return [];
      const outcome = `${earlier.commands[0]?.status ?? ''}, ${later.commands[0]?.status ?? ''}`;
      return [
        [
          'order of acceptance',
          `${nameOf(earlier.operation)} was accepted before ${nameOf(later.operation)} was sent and decided after it (${outcome})`,
        ],
      ];
    }),
  );
}

/** Whether one request was accepted before the other was sent, and both were accepted. */
function isAcceptedBefore(earlier: Operation, later: Operation): boolean {
  const accepted = acceptance(earlier)?.endedAtMs;
  const sent = later.exchanges[0]?.sentAtMs;
  if (earlier === later || accepted === undefined || sent === undefined) return false;
  return acceptance(later) !== undefined && accepted < sent;
}

function isAssignment({ action }: Operation): boolean {
  return action.kind === 'transition' && action.transition === 'assign';
}

function nameOf({ id, action }: Operation): string {
  return action.kind === 'transition'
    ? `${action.transition} of task ${action.task} [${id}]`
    : `${action.kind} [${id}]`;
}
