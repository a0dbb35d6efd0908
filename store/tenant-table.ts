import type { Id, OrganizationId } from '../domain/ids.ts';
import { execute, selectOne } from './connection.ts';
import { addCondition, startFilter } from './filter.ts';
import { findPage } from './page.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from './tenant.ts';
import { checkTenant } from './tenant.ts';

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

/**
 * The statements of one soft-deleted table (interpretation 6). A deleted row is missing. `Secrets` are written and
 * never read.
 */
export interface TenantTable<Kind extends string, Fields, Secrets extends object = object> {
  readonly find: (tenant: Tenant, id: Id<Kind>) => Promise<Lookup<TenantRow<Kind, Fields>>>;
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
  const shown = Object.entries<string>(columns);
  const layout: Layout = {
    name,
    selected: [...FRAME_COLUMNS, ...shown.map(([field, column]) => `${column} as "${field}"`)].join(', '),
    columns: new Map([['id', 'id'], ...shown, ...Object.entries<string>(secrets ?? {})]),
  };
  return {
    find: async (tenant, id) =>
      checkTenant(
        tenant,
        await selectOne<TenantRow<Kind, Fields>>(
          tenant.executor,
          `select ${layout.selected} from ${name} where id = $1 and deleted_at is null`,
          [id],
        ),
      ),
    findPage: (tenant, filter, order, page) => findTablePage(layout, tenant, filter, order, page),
    insert: (tenant, id, fields) => insert(layout, tenant, id, fields),
    update: (tenant, id, version, fields) => update(layout, tenant, { id, version }, fields),
    remove: (tenant, id, version) => remove(layout, tenant, { id, version }),
  };
}

/** A table's name, what its rows are selected by, and its columns by field. */
interface Layout {
  readonly name: string;
  readonly selected: string;
  readonly columns: ReadonlyMap<string, string>;
}

function findTablePage<Row extends { readonly createdAt: Date }>(
  layout: Layout,
  tenant: Tenant,
  filter: object,
  { by, direction }: Order,
  page: Page,
): Promise<PageOf<Row>> {
  const conditions = startFilter(['organization_id = $1', 'deleted_at is null'], [tenant.organizationId]);
  const wanted: [string, unknown][] = Object.entries(filter);
  for (const [field, value] of wanted) {
    addCondition(conditions, value, (placeholder) => `${columnOf(layout, field)} = ${placeholder}`);
  }
  return findPage<Row>(
    tenant,
    {
      columns: layout.selected,
      from: `from ${layout.name}`,
      conditions,
      createdColumn: { column: 'created_at', of: (row) => row.createdAt },
      sortedBy: [by, 'id'],
      direction,
    },
    page,
  );
}

async function insert(
  layout: Layout,
  { executor, organizationId }: Tenant,
  id: string,
  fields: object,
): Promise<void> {
  const entries: [string, unknown][] = Object.entries(fields);
  const names = ['id', 'organization_id', ...entries.map(([field]) => columnOf(layout, field))];
  const placeholders = names.map((_, index) => `$${index + 1}`);
  await execute(
    executor,
    `insert into ${layout.name} (${names.join(', ')}) values (${placeholders.join(', ')})`,
    [id, organizationId, ...entries.map(([, value]) => storable(value))],
  );
}

async function update(
  layout: Layout,
  { executor, organizationId }: Tenant,
  { id, version }: { readonly id: string; readonly version: number },
  fields: object,
): Promise<boolean> {
  const entries: [string, unknown][] = Object.entries(fields);
  const changes = [
    ...entries.map(([field], index) => `${columnOf(layout, field)} = $${index + 4}`),
    'version = version + 1',
    'updated_at = clock_timestamp()',
  ];
  const row = await selectOne<{ id: string }>(
    executor,
    `update ${layout.name} set ${changes.join(', ')}
     where id = $1 and organization_id = $2 and version = $3 and deleted_at is null returning id`,
    [id, organizationId, version, ...entries.map(([, value]) => storable(value))],
  );
  return row !== undefined;
}

async function remove(
  { name }: Layout,
  { executor, organizationId }: Tenant,
  { id, version }: { readonly id: string; readonly version: number | null },
): Promise<boolean> {
  const row = await selectOne<{ id: string }>(
    executor,
    `update ${name} set deleted_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
     where id = $1 and organization_id = $2 and ($3::int is null or version = $3::int) and deleted_at is null
     returning id`,
    [id, organizationId, version],
  );
  return row !== undefined;
}

const FRAME_COLUMNS = [
  'id',
  'organization_id as "organizationId"',
  'version',
  'created_at as "createdAt"',
  'updated_at as "updatedAt"',
];

function columnOf({ name, columns }: Layout, field: string): string {
  const column = columns.get(field);
  if (column === undefined) throw new Error(`${name} has no column for ${field}`);
  return column;
}

function storable(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.stringify(value)
    : value;
}
