import { Op } from 'sequelize';
import type { MerchantId } from '../../domain/ids.ts';
import type { PickupPointFields } from '../models/models.ts';
import { tenantRecords } from '../tenant-records.ts';

/** The pickup points of an organization. */
export const pickupPoints = tenantRecords<'pickup_point', PickupPointFields>((models) => models.pickupPoints);

/** The condition of the points that merchants may name: their own, and those that belong to no merchant. */
export function pointsFor(merchantIds: readonly MerchantId[]) {
  return { merchantId: { [Op.or]: [...merchantIds, null] } };
}
