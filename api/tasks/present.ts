import { iriOf } from '../../domain/iri.ts';
import type { CommandRecord } from '../../store/commands/commands.ts';
import type { RecordResponse } from '../resource/resource.ts';
import { recordResponse } from '../resource/resource.ts';
import { resource } from '../hydra/resource.ts';

/**
 * What a command made of its task, where the task cannot be shown: for a repeated request whose first answer was lost, as
 * the caller may no longer see the task, and for a shipment that was deleted meanwhile. The stored outcome and nothing else;
 * its entity tag never matches a task, so a change with it is rejected until the client has read the task again.
 */
export function presentCommandResult({ taskId, shipmentId, result }: CommandRecord): RecordResponse {
  if (taskId === null || result === null) throw new Error('an applied command lacks its task or its result');
  const body = resource('Task', iriOf('task', taskId), {
    id: taskId,
    type: result.taskType,
    status: result.taskStatus,
    shipment: iriOf('shipment', shipmentId),
    shipmentStatus: result.shipmentStatus,
  });
  return recordResponse(body, () => null);
}
