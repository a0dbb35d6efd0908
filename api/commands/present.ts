import type { CommandStatus } from '../../domain/command.ts';
import type { CommandId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { CommandRecord } from '../../store/commands/commands.ts';
import { problemResponse } from '../http/problem-response.ts';
import type { Document } from '../hydra/resource.ts';
import { resource } from '../hydra/resource.ts';

/** A command: `received`, `applied`, `rejected` with its problem, or `failed`. */
export function presentCommand(command: CommandRecord): Document {
  const problem = command.problem === null ? null : problemResponse(command.problem, command.id).body;
  return resource('Command', iriOf('command', command.id), {
    id: command.id,
    kind: command.kind,
    status: command.status,
    shipment: iriOf('shipment', command.shipmentId),
    task: command.taskId === null ? null : iriOf('task', command.taskId),
    problem,
    receivedAt: command.receivedAt.toISOString(),
    decidedAt: command.decidedAt?.toISOString(),
  });
}

/** A command that is accepted and not decided. */
export function presentPendingCommand(id: CommandId, status: CommandStatus): Document {
  return resource('Command', iriOf('command', id), { id, status });
}
