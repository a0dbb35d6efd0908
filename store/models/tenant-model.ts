import type { AbstractDataTypeConstructor, Model, ModelOptions } from 'sequelize';
import { DataTypes, literal, Op } from 'sequelize';
import type { Id, OrganizationId } from '../../domain/ids.ts';

declare const value: unique symbol;

/** A column with the type of its values, which Sequelize's own types do not say. */
type Column<Value> = AbstractDataTypeConstructor & { readonly [value]?: Value };

/** A column of a table. */
export function column<Value>(type: AbstractDataTypeConstructor): Column<Value> {
  return type;
}

/** The fields of a row that has these columns. */
export type FieldsOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

/** What every row of a model carries. */
export interface Row<Kind extends string> {
  readonly id: Id<Kind>;
  /** 1, and one more with each change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A row of a tenant's table: its fields, and what every such row carries. */
export type TenantRow<Kind extends string, Fields> = Fields &
  Row<Kind> & { readonly organizationId: OrganizationId };

/** A model of a tenant's table, typed by its rows; a new row needs its identity alone, the database has defaults. */
export type TenantModel<Kind extends string, Fields> = TenantRow<Kind, Fields> &
  Model<
    TenantRow<Kind, Fields>,
    { readonly id: Id<Kind>; readonly organizationId: OrganizationId } & Partial<Fields>
  >;

/** The database's clock dates rows, so that processes agree. */
const NOW = literal('clock_timestamp()');

/** The columns that every table has. A fresh object each time: Sequelize writes into it. */
export function rowColumns() {
  return {
    id: { type: DataTypes.UUID, primaryKey: true },
    version: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 1 },
    createdAt: { type: DataTypes.DATE, allowNull: false, defaultValue: NOW },
    updatedAt: { type: DataTypes.DATE, allowNull: false, defaultValue: NOW },
  };
}

/** The columns that every tenant's table has. */
export function tenantColumns() {
  return { ...rowColumns(), organizationId: { type: DataTypes.UUID, allowNull: false } };
}

/** The scopes that every tenant's table has: the tenant's own rows, and those that were there at a moment. */
export function tenantScopes() {
  return {
    tenant: (organizationId: OrganizationId) => ({ where: { organizationId } }),
    // Shown moments end at the millisecond, kept ones do not.
    asOf: (moment: Date) => ({ where: { createdAt: { [Op.lt]: new Date(moment.getTime() + 1) } } }),
  };
}

/**
 * How all models are: columns in snake case, rows deleted softly (interpretation 6), and conditions that no scope is
 * lost to.
 */
export const MODEL_OPTIONS = {
  underscored: true,
  freezeTableName: true,
  paranoid: true,
  whereMergeStrategy: 'and',
} as const satisfies ModelOptions;
