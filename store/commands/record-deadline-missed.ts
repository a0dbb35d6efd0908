import { decideMissedDeadline } from '../../domain/decide-command.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import type { Database } from '../connection.ts';
import { inTransaction } from '../connection.ts';
import { lockShipment, lockTasks } from './lock-shipment.ts';
import type { ShipmentSnapshot } from './shipment-snapshot.ts';
import { readSnapshot } from './shipment-snapshot.ts';
import { writeShipment } from './write-shipment.ts';

/**
 * Records once that a delivery deadline has passed: a timeline entry `deadline_missed` at the moment when it was due, no
 * event (interpretation 20). The deadline is read again under the lock, because an edit may have moved it since the
 * timer was set; `nowIsAtLeast` is the moment for which the workflow's timer was set: no clock has to agree with
 * another's. Resolves to the shipment as it then is. Throws when there is no such shipment.
 */
export function recordDeadlineMissed(
  database: Database,
  id: ShipmentId,
  nowIsAtLeast: Date,
): Promise<ShipmentSnapshot> {
  return inTransaction(database, async (transaction) => {
    const shipment = await lockShipment(transaction, id);
    if (shipment === undefined) throw new Error(`there is no shipment ${id}`);
    const decision = decideMissedDeadline(shipment, nowIsAtLeast);
    if (decision.kind === 'applied') {
      const tasks = await lockTasks(transaction, id);
      await writeShipment(transaction, { ...shipment, tasks }, decision.change, null);
    }
    const snapshot = await readSnapshot(transaction, id);
    if (snapshot === undefined) throw new Error('a locked shipment disappeared');
    return snapshot;
  });
}
