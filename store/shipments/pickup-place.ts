import type { PickupPointId } from '../../domain/ids.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { Executor } from '../connection.ts';
import { selectOne } from '../connection.ts';
import type { PickupPlace } from './planned-tasks.ts';

/**
 * Where a shipment is collected: its pickup point as it stands now (a deleted point still has its
 * address), else its manual address, else nowhere.
 */
export async function pickupPlaceOf(
  executor: Executor,
  shipment: { readonly pickupPointId: PickupPointId | null; readonly pickupAddress: Address | null },
): Promise<PickupPlace | null> {
  if (shipment.pickupPointId !== null) {
    const point = await selectOne<{ address: Address; contact: Contact | null }>(
      executor,
      'select address, contact from pickup_points where id = $1',
      [shipment.pickupPointId],
    );
    if (point !== undefined) return { mode: 'point', address: point.address, contact: point.contact };
  }
  if (shipment.pickupAddress !== null) {
    return { mode: 'address', address: shipment.pickupAddress, contact: null };
  }
  return null;
}
