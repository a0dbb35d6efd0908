import type { ModelStatic, Sequelize } from 'sequelize';
import { DataTypes } from 'sequelize';
import type { VehicleType } from '../../domain/enumerations.ts';
import type { UserId } from '../../domain/ids.ts';
import type { TenantModel, TenantRow } from './tenant-model.ts';
import { tenantColumns, tenantScopes } from './tenant-model.ts';

/** Where a driver was, degrees WGS 84, metres, degrees from north, metres per second (interpretation 30). */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number | null;
  readonly heading: number | null;
  readonly speed: number | null;
}

/** A driver's fields (interpretation 6). The last position is written by store/fleet/driver-positions.ts alone. */
export interface DriverFields {
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly vehicleType: VehicleType | null;
  readonly isAvailable: boolean;
  readonly userId: UserId | null;
  readonly lastPosition: Position | null;
  readonly lastPositionAt: Date | null;
}
export type DriverRow = TenantRow<'driver', DriverFields>;
type DriverModel = TenantModel<'driver', DriverFields>;

/** The model of the drivers. */
export function defineDrivers(sequelize: Sequelize): ModelStatic<DriverModel> {
  return sequelize.define<DriverModel>(
    'drivers',
    {
      ...tenantColumns(),
      firstName: DataTypes.TEXT,
      lastName: DataTypes.TEXT,
      phoneNumber: DataTypes.TEXT,
      vehicleType: DataTypes.TEXT,
      isAvailable: DataTypes.BOOLEAN,
      userId: DataTypes.UUID,
      lastPosition: DataTypes.JSONB,
      lastPositionAt: DataTypes.DATE,
    },
    { scopes: tenantScopes() },
  );
}
