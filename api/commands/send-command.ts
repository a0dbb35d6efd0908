import pMap from 'p-map';
import type { CommandKind, CommandRequest, CommandStatus } from '../../domain/command.ts';
import type { FailureReason, TaskType, Transition } from '../../domain/enumerations.ts';
import type { CommandId, DriverId, ShipmentId, TaskId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { Said } from '../../domain/messages.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, saidOf, stated } from '../../domain/problem.ts';
import { commandName } from '../../domain/decide-command.ts';
import { count } from '../../platform/metrics/metrics.ts';
import { ranOutOfTime } from '../../platform/temporal.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { errorName, inSpan, startSpan } from '../../platform/tracing/tracing.ts';
import type { CommandRecord } from '../../store/commands/commands.ts';
import { findCommand, storeCommand } from '../../store/commands/commands.ts';
import type { WorkflowSubject } from '../../domain/shipment.ts';
import { newId } from '../../store/new-id.ts';
import type { ShipmentSignal } from '../../workflows/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { noteWork, traceOf } from '../http/request-log.ts';
import type { RouteRequest, RouteResponse } from '../http/route.ts';
import { presentPendingCommand } from './fields.ts';

/** A command for one shipment, as the API sends it. */
export interface OutgoingCommand {
  readonly id: CommandId;
  readonly kind: CommandKind;
  readonly subject: WorkflowSubject;
  readonly taskId: TaskId | null;
  readonly request: CommandRequest;
  readonly signal: ShipmentSignal;
}

/** The stored request of a transition. What may be personal stays in it. */
export type TransitionRequest = CommandRequest & {
  readonly transition: Transition;
  readonly driverId?: DriverId;
  readonly reason?: FailureReason;
};

/** What a command came to in time: applied, or still open (`failed`: set aside for the operator). */
type CommandAnswer = 'applied' | 'received' | 'failed';

/** Who sends commands. */
type Sender = Pick<RouteRequest, 'actor' | 'context' | 'dependencies'>;

const BACKLOG_RETRY_AFTER_SECONDS = 5;
/** Of one request. */
export const CONCURRENT_COMMANDS = 16;

/**
 * Sends a command and answers for it: by `applied` where it was applied in time, else by a 202 with its location (decision
 * 0001). `waitMs` is that of the configuration by default. Throws as `sendCommand` does.
 */
export async function answerCommand(
  sender: Sender,
  command: OutgoingCommand,
  applied: () => RouteResponse | Promise<RouteResponse>,
  waitMs?: number,
): Promise<RouteResponse> {
  const answer = await sendCommand(sender, command, waitMs);
  return answer === 'applied' ? applied() : pendingAnswer(command.id, answer);
}

/**
 * Answers a request whose Idempotency-Key an earlier request had (route.ts `repeat`), from the command that it stored: waits
 * for the outcome, and lets `applied` answer for an applied one. Resolves to undefined when no command was stored. Throws the
 * ProblemError of a rejected command.
 */
export async function answerRepeatedCommand(
  { context, dependencies: { config, database, outcomes }, effectId }: RouteRequest,
  applied: (record: CommandRecord) => RouteResponse | Promise<RouteResponse>,
  waitMs: number = config.commandWaitMs,
): Promise<RouteResponse | undefined> {
  const id = toId<'command'>(effectId);
  const decided = outcomes.waitForOutcome(id, waitMs);
  const stored = await findCommand(database, id);
  if (stored === undefined) return undefined;
  noteWork(context, stored.shipmentId, id);
  const isOpen = stored.status === 'received' && (await decided) !== 'timed_out';
  const record = isOpen ? ((await findCommand(database, id)) ?? stored) : stored;
  const answer = answerOf(record);
  return answer === 'applied' ? applied(record) : pendingAnswer(id, answer);
}

/** What became of one of several items: `pending` is stored and will be decided later. */
interface SentCommand<Item> extends Partial<Said> {
  readonly item: Item;
  /** One that was not applied says why. */
  readonly status: 'applied' | 'pending' | 'unchanged' | 'error';
}

/**
 * Sends a command for each item, sixteen at a time, and resolves to what became of each, in their order. `commandFor` makes
 * none for an item that stays `unchanged`; what it throws as a ProblemError is the item's `error`, as a rejection is.
 */
export function sendCommands<Item>(
  sender: Sender,
  items: readonly Item[],
  commandFor: (item: Item) => OutgoingCommand | undefined | Promise<OutgoingCommand | undefined>,
): Promise<SentCommand<Item>[]> {
  let { commandWaitMs: waitMs } = sender.dependencies.config;
  const send = async (item: Item): Promise<SentCommand<Item>> => {
    try {
      const command = await commandFor(item);
      if (command === undefined) return { item, status: 'unchanged' };
      if ((await sendCommand(sender, command, waitMs)) === 'applied') return { item, status: 'applied' };
      // Where commands are not decided in time, those that wait already are the last that do.
      waitMs = 0;
      return {
        item,
        status: 'pending',
        ...say('command_pending', { command: iriOf('command', command.id) }),
      };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { item, status: 'error', ...saidOf(error.problem) };
    }
  };
  return pMap(items, send, { concurrency: CONCURRENT_COMMANDS });
}

/**
 * Stores a command, signals its shipment's workflow, and waits for the outcome (decision 0001). Once it
 * is stored it will be applied or rejected, whatever fails after. Resolves to `received` when the bound passed, or when
 * Temporal is unreachable. Throws the ProblemError of a rejected command, marked as its outcome, and a 429 with nothing stored
 * where the shipment has too many undecided commands.
 */
async function sendCommand(
  sender: Sender,
  command: OutgoingCommand,
  waitMs: number = sender.dependencies.config.commandWaitMs,
): Promise<CommandAnswer> {
  const { config, database, outcomes } = sender.dependencies;
  // The wait begins before anything can decide the command, so that no notification is missed.
  const decided = outcomes.waitForOutcome(command.id, waitMs);
  noteWork(sender.context, command.subject.id, command.id);
  const { status, trace } = await acceptCommand(sender, command);
  if (status === 'backlog_full') throw backlogFull(config.maxUndecidedCommands);
  if (status === 'received') {
    count('commands_accepted_total', { kind: commandName(command) });
    const outcome = await Promise.race([
      decided,
      signalWorkflow(sender, command, trace).then((isSent) => (isSent ? decided : ('timed_out' as const))),
    ]);
    if (outcome === 'timed_out') return 'received';
    // The notification says all there is to know; only a rejection has to be read.
    if (outcome !== 'rejected') return outcome;
  }
  return answerOf(await findCommand(database, command.id));
}

/** Stores a command, in a span to which its decision will belong. Resolves to what `storeCommand` does, with that span. */
async function acceptCommand(
  { actor, context, dependencies: { config, database } }: Sender,
  command: OutgoingCommand,
): Promise<{ readonly status: CommandStatus | 'backlog_full'; readonly trace: TraceContext | null }> {
  const { subject, signal: _, ...stored } = command;
  const { userId: actorId, organizationId } = actor;
  const span = startSpan('accept', traceOf(context), {
    'shipments.command.id': command.id,
    'shipments.command.kind': commandName(command),
    'shipments.shipment.id': subject.id,
    'shipments.organization.id': organizationId,
  });
  const trace = span.context;
  const status = await inSpan(
    span,
    () =>
      storeCommand(
        database,
        { ...stored, shipmentId: subject.id, organizationId, actorId, trace },
        config.maxUndecidedCommands,
      ),
    (result) => ({ attributes: { 'shipments.command.status': result } }),
  );
  return { status, trace };
}

/** Signals the workflow of a stored command. Never rejects; resolves to false where Temporal cannot be reached. */
async function signalWorkflow(
  { dependencies: { workflows, log } }: Sender,
  { id, subject, signal }: OutgoingCommand,
  trace: TraceContext | null,
): Promise<boolean> {
  const span = startSpan('signal', trace, { 'shipments.shipment.id': subject.id });
  const ended = (result: 'sent' | 'late' | 'failed', error?: string): void => {
    count('workflow_signals_total', { result });
    span.end({ attributes: { 'shipments.signal.result': result }, error });
  };
  try {
    await workflows.signal(subject, signal);
    ended('sent');
    return true;
  } catch (error) {
    const isLate = ranOutOfTime(error);
    const reason = errorName(error);
    ended(isLate ? 'late' : 'failed', reason);
    log.warn({ commandId: id, reason }, 'Temporal unreachable; the reconciler will retry');
    return isLate;
  }
}

/** Reads a command that was applied. */
export async function appliedCommand({ database }: Dependencies, id: CommandId): Promise<CommandRecord> {
  const record = await findCommand(database, id);
  if (record?.status !== 'applied') throw new Error('the stored command is not applied');
  return record;
}

function answerOf(record: CommandRecord | undefined): CommandAnswer {
  if (record === undefined) return 'received';
  const { status, problem } = record;
  if (status !== 'rejected') return status;
  if (problem === null) throw new Error('a rejected command has no problem');
  throw new ProblemError(problem, { isOutcome: true });
}

function backlogFull(maxUndecided: number): ProblemError {
  return new ProblemError({
    kind: 'limited',
    ...stated(say('too_many_commands', { limit: maxUndecided })),
    retryAfterSeconds: BACKLOG_RETRY_AFTER_SECONDS,
  });
}

function pendingAnswer(id: CommandId, status: Exclude<CommandAnswer, 'applied'>): RouteResponse {
  return {
    status: 202,
    headers: { location: iriOf('command', id), 'retry-after': '2' },
    body: presentPendingCommand(id, status),
  };
}

/** The command that approves or deletes a shipment. */
export function shipmentCommand(
  kind: 'approve' | 'delete',
  shipment: Omit<WorkflowSubject, 'status'>,
): OutgoingCommand {
  const id = newId<'command'>();
  const signal = { name: kind, commandId: id };
  return { id, kind, subject: workflowSubject(shipment), taskId: null, request: {}, signal };
}

/** The command that applies a transition to a task. The signal has ids and words of the contract alone. */
export function transitionCommand(
  id: CommandId,
  task: Omit<WorkflowSubject, 'id' | 'status'> & {
    readonly id: TaskId;
    readonly type: TaskType;
    readonly shipmentId: ShipmentId;
  },
  request: TransitionRequest,
): OutgoingCommand {
  const { transition, driverId, reason } = request;
  return {
    id,
    kind: 'transition',
    subject: workflowSubject({ ...task, id: task.shipmentId }),
    taskId: task.id,
    request,
    signal: {
      name: transition,
      commandId: id,
      taskId: task.id,
      taskType: task.type,
      ...(driverId && { driverId }),
      ...(reason && { reason }),
    },
  };
}

/** What a shipment's workflow is found and started by, of a row that has more. */
export function workflowSubject(row: Omit<WorkflowSubject, 'status'>): WorkflowSubject {
  const { id, organizationId, trackingNumber, priority } = row;
  return { id, organizationId, trackingNumber, priority };
}
