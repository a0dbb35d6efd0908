import type { MerchantId, OrganizationId, PickupPointId, UserId } from '../../domain/ids.ts';
import type { NewShipment, WorkflowSubject } from '../../domain/shipment.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import { createShipments } from './create-shipments.ts';
import { pricingTerms } from './pricing.ts';
import type { Tenant } from '../tenant.ts';

/** A row of an import that can be created. */
interface ImportedRow {
  readonly row: number;
  readonly shipment: NewShipment;
}

/** What was made of a row. */
export interface MadeRow extends Required<WorkflowSubject> {
  readonly row: number;
}

/**
 * Creates all good rows of an import in one transaction: a crash leaves all or none. The rows come in parts while the
 * file is checked; where they throw, nothing is left. In the order of the rows. `finish` ends the same transaction, after the
 * last part: what it writes is there where the rows are.
 */
export async function createImported(
  database: Database,
  organizationId: OrganizationId,
  parts: AsyncIterable<readonly ImportedRow[]>,
  finish: (transaction: Executor, made: readonly MadeRow[]) => Promise<void> = () => Promise.resolve(),
): Promise<MadeRow[]> {
  const coming = parts[Symbol.asyncIterator]();
  // The transaction begins when the file has been opened and a first row is good.
  let part = await coming.next();
  const write = async (transaction: Executor): Promise<MadeRow[]> => {
    const made: MadeRow[] = [];
    const terms = await pricingTerms(transaction, organizationId);
    for (; part.done !== true; part = await coming.next()) {
      const rows = part.value;
      const shipments = rows.map(({ shipment }) => shipment);
      const context = { terms, createdBefore: made.length };
      const numbers = await createShipments(transaction, organizationId, shipments, context);
      made.push(
        ...rows.map(({ row, shipment: { id, status, request } }, index) => {
          const trackingNumber = numbers[index] ?? '';
          return { row, id, organizationId, trackingNumber, priority: request.priority, status };
        }),
      );
    }
    await finish(transaction, made);
    return made;
  };
  return inTransaction(database, write, { maximumTries: 1 });
}

/** A pickup point as a spreadsheet names it. */
export interface NamedPoint {
  readonly id: PickupPointId;
  readonly code: string | null;
  readonly name: string;
  readonly merchantId: MerchantId | null;
}

/** The tenant's pickup points in use: where a merchant is given, its own and those that belong to no merchant. */
export function findNamedPoints(tenant: Tenant, merchantId: MerchantId | null): Promise<NamedPoint[]> {
  return select<NamedPoint>(
    tenant.executor,
    `select id, code, name, merchant_id as "merchantId" from pickup_points
     where organization_id = $1 and deleted_at is null
       and ($2::uuid is null or merchant_id is null or merchant_id = $2) order by created_at, id`,
    [tenant.organizationId, merchantId],
  );
}

/** A merchant as a spreadsheet names it. */
export interface NamedMerchant {
  readonly id: MerchantId;
  readonly name: string;
}

/** The tenant's merchants in use. */
export function findNamedMerchants(tenant: Tenant): Promise<NamedMerchant[]> {
  return select<NamedMerchant>(
    tenant.executor,
    'select id, name from merchants where organization_id = $1 and deleted_at is null order by created_at, id',
    [tenant.organizationId],
  );
}

/** The timezone in which the tenant's spreadsheets are read. */
export async function findTimezone(tenant: Tenant): Promise<string> {
  const row = await selectOne<{ timezone: string }>(
    tenant.executor,
    'select timezone from organizations where id = $1',
    [tenant.organizationId],
  );
  return row?.timezone ?? 'UTC';
}

/** Keeps the workbook of an import's failed rows for a day. The same id again changes nothing. */
export function storeFailedRows(
  tenant: Tenant,
  id: string,
  userId: UserId,
  workbook: Uint8Array,
): Promise<void> {
  return execute(
    tenant.executor,
    `insert into failed_imports (id, organization_id, user_id, workbook) values ($1, $2, $3, $4) on conflict do nothing`,
    [id, tenant.organizationId, userId, Buffer.from(workbook)],
  );
}

/** A kept workbook of failed rows; gone after a day. */
export function findFailedRows(
  tenant: Tenant,
  id: string,
): Promise<
  | {
      readonly organizationId: OrganizationId;
      readonly userId: UserId;
      /** The merchant whose user sent the import. */
      readonly merchantId: MerchantId | null;
      readonly workbook: Buffer;
    }
  | undefined
> {
  return selectOne(
    tenant.executor,
    `select f.organization_id as "organizationId", f.user_id as "userId", i.merchant_id as "merchantId", f.workbook
     from failed_imports f left join imports i on i.id = f.id
     where f.id = $1 and f.expires_at > clock_timestamp()`,
    [id],
  );
}
