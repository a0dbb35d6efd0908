import type { Id, OrganizationId } from '../domain/ids.ts';
import { execute, select, selectOne } from './connection.ts';
import { addCondition, startFilter, whereClause } from './filter.ts';
import type { Found, Order, Page, PageOf, Tenant } from './tenant.ts';
import { judge } from './tenant.ts';

/** A row of a tenant's table: its fields, and what every such row carries. */
export type TenantRow<Kind extends string, Fields> = Fields & {
  readonly id: Id<Kind>;
  readonly organizationId: OrganizationId;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What a list is narrowed to: fields with the value that they must have; null and absent do not narrow. */
export type FieldFilter<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null };

/** The statements of one soft-deleted table (gap 6). A deleted row is missing. `Secrets` are written and never read. */
export interface TenantTable<Kind extends string, Fields, Secrets extends object = object> {
  readonly find: (tenant: Tenant, id: Id<Kind>) => Promise<Found<TenantRow<Kind, Fields>>>;
  readonly findPage: (
    tenant: Tenant,
    filter: FieldFilter<Fields & { readonly id: Id<Kind> }>,
    order: Order,
    page: Page,
  ) => Promise<PageOf<TenantRow<Kind, Fields>>>;
  /** Throws a unique-index error where one is violated. */
  readonly insert: (tenant: Tenant, id: Id<Kind>, fields: Partial<Fields & Secrets>) => Promise<void>;
  /**
   * Writes fields over the version that the change was made on; false when the row has another one now, or is
   * deleted, and nothing was written.
   */
  readonly update: (
    tenant: Tenant,
    id: Id<Kind>,
    version: number,
    fields: Partial<Fields & Secrets>,
  ) => Promise<boolean>;
  /** Deletes a row softly, of one version or of any (null); false when there was none. */
  readonly remove: (tenant: Tenant, id: Id<Kind>, version: number | null) => Promise<boolean>;
}

type ColumnNames<Fields> = Readonly<Record<keyof Fields & string, string>>;

/**
 * The statements of a soft-deleted table out of its name and its columns by field. Names and columns are ours and
 * become SQL; values only ever travel as parameters, objects as JSON. `Kind` and `Fields` state the columns' types.
 * A field that is only read may have an expression for its column.
 */
export function tenantTable<Kind extends string, Fields extends object, Secrets extends object = object>(
  name: string,
  columns: ColumnNames<Fields>,
  secrets?: ColumnNames<Secrets>,
): TenantTable<Kind, Fields, Secrets> {
  type Row = TenantRow<Kind, Fields>;
  const columnOf = new Map<string, string>([
    ['id', 'id'],
    ...Object.entries<string>(columns),
    ...Object.entries<string>(secrets ?? {}),
  ]);
  const selected = [...FRAME_COLUMNS, ...Object.entries<string>(columns).map(aliased)].join(', ');
  return {
    find: async (tenant, id) =>
      judge(
        tenant,
        await selectOne<Row>(
          tenant.executor,
          `select ${selected} from ${name} where id = $1 and deleted_at is null`,
          [id],
        ),
      ),
    findPage: async (tenant, filter, order, { page, itemsPerPage }) => {
      const conditions = startFilter(['organization_id = $1', 'deleted_at is null'], [tenant.organizationId]);
      for (const [field, value] of Object.entries(filter)) {
        addCondition(conditions, value, (placeholder) => `${column(columnOf, field)} = ${placeholder}`);
      }
      const source = `from ${name} ${whereClause(conditions)}`;
      const [rows, count] = await Promise.all([
        select<Row>(
          tenant.executor,
          `select ${selected} ${source} order by ${order.by} ${order.direction}, id ${order.direction}
           limit ${itemsPerPage} offset ${(page - 1) * itemsPerPage}`,
          conditions.values,
        ),
        selectOne<{ total: number }>(
          tenant.executor,
          `select count(*) as total ${source}`,
          conditions.values,
        ),
      ]);
      return { rows, totalItems: count?.total ?? 0 };
    },
    insert: async ({ executor, organizationId }, id, fields) => {
      const entries = Object.entries<unknown>(fields);
      const names = ['id', 'organization_id', ...entries.map(([field]) => column(columnOf, field))];
      await execute(
        executor,
        `insert into ${name} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
        [id, organizationId, ...entries.map(([, value]) => storable(value))],
      );
    },
    update: async ({ executor, organizationId }, id, version, fields) => {
      const entries = Object.entries<unknown>(fields);
      const changes = entries.map(([field], index) => `${column(columnOf, field)} = $${index + 4}`);
      const row = await selectOne<{ id: Id<Kind> }>(
        executor,
        `update ${name} set ${changes.join(', ')}${changes.length === 0 ? '' : ','} version = version + 1,
           updated_at = clock_timestamp()
         where id = $1 and organization_id = $2 and version = $3 and deleted_at is null returning id`,
        [id, organizationId, version, ...entries.map(([, value]) => storable(value))],
      );
      return row !== undefined;
    },
    remove: async ({ executor, organizationId }, id, version) => {
      const row = await selectOne<{ id: Id<Kind> }>(
        executor,
        `update ${name} set deleted_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
         where id = $1 and organization_id = $2 and ($3::int is null or version = $3::int) and deleted_at is null
         returning id`,
        [id, organizationId, version],
      );
      return row !== undefined;
    },
  };
}

const FRAME_COLUMNS = [
  'id',
  'organization_id as "organizationId"',
  'version',
  'created_at as "createdAt"',
  'updated_at as "updatedAt"',
];

function aliased([field, name]: readonly [string, string]): string {
  return `${name} as "${field}"`;
}

function column(columns: ReadonlyMap<string, string>, field: string): string {
  const found = columns.get(field);
  if (found === undefined) throw new Error(`there is no column for ${field}`);
  return found;
}

function storable(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.stringify(value)
    : value;
}
