import type { Model, Sequelize } from 'sequelize';
import { DataTypes, literal } from 'sequelize';
import type { DeadlineHours } from '../../domain/deadline.ts';
import type { FeePayer, Plan, VehicleType } from '../../domain/enumerations.ts';
import type { DriverId, MerchantId, OrganizationId, UserId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { Tariff } from '../../domain/pricing.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { Polygon } from '../../platform/geometry.ts';
import { currentSecretOf } from '../webhooks/signing-secrets.ts';
import { failingSince } from '../webhooks/failing-since.ts';
import type { FieldsOf, Row, TenantModel, TenantRow } from './tenant-model.ts';
import { column, rowColumns, tenantColumns, tenantScopes } from './tenant-model.ts';

/** The tables of the plain resources, each described once: its columns with the types of their values. */

const { BIGINT, BLOB, BOOLEAN, DATE, JSONB, TEXT, UUID, VIRTUAL } = DataTypes;

/** What an organization's admin may change. */
const SETTINGS = {
  name: column<string>(TEXT),
  timezone: column<string>(TEXT),
  /** null: the service's own (domain/pricing.ts). */
  tariff: column<Tariff | null>(JSONB),
  /** null: the service's own (domain/deadline.ts). */
  deadlineHours: column<DeadlineHours | null>(JSONB),
  webhookUrl: column<string | null>(TEXT),
  isWebhookEnabled: column<boolean>(BOOLEAN),
  requiresSecondFactor: column<boolean>(BOOLEAN),
};

/** An organization. The API key is stored by its hash, which is never read through the model. */
const ORGANIZATION = {
  ...SETTINGS,
  plan: column<Plan>(TEXT),
  trackingPrefix: column<string>(TEXT),
  currency: column<string>(TEXT),
  /** Sealed as it is stored (store/accounts/webhook-secrets.ts); it is opened where it is shown. */
  webhookSecret: column<string>(TEXT),
  /** Since when nothing was delivered to the webhook URL; null while it is not failing. Only read. */
  webhookFailingSince: column<Date | null>(VIRTUAL),
  apiKeyHash: column<Buffer>(BLOB),
  apiKeyPrefix: column<string>(TEXT),
};
type Organization = FieldsOf<typeof ORGANIZATION> & Row<'organization'>;
export type OrganizationSettings = FieldsOf<typeof SETTINGS>;
/** An organization as its staff sees it. */
export type OrganizationRow = Omit<Organization, 'apiKeyHash'>;
/** What an organization is made of. */
export type OrganizationCreation = Pick<
  Organization,
  | 'id'
  | 'name'
  | 'plan'
  | 'trackingPrefix'
  | 'currency'
  | 'timezone'
  | 'webhookSecret'
  | 'apiKeyHash'
  | 'apiKeyPrefix'
>;
type OrganizationModel = Organization & Model<Organization, OrganizationCreation>;

const USER = {
  /** In lower case. */
  email: column<string>(TEXT),
  /** Never read through the model. */
  passwordHash: column<string>(TEXT),
  firstName: column<string>(TEXT),
  lastName: column<string>(TEXT),
  role: column<UserRole>(TEXT),
  isActive: column<boolean>(BOOLEAN),
  merchantId: column<MerchantId | null>(UUID),
  /** Only read: the driver's row names its user. */
  driverId: column<DriverId | null>(VIRTUAL),
};
export type UserFields = Omit<FieldsOf<typeof USER>, 'passwordHash'>;
export type UserRow = TenantRow<'user', UserFields>;
/** What can be written of a user. */
export type UserWrite = Partial<Omit<FieldsOf<typeof USER>, 'driverId'>>;

/** Where a driver was, degrees WGS 84, metres, degrees from north, metres per second (interpretation 30). */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number | null;
  readonly heading: number | null;
  readonly speed: number | null;
}

/** A driver (interpretation 6). The last position is written by store/fleet/driver-positions.ts alone. */
const DRIVER = {
  firstName: column<string>(TEXT),
  lastName: column<string>(TEXT),
  phoneNumber: column<string>(TEXT),
  vehicleType: column<VehicleType | null>(TEXT),
  isAvailable: column<boolean>(BOOLEAN),
  userId: column<UserId | null>(UUID),
  lastPosition: column<Position | null>(JSONB),
  lastPositionAt: column<Date | null>(DATE),
};
export type DriverFields = FieldsOf<typeof DRIVER>;
export type DriverRow = TenantRow<'driver', DriverFields>;

/** A merchant (interpretation 6). */
const MERCHANT = {
  name: column<string>(TEXT),
  contact: column<Contact | null>(JSONB),
  address: column<Address | null>(JSONB),
  feePayer: column<FeePayer>(TEXT),
};
export type MerchantFields = FieldsOf<typeof MERCHANT>;

/** A pickup point (interpretation 6). Shipments keep pointing at deleted ones. */
const PICKUP_POINT = {
  name: column<string>(TEXT),
  /** The organization's own short name of it, which spreadsheets may use; unique in the organization. */
  code: column<string | null>(TEXT),
  address: column<Address>(JSONB),
  contact: column<Contact | null>(JSONB),
  openingHours: column<string | null>(TEXT),
  merchantId: column<MerchantId | null>(UUID),
};
export type PickupPointFields = FieldsOf<typeof PICKUP_POINT>;
export type PickupPointRow = TenantRow<'pickup_point', PickupPointFields>;

/** A zone (interpretation 6). The oldest active zone that holds a recipient prices the delivery (interpretation 21). */
const ZONE = {
  name: column<string>(TEXT),
  polygon: column<Polygon>(JSONB),
  baseFeeCents: column<number>(BIGINT),
  isActive: column<boolean>(BOOLEAN),
};
export type ZoneFields = FieldsOf<typeof ZONE>;

const DRIVER_OF_USER = literal(
  '(select d.id from drivers d where d.user_id = users.id and d.deleted_at is null)',
);

/** Defines the models of one connection pool. */
export function defineModels(sequelize: Sequelize) {
  const scopes = tenantScopes();
  return {
    drivers: sequelize.define<TenantModel<'driver', DriverFields>>(
      'drivers',
      { ...tenantColumns(), ...DRIVER },
      { scopes },
    ),
    merchants: sequelize.define<TenantModel<'merchant', MerchantFields>>(
      'merchants',
      { ...tenantColumns(), ...MERCHANT },
      { scopes },
    ),
    pickupPoints: sequelize.define<TenantModel<'pickup_point', PickupPointFields>>(
      'pickup_points',
      { ...tenantColumns(), ...PICKUP_POINT },
      { scopes },
    ),
    users: sequelize.define<TenantModel<'user', FieldsOf<typeof USER>>>(
      'users',
      { ...tenantColumns(), ...USER },
      {
        scopes,
        defaultScope: { attributes: { include: [[DRIVER_OF_USER, 'driverId']], exclude: ['passwordHash'] } },
      },
    ),
    zones: sequelize.define<TenantModel<'zone', ZoneFields>>(
      'zones',
      { ...tenantColumns(), ...ZONE },
      { scopes },
    ),
    /** They are never deleted; the tenant scope is the tenant's own. */
    organizations: sequelize.define<OrganizationModel>(
      'organizations',
      { ...rowColumns(), ...ORGANIZATION },
      {
        paranoid: false,
        scopes: { tenant: (id: OrganizationId) => ({ where: { id } }) },
        defaultScope: {
          attributes: {
            include: [
              [literal(failingSince('organizations')), 'webhookFailingSince'],
              [literal(currentSecretOf('organizations')), 'webhookSecret'],
            ],
            exclude: ['apiKeyHash', 'webhookSecret'],
          },
        },
      },
    ),
  } as const;
}

/** The models of the plain resources, each bound to the pool that it was defined for. */
export type Models = ReturnType<typeof defineModels>;
