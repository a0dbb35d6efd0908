import type { CommandKind, CommandRequest, CommandStatus } from '../../domain/command.ts';
import type { CommandId, ShipmentId, TaskId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import { ProblemError } from '../../domain/problem.ts';
import { ranOutOfTime } from '../../platform/temporal.ts';
import type { CommandRecord } from '../../store/commands/commands.ts';
import { findCommand, storeCommand } from '../../store/commands/commands.ts';
import type { WorkflowSubject } from '../../workflows/client/shipment-workflow-client.ts';
import type { ShipmentSignal } from '../../workflows/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RouteResponse, UserActor } from '../http/route.ts';
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

/** What a command came to in time: applied, or still open (`failed`: set aside for the operator). */
export type CommandAnswer = 'applied' | 'received' | 'failed';

const BACKLOG_RETRY_AFTER_SECONDS = 5;

/**
 * Stores a command, signals its shipment's workflow, and waits for the outcome (decision 0001). Once it
 * is stored it will be applied or rejected, whatever fails after. Resolves to `received` when the bound passed, or when
 * Temporal is unreachable. Throws the ProblemError of a rejected command, marked as its outcome, and a 429 with nothing stored
 * where the shipment has too many undecided commands.
 */
export async function sendCommand(
  dependencies: Dependencies,
  actor: UserActor,
  command: OutgoingCommand,
  waitMs: number = dependencies.config.commandWaitMs,
): Promise<CommandAnswer> {
  const { config, database, outcomes, workflows, log } = dependencies;
  // The wait begins before anything can decide the command, so that no notification is missed.
  const decided = outcomes.waitForOutcome(command.id, waitMs);
  const { id, kind, taskId, request, subject } = command;
  const status = await storeCommand(
    database,
    {
      id,
      organizationId: actor.organizationId,
      shipmentId: subject.id,
      taskId,
      kind,
      actorId: actor.userId,
      request,
    },
    config.maxUndecidedCommands,
  );
  if (status === 'backlog_full') throw backlogFull(config.maxUndecidedCommands);
  if (status === 'received') {
    const signalled = workflows.signal(subject, command.signal).then(
      () => true,
      (error: unknown) => {
        const reason = error instanceof Error ? error.name : 'unknown';
        log.warn({ commandId: id, reason }, 'Temporal unreachable; the reconciler will retry');
        return ranOutOfTime(error);
      },
    );
    const outcome = await Promise.race([
      decided,
      signalled.then((isSent) => (isSent ? decided : ('timed_out' as const))),
    ]);
    if (outcome === 'timed_out') return 'received';
    // The notification says all there is to know; only a rejection has to be read.
    if (outcome !== 'rejected') return outcome;
  }
  return answerOf(await findCommand(database, id));
}

/**
 * Looks up the command that an earlier request with the same Idempotency-Key stored, and waits for its outcome. Resolves to
 * undefined when that request stored none. Throws the ProblemError of a rejected command.
 */
export async function findSentCommand(
  { config, database, outcomes }: Dependencies,
  id: CommandId,
): Promise<{ readonly answer: CommandAnswer; readonly record: CommandRecord } | undefined> {
  const decided = outcomes.waitForOutcome(id, config.commandWaitMs);
  const stored = await findCommand(database, id);
  if (stored === undefined) return undefined;
  const isOpen = stored.status === 'received' && (await decided) !== 'timed_out';
  const record = isOpen ? ((await findCommand(database, id)) ?? stored) : stored;
  return { answer: answerOf(record), record };
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
    detail: `The shipment has ${maxUndecided} undecided commands. Retry later.`,
    retryAfterSeconds: BACKLOG_RETRY_AFTER_SECONDS,
  });
}

/** The 202 with the command's location: the command is accepted, and its outcome can be read there (decision 0001). */
export function pendingAnswer(
  id: CommandId,
  status: Extract<CommandStatus, 'received' | 'failed'>,
): RouteResponse {
  return {
    status: 202,
    headers: { location: iriOf('command', id), 'retry-after': '2' },
    body: presentPendingCommand(id, status),
  };
}

/** The run of a shipment by the parts that are at hand. */
export function workflowSubject(
  shipment: { readonly id: ShipmentId; readonly trackingNumber: string } & Pick<
    WorkflowSubject,
    'organizationId' | 'priority'
  >,
): WorkflowSubject {
  const { id, organizationId, trackingNumber, priority } = shipment;
  return { id, organizationId, trackingNumber, priority };
}
