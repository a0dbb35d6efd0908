import type { ModelStatic, Sequelize } from 'sequelize';
import { DataTypes, literal } from 'sequelize';
import type { DriverId, MerchantId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { TenantModel, TenantRow } from './tenant-model.ts';
import { tenantColumns, tenantScopes } from './tenant-model.ts';

/** A user's fields. */
export interface UserFields {
  /** In lower case. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: UserRole;
  readonly isActive: boolean;
  readonly merchantId: MerchantId | null;
  /** Only read: the driver's row names its user. */
  readonly driverId: DriverId | null;
}
export type UserRow = TenantRow<'user', UserFields>;
/** What can be written of a user. The hash of its password is never read through the model. */
export type UserWrite = Partial<Omit<UserFields, 'driverId'> & { readonly passwordHash: string }>;
type UserModel = TenantModel<'user', UserFields & { readonly passwordHash: string }>;

const DRIVER_ID = literal('(select d.id from drivers d where d.user_id = users.id and d.deleted_at is null)');

/** The model of the users. */
export function defineUsers(sequelize: Sequelize): ModelStatic<UserModel> {
  return sequelize.define<UserModel>(
    'users',
    {
      ...tenantColumns(),
      email: DataTypes.TEXT,
      passwordHash: DataTypes.TEXT,
      firstName: DataTypes.TEXT,
      lastName: DataTypes.TEXT,
      role: DataTypes.TEXT,
      isActive: DataTypes.BOOLEAN,
      merchantId: DataTypes.UUID,
      driverId: DataTypes.VIRTUAL,
    },
    {
      defaultScope: { attributes: { include: [[DRIVER_ID, 'driverId']], exclude: ['passwordHash'] } },
      scopes: tenantScopes(),
    },
  );
}
