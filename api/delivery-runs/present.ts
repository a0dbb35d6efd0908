import { runStatus, taskTotal } from '../../domain/delivery-run.ts';
import { iriOf } from '../../domain/iri.ts';
import type { RunRow, RunTaskRow } from '../../store/delivery-runs/delivery-runs.ts';
import type { Document } from '../hydra/resource.ts';
import { member, resource } from '../hydra/resource.ts';
import type { Assignment } from './assign.ts';

/** A run with its ordered tasks, and the results of the assignments that the request caused (interpretation 5). */
export function presentRun(
  row: RunRow,
  tasks: readonly RunTaskRow[],
  assignments?: readonly Assignment[],
): Document {
  return resource('DeliveryRun', iriOf('delivery_run', row.id), {
    ...properties(row),
    tasks: tasks.map(presentRunTask),
    assignments,
  });
}

/** A run inside a collection, without its tasks. */
export function presentRunMember(row: RunRow): Document {
  return member('DeliveryRun', iriOf('delivery_run', row.id), properties(row));
}

/** The entity tag: the status and the tasks are part of the document. */
export function runEtag(row: RunRow): string {
  return `${row.version}-${row.tasksFingerprint.slice(0, 16)}`;
}

function properties(row: RunRow): Document {
  const status = runStatus(row.planning, row);
  return {
    id: row.id,
    reference: row.reference,
    name: row.name,
    date: row.date,
    driver: row.driverId === null ? null : iriOf('driver', row.driverId),
    status,
    taskCounts: {
      total: taskTotal(row),
      open: row.open,
      inProgress: row.underway,
      completed: row.done,
      failed: row.failed,
      cancelled: row.cancelled,
    },
    startedAt: row.startedAt?.toISOString(),
    completedAt: status === 'completed' ? row.lastEndedAt?.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentRunTask(row: RunTaskRow): Document {
  return member('Task', iriOf('task', row.id), {
    id: row.id,
    type: row.type,
    status: row.status,
    position: row.position,
    shipment: iriOf('shipment', row.shipmentId),
    trackingNumber: row.trackingNumber,
    priority: row.priority,
    driver: row.driverId === null ? null : iriOf('driver', row.driverId),
    address: row.address,
    after: row.after?.toISOString(),
    before: row.before?.toISOString(),
  });
}
