import type { Polygon } from '../../platform/geometry.ts';
import type { TenantRow } from '../tenant-table.ts';
import { tenantTable } from '../tenant-table.ts';

/** A zone's fields (interpretation 6). The oldest active zone around a recipient sets the fee (interpretation 21). */
export interface ZoneFields {
  readonly name: string;
  readonly polygon: Polygon;
  readonly baseFeeCents: number;
  readonly isActive: boolean;
}
export type ZoneRow = TenantRow<'zone', ZoneFields>;

/** The zones of an organization. */
export const zones = tenantTable<'zone', ZoneFields>('zones', {
  name: 'name',
  polygon: 'polygon',
  baseFeeCents: 'base_fee_cents',
  isActive: 'is_active',
});
