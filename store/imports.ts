import type { MerchantId, OrganizationId, PickupPointId, UserId } from '../domain/ids.ts';
import type { NewShipment } from '../domain/shipment.ts';
import type { Database } from './connection.ts';
import { execute, inTransaction, select, selectOne } from './connection.ts';
import type { CreatedShipment } from './create-shipments.ts';
import { createShipments } from './create-shipments.ts';
import type { Tenant } from './tenant.ts';

/** Rows that go to Postgres as one statement: larger ones would hold the event loop while they are written as JSON. */
const ROWS_PER_STATEMENT = 200;

/** Creates all good rows of an import in one transaction: a crash leaves all or none. In the order of the rows. */
export function createImported(
  database: Database,
  organizationId: OrganizationId,
  shipments: readonly NewShipment[],
): Promise<CreatedShipment[]> {
  return inTransaction(database, async (transaction) => {
    const created: CreatedShipment[] = [];
    for (let start = 0; start < shipments.length; start += ROWS_PER_STATEMENT) {
      created.push(
        ...(await createShipments(
          transaction,
          organizationId,
          shipments.slice(start, start + ROWS_PER_STATEMENT),
        )),
      );
    }
    return created;
  });
}

/** A pickup point as a spreadsheet names it. */
export interface NamedPoint {
  readonly id: PickupPointId;
  readonly code: string | null;
  readonly name: string;
  readonly merchantId: MerchantId | null;
}

/** The tenant's pickup points in use, of one merchant where one is given. */
export function findNamedPoints(tenant: Tenant, merchantId: MerchantId | null): Promise<NamedPoint[]> {
  return select<NamedPoint>(
    tenant.executor,
    `select id, code, name, merchant_id as "merchantId" from pickup_points
     where organization_id = $1 and deleted_at is null and ($2::uuid is null or merchant_id = $2) order by created_at, id`,
    [tenant.organizationId, merchantId],
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
export function keepFailedRows(
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
  { readonly organizationId: OrganizationId; readonly userId: UserId; readonly workbook: Buffer } | undefined
> {
  return selectOne(
    tenant.executor,
    `select organization_id as "organizationId", user_id as "userId", workbook from failed_imports
     where id = $1 and expires_at > clock_timestamp()`,
    [id],
  );
}
