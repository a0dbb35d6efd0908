import type { OrganizationId } from '../domain/ids.ts';
import type { Executor } from './connection.ts';
import { inTransaction, selectOne } from './connection.ts';

/**
 * The one door to tenant tables: every read and write of them takes a Tenant, so that none can forget whose
 * records it may touch. Functions that look across tenants have `AcrossTenants` in their name.
 */
export interface Tenant {
  readonly organizationId: OrganizationId;
  readonly executor: Executor;
}

/** Opens the door for one organization, on the pool or inside a transaction. */
export function tenant(executor: Executor, organizationId: OrganizationId): Tenant {
  return { executor, organizationId };
}

/** Runs `work` for the same organization inside one transaction, as `inTransaction` does. */
export function inTenantTransaction<Result>(
  { executor, organizationId }: Tenant,
  work: (scope: Tenant) => Promise<Result>,
): Promise<Result> {
  return inTransaction(executor, (transaction) => work(tenant(transaction, organizationId)));
}

/** The result of a look-up by id: found, another organization's (403), or missing (404) (interpretation 38). */
export type Lookup<Row> =
  { readonly kind: 'found'; readonly row: Row } | { readonly kind: 'foreign' } | { readonly kind: 'missing' };

/** Checks a row that was read by its id alone. */
export function checkTenant<Row extends { readonly organizationId: OrganizationId }>(
  { organizationId }: Tenant,
  row: Row | undefined,
): Lookup<Row> {
  if (row === undefined) return { kind: 'missing' };
  return row.organizationId === organizationId ? { kind: 'found', row } : { kind: 'foreign' };
}

/** Reads a row by its id alone, which is `$1` of the statement, and checks whose it is. */
export async function lookUp<Row extends { readonly organizationId: OrganizationId }>(
  tenant: Tenant,
  sql: string,
  id: string,
): Promise<Lookup<Row>> {
  return checkTenant(tenant, await selectOne<Row>(tenant.executor, sql, [id]));
}

/** A page of a collection, counted from 1. */
export interface Page {
  readonly page: number;
  readonly itemsPerPage: number;
  /** Rows that were added after this moment are left out, so that pages stay as they are meanwhile; null for all rows. */
  readonly asOf: Date | null;
}

/** How a collection is sorted; `id` breaks ties, so that pages never overlap. */
export interface Order {
  readonly by: 'id' | 'created_at' | 'updated_at';
  readonly direction: 'asc' | 'desc';
}

/** Rows of one page with the exact number of all. */
export interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly totalItems: number;
  /** The moment as of which the other pages are to be read; null where there is none. */
  readonly asOf: Date | null;
}
