import type { ModelStatic, Sequelize } from 'sequelize';
import { DataTypes } from 'sequelize';
import type { MerchantId } from '../../domain/ids.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { TenantModel, TenantRow } from './tenant-model.ts';
import { tenantColumns, tenantScopes } from './tenant-model.ts';

/** A pickup point's fields (interpretation 6). Shipments keep pointing at deleted ones. */
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
type PickupPointModel = TenantModel<'pickup_point', PickupPointFields>;

/** The model of the pickup points. */
export function definePickupPoints(sequelize: Sequelize): ModelStatic<PickupPointModel> {
  return sequelize.define<PickupPointModel>(
    'pickup_points',
    {
      ...tenantColumns(),
      name: DataTypes.TEXT,
      code: DataTypes.TEXT,
      address: DataTypes.JSONB,
      contact: DataTypes.JSONB,
      openingHours: DataTypes.TEXT,
      merchantId: DataTypes.UUID,
    },
    { scopes: tenantScopes() },
  );
}
