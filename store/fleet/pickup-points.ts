import type { MerchantId } from '../../domain/ids.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { TenantRow } from '../tenant-table.ts';
import { tenantTable } from '../tenant-table.ts';

/** A pickup point's fields (interpretation 6). */
export interface PickupPointFields {
  readonly name: string;
  /** The organization's own short name of it, which spreadsheets may use; unique in the organization. */
  readonly code: string | null;
  readonly address: Address;
  readonly contact: Contact | null;
  readonly openingHours: string | null;
  readonly merchantId: MerchantId | null;
}
export type PickupPointRow = TenantRow<'pickup_point', PickupPointFields>;

/** The pickup points of an organization. Shipments keep pointing at deleted ones. */
export const pickupPoints = tenantTable<'pickup_point', PickupPointFields>('pickup_points', {
  name: 'name',
  code: 'code',
  address: 'address',
  contact: 'contact',
  openingHours: 'opening_hours',
  merchantId: 'merchant_id',
});
