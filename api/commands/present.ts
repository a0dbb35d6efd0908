import type { CommandId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { CommandRecord } from '../../store/commands.ts';
import { problemResponse } from '../http/problem-response.ts';
import type { Document } from '../hydra/resource.ts';
import { resource } from '../hydra/resource.ts';

/** A command: `received`, `applied`, or `refused` with its problem. */
export function presentCommand(command: CommandRecord): Document {
  const refusal = command.problem === null ? null : problemResponse(command.problem, command.id).body;
  return resource('Command', iriOf('command', command.id), {
    id: command.id,
    kind: command.kind,
    status: command.status,
    shipment: iriOf('shipment', command.shipmentId),
    task: command.taskId === null ? null : iriOf('task', command.taskId),
    problem: refusal,
    receivedAt: command.receivedAt.toISOString(),
    decidedAt: command.decidedAt?.toISOString(),
  });
}

/** A command that has just been accepted. */
export function presentPendingCommand(id: CommandId): Document {
  return resource('Command', iriOf('command', id), { id, status: 'received' });
}
