import { select, selectOne } from './connection.ts';
import type { Filter } from './filter.ts';
import { addCondition, whereClause } from './filter.ts';
import type { Order, Page, PageOf, Tenant } from './tenant.ts';

/** What a list is read from. The names are ours and become SQL; values travel in the conditions alone. */
export interface ListSource<Row> {
  readonly columns: string;
  /** `from …` with its joins, without conditions. */
  readonly from: string;
  /** The same with fewer joins, where the count can do without them. */
  readonly countSource?: string;
  readonly conditions: Filter;
  /** The moment by which a row joined the list, as a column and out of a row; `asOf` is about it. */
  readonly createdColumn: { readonly column: string; readonly of: (row: Row) => Date };
  /** The columns that rows are sorted by; the last one breaks ties, so that pages never overlap. */
  readonly sortedBy: readonly [string, ...string[]];
  readonly direction: Order['direction'];
}

/** One page of a list with the exact number of all, in one statement. */
export async function findPage<Row extends object>(
  { executor }: Tenant,
  list: ListSource<Row>,
  page: Page,
): Promise<PageOf<Row>> {
  const { columns, from, conditions, direction } = list;
  addAsOf(conditions, list.createdColumn.column, page);
  const where = whereClause(conditions);
  const count = `select count(*) as total ${list.countSource ?? from} ${where}`;
  const rows = await select<Row & Counted>(
    executor,
    `select ${columns}, (${count}) as "totalItems" ${from} ${where}
     order by ${list.sortedBy.map((column) => `${column} ${direction}`).join(', ')} ${limitOf(page)}`,
    conditions.values,
  );
  const isNewestFirst = direction === 'desc' && list.sortedBy[0] === list.createdColumn.column;
  return {
    rows,
    totalItems: await totalOf(rows, page, () => selectOne(executor, count, conditions.values)),
    asOf: nextAsOf(page, isNewestFirst ? rows.map(list.createdColumn.of)[0] : undefined),
  };
}

/** A row that carries the number of all rows with its own columns. */
export interface Counted {
  readonly totalItems: number;
}

/** The page of a list that has nothing for this reader. */
export const EMPTY_PAGE: PageOf<never> = { rows: [], totalItems: 0, asOf: null };

/** Keeps out what was added after the moment of the page. Shown moments end at the millisecond, kept ones do not. */
export function addAsOf(conditions: Filter, column: string, { asOf }: Page): void {
  addCondition(conditions, asOf, (value) => `${column} < ${value}::timestamptz + interval '1 millisecond'`);
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
