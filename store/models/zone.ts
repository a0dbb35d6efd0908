import type { ModelStatic, Sequelize } from 'sequelize';
import { DataTypes } from 'sequelize';
import type { Polygon } from '../../platform/geometry.ts';
import type { TenantModel } from './tenant-model.ts';
import { tenantColumns, tenantScopes } from './tenant-model.ts';

/**
 * A zone's fields (interpretation 6). The oldest active zone that holds a recipient prices the delivery (interpretation
 * 21).
 */
export interface ZoneFields {
  readonly name: string;
  readonly polygon: Polygon;
  readonly baseFeeCents: number;
  readonly isActive: boolean;
}
type ZoneModel = TenantModel<'zone', ZoneFields>;

/** The model of the zones. */
export function defineZones(sequelize: Sequelize): ModelStatic<ZoneModel> {
  return sequelize.define<ZoneModel>(
    'zones',
    {
      ...tenantColumns(),
      name: DataTypes.TEXT,
      polygon: DataTypes.JSONB,
      baseFeeCents: DataTypes.BIGINT,
      isActive: DataTypes.BOOLEAN,
    },
    { scopes: tenantScopes() },
  );
}
