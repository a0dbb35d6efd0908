import { select, selectOne } from './connection.ts';
import type { Order, Page, PageOf, Tenant } from './tenant.ts';

/**
 * What a list is read from: SQL of the store, and values that travel in `values` alone. A condition that does not always narrow says
 * so itself: `($2::text is null or status = $2)`. The planner knows the values of a statement that is not prepared, so
 * that a condition without a value costs nothing.
 */
export interface ListSource {
  readonly columns: string;
  /** `from …` with its joins, without conditions. */
  readonly from: string;
  /** The same with fewer joins, where the count can do without them. */
  readonly countSource?: string;
  /** The conditions, whose placeholders are `$1`, `$2`, … */
  readonly where: string;
  readonly values: readonly unknown[];
  /** The column with the moment by which a row joined the list; `asOf` is about it. */
  readonly createdColumn: string;
  /** The columns that rows are sorted by; the last one breaks ties, so that pages never overlap. */
  readonly sortedBy: readonly [string, ...string[]];
  readonly direction: Order['direction'];
}

/** One page of a list with the exact number of all, in one statement. */
export async function findPage<Row extends object>(
  { executor }: Tenant,
  list: ListSource,
  page: Page,
): Promise<PageOf<Row>> {
  const { columns, from, direction, createdColumn } = list;
  const values = [...list.values, page.asOf];
  const asOf = `$${values.length}::timestamptz`;
  const where = `where ${list.where} and (${asOf} is null or ${addedBy(createdColumn, asOf)})`;
  const count = `select count(*) as total ${list.countSource ?? from} ${where}`;
  const rows = await select<Row & Counted & { readonly joinedAt: Date }>(
    executor,
    `select ${columns}, ${createdColumn} as "joinedAt", (${count}) as "totalItems" ${from} ${where}
     order by ${list.sortedBy.map((column) => `${column} ${direction}`).join(', ')} ${limitOf(page)}`,
    values,
  );
  const isNewestFirst = direction === 'desc' && list.sortedBy[0] === createdColumn;
  return {
    rows,
    totalItems: await totalOf(rows, page, () => selectOne(executor, count, values)),
    asOf: nextAsOf(page, isNewestFirst ? rows[0]?.joinedAt : undefined),
  };
}

/** A row that carries the number of all rows with its own columns. */
export interface Counted {
  readonly totalItems: number;
}

/**
 * SQL: whether a column has one of the values, which are added to those that the statement binds; always true for null. One value
 * is an equality, so that an index gives the rows in its order.
 */
export function among(
  bound: unknown[],
  column: string,
  type: 'text' | 'uuid' | 'date',
  values: readonly string[] | null,
): string {
  if (values === null) return 'true';
  if (values.length === 1) return `${column} = $${bound.push(values[0])}::${type}`;
  return `${column} = any($${bound.push(values)}::${type}[])`;
}

/** The page of a list that has nothing for this reader. */
export const EMPTY_PAGE: PageOf<never> = { rows: [], totalItems: 0, asOf: null };

/** SQL: whether a row was there at a moment. Shown moments end at the millisecond, kept ones do not. */
export function addedBy(column: string, moment: string): string {
  return `${column} < ${moment} + interval '1 millisecond'`;
}

/** Escapes a text for the inside of a `like` pattern. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** The `limit` clause of a page. */
export function limitOf({ page, itemsPerPage }: Page): string {
  return page === 1 ? `limit ${itemsPerPage}` : `limit ${itemsPerPage} offset ${(page - 1) * itemsPerPage}`;
}

/** The number of all rows: each row of a page carries it; a page behind the last has none to carry it. */
export async function totalOf(
  rows: readonly Counted[],
  { page }: Page,
  count: () => Promise<{ readonly total: number } | undefined>,
): Promise<number> {
  const [first] = rows;
  if (first !== undefined) return first.totalItems;
  return page === 1 ? 0 : ((await count())?.total ?? 0);
}

/** The moment that further pages are read as of: the asked one, or that of the newest row where page one begins with it. */
export function nextAsOf({ page, asOf }: Page, newest: Date | undefined): Date | null {
  return asOf ?? (page === 1 ? (newest ?? null) : null);
}
