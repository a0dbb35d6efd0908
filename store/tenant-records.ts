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

/** The records of the model that `modelOf` picks. Reads look by id alone and judge whose the row is; lists and writes go through the scope. */
export function tenantRecords<
  Kind extends string,
  Fields extends object,
  Writes extends object = Partial<Fields>,
>(modelOf: (models: Models) => ModelStatic<TenantModel<Kind, Fields>>) {
  const ofTenant = ({ organizationId }: Tenant) => ({ method: ['tenant', organizationId] as const });
  const writable = (tenant: Tenant): AnyTenantModel =>
    modelOf(tenant.executor.models).scope(ofTenant(tenant));
  return {
    find: async (tenant: Tenant, id: Id<Kind>): Promise<Lookup<TenantRow<Kind, Fields>>> => {
      const { models, transaction } = tenant.executor;
      const row = await withoutValues(modelOf(models).findByPk(id, { transaction }));
      return checkTenant(tenant, row ?? undefined);
    },

    findPage: async (
      tenant: Tenant,
      where: WhereOptions<Attributes<TenantModel<Kind, Fields>>>,
      { by, direction }: Order,
      page: Page,
    ): Promise<PageOf<TenantRow<Kind, Fields>>> => {
      const { models, transaction } = tenant.executor;
      const { itemsPerPage, asOf } = page;
      const additions = asOf === null ? [] : [{ method: ['asOf', asOf] as const }];
      const { rows, count } = await withoutValues(
        modelOf(models)
          .scope(['defaultScope', ofTenant(tenant), ...additions])
          .findAndCountAll({
            where,
            order: [
              [by, direction],
              ['id', direction],
            ],
            limit: itemsPerPage,
            offset: (page.page - 1) * itemsPerPage,
            transaction,
          }),
      );
      const isNewestFirst = direction === 'desc' && by === 'created_at';
      const newest = isNewestFirst ? rows[0]?.createdAt : undefined;
      return { rows, totalItems: count, asOf: nextAsOf(page, newest) };
    },

    /** Throws a unique-index error where one is violated. */
    insert: async (tenant: Tenant, id: Id<Kind>, fields: Writes): Promise<void> => {
      const { organizationId, executor } = tenant;
      const { transaction } = executor;
      const model: AnyTenantModel = modelOf(executor.models);
      await withoutValues(model.create({ ...fields, id, organizationId }, { transaction }));
    },

    /**
     * Writes fields over the version that the change was made on; false when the row has another one now, or is
     * deleted, and nothing was written.
     */
    update: async (tenant: Tenant, id: Id<Kind>, version: number, fields: Writes): Promise<boolean> => {
      const values = { ...fields, version: version + 1 };
      const options = { where: { id, version }, transaction: tenant.executor.transaction };
      const [count] = await withoutValues(writable(tenant).update(values, options));
      return count === 1;
    },

    /** Deletes a row softly, of one version or of any (null); false when there was none. */
    remove: async (tenant: Tenant, id: Id<Kind>, version: number | null): Promise<boolean> => {
      const where = version === null ? { id } : { id, version };
      const { transaction } = tenant.executor;
      return (await withoutValues(writable(tenant).destroy({ where, transaction }))) === 1;
    },
  };
}

/** The records of a tenant's model. */
export type TenantRecords<Kind extends string, Fields extends object, Writes extends object> = ReturnType<
  typeof tenantRecords<Kind, Fields, Writes>
>;
