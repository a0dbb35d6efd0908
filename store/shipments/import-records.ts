import { ABANDONED_IMPORT } from '../../domain/abandoned-import.ts';
import type { ImportStatus } from '../../domain/enumerations.ts';
import type { ImportId, MerchantId, OrganizationId, UserId } from '../../domain/ids.ts';
import type { ImportRowError } from '../../domain/import-record.ts';
import { KEPT_ERRORS } from '../../domain/import-record.ts';
import type { Said } from '../../domain/messages.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Executor } from '../connection.ts';
import { execute, select } from '../connection.ts';
import { among, findPage } from '../page.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from '../tenant.ts';
import { lookUp } from '../tenant.ts';

/** An import, as lists show it. */
export interface ImportRow {
  readonly id: ImportId;
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly userName: string;
  readonly merchantId: MerchantId | null;
  readonly fileName: string | null;
  readonly status: ImportStatus;
  readonly totalRows: number;
  readonly processedRows: number;
  readonly createdRows: number;
  readonly failedRows: number;
  readonly hasFailedRows: boolean;
  readonly problem: Problem | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
}

/** An import in full. */
export interface FullImportRow extends ImportRow {
  readonly errors: readonly ImportRowError[];
  readonly warnings: readonly string[];
  /** The same with their keys; null in what an earlier release kept. */
  readonly warningMessages: readonly Said[] | null;
}

/** Who sends which file. */
export interface NewImport {
  readonly id: ImportId;
  readonly userId: UserId;
  readonly merchantId: MerchantId | null;
  readonly fileName: string | null;
}

/** How far an import is, counted in rows of its sheet. */
export interface ImportProgress {
  readonly totalRows: number;
  readonly processedRows: number;
  readonly createdRows: number;
}

/** What an import came to. */
export interface ImportResult {
  readonly createdRows: number;
  readonly failed: readonly ImportRowError[];
  readonly warnings: readonly Said[];
}

const ALIVE = `clock_timestamp() + interval '30 seconds'`;
const CHANGED = 'version = version + 1, updated_at = clock_timestamp()';
const UNDER_WAY = `status in ('reading', 'creating')`;

/** Makes the record of an import that begins; that of a request which is repeated after a crash begins again. */
export function beginImport(tenant: Tenant, { id, userId, merchantId, fileName }: NewImport): Promise<void> {
  return execute(
    tenant.executor,
    `insert into imports (id, organization_id, user_id, merchant_id, file_name) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set status = 'reading', total_rows = 0, processed_rows = 0, created_rows = 0, failed_rows = 0,
       errors = '[]', warnings = '[]', warning_messages = null, problem = null, finished_at = null, alive_until = ${ALIVE},
       expires_at = excluded.expires_at, version = imports.version + 1, updated_at = clock_timestamp()
     where imports.organization_id = excluded.organization_id`,
    [id, tenant.organizationId, userId, merchantId, fileName],
  );
}

/** Writes how far an import is. Its process lives, whatever was thought of it. */
export function noteImportProgress(tenant: Tenant, id: ImportId, progress: ImportProgress): Promise<void> {
  const { totalRows, processedRows, createdRows } = progress;
  return execute(
    tenant.executor,
    `update imports set status = 'creating', total_rows = $3, processed_rows = $4, created_rows = $5, failed_rows = $4::int - $5::int,
       problem = null, finished_at = null, alive_until = ${ALIVE}, ${CHANGED}
     where id = $1 and organization_id = $2 and status <> 'done'`,
    [id, tenant.organizationId, totalRows, processedRows, createdRows],
  );
}

/** Says that the process of an import still lives, which nobody is shown. */
export function keepImportAlive(tenant: Tenant, id: ImportId): Promise<void> {
  return execute(
    tenant.executor,
    `update imports set alive_until = ${ALIVE} where id = $1 and organization_id = $2 and ${UNDER_WAY}`,
    [id, tenant.organizationId],
  );
}

/** Writes what an import came to, in the transaction that makes its shipments: the record is done where they are there. */
export function finishImport(tenant: Tenant, id: ImportId, result: ImportResult): Promise<void> {
  const { createdRows, failed, warnings } = result;
  const errors = failed.slice(0, KEPT_ERRORS);
  const texts = warnings.map(({ message }) => message);
  return execute(
    tenant.executor,
    `update imports set status = 'done', total_rows = $3::int + $4::int, processed_rows = $3::int + $4::int, created_rows = $3::int,
       failed_rows = $4::int, errors = $5::jsonb, warnings = $6::jsonb, warning_messages = $7::jsonb, problem = null, finished_at = clock_timestamp(), ${CHANGED}
     where id = $1 and organization_id = $2`,
    [
      ...[id, tenant.organizationId, createdRows, failed.length, JSON.stringify(errors)],
      ...[JSON.stringify(texts), JSON.stringify(warnings)],
    ],
  );
}

const FAILED_SET = `status = 'failed', created_rows = 0, failed_rows = 0, finished_at = clock_timestamp(), ${CHANGED}`;

/** Writes why an import made nothing. One that was done meanwhile stays so. */
export function failImport(tenant: Tenant, id: ImportId, problem: Problem): Promise<void> {
  return execute(
    tenant.executor,
    `update imports set problem = $3::jsonb, ${FAILED_SET} where id = $1 and organization_id = $2 and ${UNDER_WAY}`,
    [id, tenant.organizationId, JSON.stringify(problem)],
  );
}

/** Fails the imports whose process has ended: their transaction, and with it every shipment, has gone with it. */
export function failAbandonedImportsAcrossTenants(executor: Executor): Promise<void> {
  return execute(
    executor,
    `update imports set problem = $1::jsonb, ${FAILED_SET} where ${UNDER_WAY} and alive_until < clock_timestamp()`,
    [JSON.stringify(ABANDONED_IMPORT)],
  );
}

const LIST_COLUMNS = `
  i.id, i.organization_id as "organizationId", i.user_id as "userId", u.first_name || ' ' || u.last_name as "userName",
  i.merchant_id as "merchantId", i.file_name as "fileName", i.status, i.total_rows as "totalRows",
  i.processed_rows as "processedRows", i.created_rows as "createdRows", i.failed_rows as "failedRows",
  exists (select from failed_imports f where f.id = i.id and f.expires_at > clock_timestamp()) as "hasFailedRows",
  i.problem, i.version, i.created_at as "createdAt", i.updated_at as "updatedAt", i.finished_at as "finishedAt",
  i.expires_at as "expiresAt"`;
const SOURCE = 'from imports i join users u on u.id = i.user_id';

/** Reads an import; gone after a day. */
export function findImport(tenant: Tenant, id: ImportId): Promise<Lookup<FullImportRow>> {
  return lookUp(
    tenant,
    `select ${LIST_COLUMNS}, i.errors, i.warnings, i.warning_messages as "warningMessages" ${SOURCE} where i.id = $1 and i.expires_at > clock_timestamp()`,
    id,
  );
}

/** Those of these imports that are there, to be sent as changes. */
export function findChangedImports(tenant: Tenant, ids: readonly ImportId[]): Promise<ImportRow[]> {
  return select<ImportRow>(
    tenant.executor,
    `select ${LIST_COLUMNS} ${SOURCE} where i.organization_id = $1 and i.id = any($2::uuid[])`,
    [tenant.organizationId, [...ids]],
  );
}

/** What the list can be narrowed to: one of several values each, null for any. */
export interface ImportFilter {
  readonly status: readonly ImportStatus[] | null;
  readonly merchantIds: readonly MerchantId[] | null;
}

/** One page of the tenant's imports. */
export function findImportPage(
  tenant: Tenant,
  filter: ImportFilter,
  order: Order,
  page: Page,
): Promise<PageOf<ImportRow>> {
  const values: unknown[] = [tenant.organizationId];
  const conditions = [
    'i.organization_id = $1 and i.expires_at > clock_timestamp()',
    among(values, 'i.status', 'text', filter.status),
    among(values, 'i.merchant_id', 'uuid', filter.merchantIds),
  ];
  return findPage<ImportRow>(
    tenant,
    {
      columns: LIST_COLUMNS,
      from: SOURCE,
      countSource: 'from imports i',
      where: conditions.join(' and '),
      values,
      createdColumn: 'i.created_at',
      sortedBy: [`i.${order.by}`, 'i.id'],
      direction: order.direction,
    },
    page,
  );
}
