import type { Attributes, ModelStatic, WhereOptions } from 'sequelize';
import type { Id } from '../domain/ids.ts';
import { withoutValues } from './connection.ts';
import type { Models } from './models/models.ts';
import type { TenantModel, TenantRow } from './models/tenant-model.ts';
import { nextAsOf } from './page.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from './tenant.ts';
import { checkTenant } from './tenant.ts';

/** What every tenant's model has in common, for writes. */
type AnyTenantModel = ModelStatic<TenantModel<string, object>>;

/** The records of a tenant's model. Reads look by id alone and judge whose the row is; lists and writes go through the scope. */
export interface TenantRecords<Kind extends string, Fields, Writes> {
  readonly find: (tenant: Tenant, id: Id<Kind>) => Promise<Lookup<TenantRow<Kind, Fields>>>;
  readonly findPage: (
    tenant: Tenant,
    where: WhereOptions<Attributes<TenantModel<Kind, Fields>>>,
    order: Order,
    page: Page,
  ) => Promise<PageOf<TenantRow<Kind, Fields>>>;
  /** Throws a unique-index error where one is violated. */
  readonly insert: (tenant: Tenant, id: Id<Kind>, fields: Writes) => Promise<void>;
  /**
   * Writes fields over the version that the change was made on; false when the row has another one now, or is
   * deleted, and nothing was written.
   */
  readonly update: (tenant: Tenant, id: Id<Kind>, version: number, fields: Writes) => Promise<boolean>;
  /** Deletes a row softly, of one version or of any (null); false when there was none. */
  readonly remove: (tenant: Tenant, id: Id<Kind>, version: number | null) => Promise<boolean>;
}

/** The records of the model that `modelOf` picks. */
export function tenantRecords<
  Kind extends string,
  Fields extends object,
  Writes extends object = Partial<Fields>,
>(modelOf: (models: Models) => ModelStatic<TenantModel<Kind, Fields>>): TenantRecords<Kind, Fields, Writes> {
  const writable = ({ executor, organizationId }: Tenant): AnyTenantModel =>
    modelOf(executor.models).scope({ method: ['tenant', organizationId] });
  return {
    find: async (tenant, id) => {
      const { models, transaction } = tenant.executor;
      const row = await withoutValues(modelOf(models).findByPk(id, { transaction }));
      return checkTenant(tenant, row ?? undefined);
    },
    findPage: (tenant, where, order, page) =>
      findModelPage(modelOf(tenant.executor.models), tenant, { where, order, page }),
    insert: async (tenant, id, fields) => {
      const { organizationId, executor } = tenant;
      const { transaction } = executor;
      const model: AnyTenantModel = modelOf(executor.models);
      await withoutValues(model.create({ ...fields, id, organizationId }, { transaction }));
    },
    update: async (tenant, id, version, fields) => {
      const { transaction } = tenant.executor;
      const values = { ...fields, version: version + 1 };
      const [count] = await withoutValues(
        writable(tenant).update(values, { where: { id, version }, transaction }),
      );
      return count === 1;
    },
    remove: async (tenant, id, version) => {
      const where = version === null ? { id } : { id, version };
      const { transaction } = tenant.executor;
      return (await withoutValues(writable(tenant).destroy({ where, transaction }))) === 1;
    },
  };
}

async function findModelPage<Kind extends string, Fields extends object>(
  model: ModelStatic<TenantModel<Kind, Fields>>,
  { executor, organizationId }: Tenant,
  list: {
    readonly where: WhereOptions<Attributes<TenantModel<Kind, Fields>>>;
    readonly order: Order;
    readonly page: Page;
  },
): Promise<PageOf<TenantRow<Kind, Fields>>> {
  const { where, order, page } = list;
  const { by, direction } = order;
  const { itemsPerPage, asOf } = page;
  const scopes = [
    'defaultScope',
    { method: ['tenant', organizationId] as const },
    ...(asOf === null ? [] : [{ method: ['asOf', asOf] as const }]),
  ];
  const { rows, count } = await withoutValues(
    model.scope(scopes).findAndCountAll({
      where,
      order: [
        [by, direction],
        ['id', direction],
      ],
      limit: itemsPerPage,
      offset: (page.page - 1) * itemsPerPage,
      transaction: executor.transaction,
    }),
  );
  const isNewestFirst = direction === 'desc' && by === 'created_at';
  return {
    rows,
    totalItems: count,
    asOf: nextAsOf(page, isNewestFirst ? rows[0]?.createdAt : undefined),
  };
}
