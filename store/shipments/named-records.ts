import type { FeePayer } from '../../domain/enumerations.ts';
import type { MerchantId, PickupPointId } from '../../domain/ids.ts';
import type { ShipmentRequest } from '../../domain/shipment.ts';
import type { PickupPlace } from '../../domain/task-plan.ts';
import type { Executor } from '../connection.ts';
import { select } from '../connection.ts';
import { prepared } from '../prepared.ts';

type Naming = Pick<ShipmentRequest, 'pickupPointId' | 'pickupAddress' | 'merchantId'>;

/** What its pickup point says of a shipment. */
interface Collection {
  /** At the pickup point as it stands now (a deleted one still has its address), else at the manual address, else nowhere. */
  readonly place: PickupPlace | null;
  /** Whose the pickup point is; null without a point, and for one of the organization's own. */
  readonly merchantId: MerchantId | null;
}

/** Reads where shipments are collected, and whose their pickup points are. */
export async function collections(
  executor: Executor,
  shipments: readonly Naming[],
): Promise<(shipment: Naming) => Collection> {
  const points = await findNamed<PickupPlace & { id: PickupPointId; merchantId: MerchantId | null }>(
    executor,
    prepared(
      'select id, address, contact, merchant_id as "merchantId" from pickup_points where id = any($1::uuid[])',
    ),
    shipments.map(({ pickupPointId }) => pickupPointId),
  );
  const atPoint = new Map(
    points.map(({ id, address, contact, merchantId }) => [id, { place: { address, contact }, merchantId }]),
  );
  return ({ pickupPointId, pickupAddress }) => {
    const collection = pickupPointId === null ? undefined : atPoint.get(pickupPointId);
    if (collection !== undefined) return collection;
    const place = pickupAddress === null ? null : { address: pickupAddress, contact: null };
    return { place, merchantId: null };
  };
}

/** Reads where shipments are collected; null for nowhere. */
export async function pickupPlaces(
  executor: Executor,
  shipments: readonly Naming[],
): Promise<(shipment: Naming) => PickupPlace | null> {
  const collectionOf = await collections(executor, shipments);
  return (shipment) => collectionOf(shipment).place;
}

/** Reads who pays the fee of each shipment: as its merchant says, else the recipient (interpretation 22). */
export async function feePayers(
  executor: Executor,
  shipments: readonly Naming[],
): Promise<(shipment: Naming) => FeePayer> {
  const merchants = await findNamed<{ id: MerchantId; feePayer: FeePayer }>(
    executor,
    prepared('select id, fee_payer as "feePayer" from merchants where id = any($1::uuid[])'),
    shipments.map(({ merchantId }) => merchantId),
  );
  const payers = new Map(merchants.map(({ id, feePayer }) => [id, feePayer]));
  return ({ merchantId }) => (merchantId === null ? undefined : payers.get(merchantId)) ?? 'recipient';
}

/** Asks nothing where there is nothing to find: most shipments name neither a point nor a merchant. */
async function findNamed<Row extends object>(
  executor: Executor,
  sql: string,
  named: readonly (string | null)[],
): Promise<Row[]> {
  const ids = [...new Set(named)].filter((id) => id !== null);
  return ids.length === 0 ? [] : select<Row>(executor, sql, [ids]);
}
