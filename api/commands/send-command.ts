import type { CommandId, ShipmentId, TaskId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/problem.ts';
import { iriOf } from '../../domain/iri.ts';
import { findCommand, storeCommand } from '../../store/commands.ts';
import type { CommandKind, CommandRequest } from '../../store/locked-shipment.ts';
import { ranOutOfTime } from '../../platform/temporal.ts';
import type { CommandNotice, RunSubject } from '../../workflows/client/shipment-runs.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Answer, UserActor } from '../http/route.ts';
import { presentPendingCommand } from './present.ts';

/** A command for one shipment, as the API hands it over. */
export interface OutgoingCommand {
  readonly id: CommandId;
  readonly kind: CommandKind;
  readonly subject: RunSubject;
  readonly taskId: TaskId | null;
  readonly request: CommandRequest;
  readonly notice: CommandNotice;
}

/** How a command was answered in time, or that it was not. */
export type CommandAnswer = 'applied' | 'pending';

/**
 * Stores a command, signals its shipment's run, and waits for the outcome (design, «Flow of a write» 2 and 5). Once it
 * is stored it will be applied or refused, whatever breaks after. Resolves to `pending` when the bound passed, or at
 * once when Temporal is away; throws the Refusal when it was refused.
 */
export async function sendCommand(
  dependencies: Dependencies,
  actor: UserActor,
  command: OutgoingCommand,
  waitMs: number = dependencies.config.commandWaitMs,
): Promise<CommandAnswer> {
  const { database, outcomes, runs, log } = dependencies;
  // The wait is registered before anything can decide the command, so that no notice is missed.
  const decided = outcomes.decided(command.id, waitMs);
  const status = await storeCommand(database, {
    id: command.id,
    organizationId: actor.organizationId,
    shipmentId: command.subject.id,
    taskId: command.taskId,
    kind: command.kind,
    actorId: actor.userId,
    request: command.request,
  });
  if (status === 'received') {
    const signalled = runs.tell(command.subject, command.notice).then(
      () => true,
      (error: unknown) => {
        log.warn(
          { commandId: command.id, reason: error instanceof Error ? error.name : 'unknown' },
          'Temporal did not answer: the relay will signal this command, unless it arrived',
        );
        return ranOutOfTime(error);
      },
    );
    const outcome = await Promise.race([decided, signalled.then((isSent) => (isSent ? decided : 'waiting'))]);
    if (outcome === 'waiting') return 'pending';
    // The notice says all there is to know; only a refusal has to be read.
    if (outcome === 'applied') return 'applied';
  }
  const record = await findCommand(database, command.id);
  if (record?.status === 'refused' && record.problem !== null) throw new Refusal(record.problem);
  return record?.status === 'applied' ? 'applied' : 'pending';
}

/** The 202 that points at the command (gap 5 of the flow): it is accepted, and its outcome can be asked for. */
export function pendingAnswer(id: CommandId): Answer {
  return {
    status: 202,
    headers: { location: iriOf('command', id), 'retry-after': '2' },
    body: presentPendingCommand(id),
  };
}

/** The run of a shipment by the parts that are at hand. */
export function runSubject(
  shipment: { readonly id: ShipmentId; readonly trackingNumber: string } & Pick<
    RunSubject,
    'organizationId' | 'priority'
  >,
): RunSubject {
  const { id, organizationId, trackingNumber, priority } = shipment;
  return { id, organizationId, trackingNumber, priority };
}
