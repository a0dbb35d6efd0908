import type { ZoneFields } from '../models/models.ts';
import { tenantRecords } from '../tenant-records.ts';

/** The zones of an organization. */
export const zones = tenantRecords<'zone', ZoneFields>((models) => models.zones);
