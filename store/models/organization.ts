import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { DataTypes, literal } from 'sequelize';
import type { DeadlineHours } from '../../domain/deadline.ts';
import type { Plan } from '../../domain/enumerations.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Tariff } from '../../domain/pricing.ts';
import { failingSince } from '../webhooks/failing-since.ts';
import { timestampColumns } from './tenant-model.ts';

/** What an organization's admin may change. */
export interface OrganizationSettings {
  readonly name: string;
  readonly timezone: string;
  /** null: the service's own (domain/pricing.ts). */
  readonly tariff: Tariff | null;
  /** null: the service's own (domain/deadline.ts). */
  readonly deadlineHours: DeadlineHours | null;
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
}

/** An organization as its staff sees it. */
export interface OrganizationRow extends OrganizationSettings {
  readonly id: OrganizationId;
  readonly plan: Plan;
  readonly trackingPrefix: string;
  readonly currency: string;
  readonly webhookSecret: string;
  readonly apiKeyPrefix: string;
  /** Since when nothing was delivered to the webhook URL; null while it is not failing. Only read. */
  readonly webhookFailingSince: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What an organization is made of. The API key is stored by its hash, which the model never reads. */
export type OrganizationCreation = Pick<
  OrganizationAttributes,
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

type OrganizationAttributes = OrganizationRow & { readonly apiKeyHash: Buffer };
type OrganizationModel = OrganizationAttributes & Model<OrganizationAttributes, OrganizationCreation>;

/** The model of the organizations. They are never deleted; the tenant scope is the tenant's own. */
export function defineOrganizations(sequelize: Sequelize): ModelStatic<OrganizationModel> {
  return sequelize.define<OrganizationModel>(
    'organizations',
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      name: DataTypes.TEXT,
      plan: DataTypes.TEXT,
      trackingPrefix: DataTypes.TEXT,
      currency: DataTypes.TEXT,
      timezone: DataTypes.TEXT,
      tariff: DataTypes.JSONB,
      deadlineHours: DataTypes.JSONB,
      webhookUrl: DataTypes.TEXT,
      webhookSecret: DataTypes.TEXT,
      isWebhookEnabled: DataTypes.BOOLEAN,
      webhookFailingSince: DataTypes.VIRTUAL,
      apiKeyHash: DataTypes.BLOB,
      apiKeyPrefix: DataTypes.TEXT,
      version: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 1 },
      ...timestampColumns(),
    },
    {
      paranoid: false,
      defaultScope: {
        attributes: {
          include: [[literal(failingSince('organizations')), 'webhookFailingSince']],
          exclude: ['apiKeyHash'],
        },
      },
      scopes: { tenant: (organizationId: OrganizationId) => ({ where: { id: organizationId } }) },
    },
  );
}
