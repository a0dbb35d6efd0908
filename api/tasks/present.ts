import { iriOf } from '../../domain/iri.ts';
import { allowedTransitions } from '../../domain/transition.ts';
import type { CommandRecord } from '../../store/commands/commands.ts';
import type { RecordResponse } from '../resource/resource.ts';
import type { TaskRow } from '../../store/shipments/tasks.ts';
import { shipmentStateOf } from '../../store/shipments/tasks.ts';
import type { Document } from '../hydra/resource.ts';
import { member, resource } from '../hydra/resource.ts';

/** A task in full (interpretation 4). */
export function presentTask(row: TaskRow): Document {
  const shown = properties(row);
  const transition = shown.allowedTransitions.length === 0 ? null : `${iriOf('task', row.id)}/transition`;
  return resource('Task', iriOf('task', row.id), { ...shown, transition });
}

/** A task inside a collection. */
export function presentTaskMember(row: TaskRow): Document {
  return member('Task', iriOf('task', row.id), properties(row));
}

/**
 * What a command made of its task, where the task cannot be shown: for a repeated request whose first answer was lost, as
 * the caller may no longer see the task, and for a shipment that was deleted meanwhile. The stored outcome and nothing else.
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
  const { taskVersion: version, shipmentVersion } = result;
  return { status: 200, body, etag: taskEtag({ version, shipmentVersion }) };
}

/** The entity tag: what is allowed depends on the whole shipment, whose version grows with any of its tasks. */
export function taskEtag(row: Pick<TaskRow, 'version' | 'shipmentVersion'>): string {
  return `${row.version}-${row.shipmentVersion}`;
}

function properties(row: TaskRow) {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    allowedTransitions: allowedTransitions(shipmentStateOf(row), row),
    shipment: iriOf('shipment', row.shipmentId),
    shipmentStatus: row.shipmentStatus,
    trackingNumber: row.trackingNumber,
    priority: row.priority,
    driver: row.driverId === null ? null : iriOf('driver', row.driverId),
    deliveryRun: row.deliveryRunId === null ? null : iriOf('delivery_run', row.deliveryRunId),
    position: row.position,
    address: row.address,
    contact: row.contact,
    after: row.after?.toISOString(),
    before: row.before?.toISOString(),
    previous: row.previousId === null ? null : iriOf('task', row.previousId),
    attempts: row.attempts,
    failureReason: row.failureReason,
    failureComment: row.failureComment,
    notes: row.notes,
    proof: row.proof,
    assignedAt: row.assignedAt?.toISOString(),
    startedAt: row.startedAt?.toISOString(),
    completedAt: row.completedAt?.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
