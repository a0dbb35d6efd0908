import type { PickupPointFields } from '../models/models.ts';
import { tenantRecords } from '../tenant-records.ts';

/** The pickup points of an organization. */
export const pickupPoints = tenantRecords<'pickup_point', PickupPointFields>((models) => models.pickupPoints);
