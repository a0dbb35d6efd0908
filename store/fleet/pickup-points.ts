import type { PickupPointFields } from '../models/pickup-point.ts';
import { tenantRecords } from '../tenant-records.ts';

/** The pickup points of an organization. */
export const pickupPoints = tenantRecords<'pickup_point', PickupPointFields>((models) => models.pickupPoints);
