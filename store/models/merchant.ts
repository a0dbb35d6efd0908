import type { ModelStatic, Sequelize } from 'sequelize';
import { DataTypes } from 'sequelize';
import type { FeePayer } from '../../domain/enumerations.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { TenantModel } from './tenant-model.ts';
import { tenantColumns, tenantScopes } from './tenant-model.ts';

/** A merchant's fields (interpretation 6). */
export interface MerchantFields {
  readonly name: string;
  readonly contact: Contact | null;
  readonly address: Address | null;
  readonly feePayer: FeePayer;
}
type MerchantModel = TenantModel<'merchant', MerchantFields>;

/** The model of the merchants. */
export function defineMerchants(sequelize: Sequelize): ModelStatic<MerchantModel> {
  return sequelize.define<MerchantModel>(
    'merchants',
    {
      ...tenantColumns(),
      name: DataTypes.TEXT,
      contact: DataTypes.JSONB,
      address: DataTypes.JSONB,
      feePayer: DataTypes.TEXT,
    },
    { scopes: tenantScopes() },
  );
}
