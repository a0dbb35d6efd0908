import type { MerchantId } from '../../domain/ids.ts';
import type { Executor } from '../connection.ts';
import { execute, inTransaction } from '../connection.ts';
import type { MerchantFields } from '../models/models.ts';
import { tenantRecords } from '../tenant-records.ts';
import type { Tenant } from '../tenant.ts';
import { tenant } from '../tenant.ts';

/** The merchants of an organization. */
export const merchants = tenantRecords<'merchant', MerchantFields>((models) => models.merchants);

/**
 * Deletes a merchant and disables its users in one transaction: what they would create would have no owner. Its
 * shipments and pickup points stay as they are. False when there was none of that version.
 */
export function removeMerchant(
  database: Executor,
  { organizationId }: Tenant,
  id: MerchantId,
  version: number | null,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    if (!(await merchants.remove(tenant(transaction, organizationId), id, version))) return false;
    await execute(transaction, DISABLE_USERS_SQL, [id, organizationId]);
    return true;
  });
}

const DISABLE_USERS_SQL = `
with disabled as (
  update users set is_active = false, version = version + 1, updated_at = clock_timestamp()
  where merchant_id = $1 and organization_id = $2 and is_active returning id)
update sessions set revoked_at = clock_timestamp(), revoked_because = 'the merchant was deleted'
where user_id in (select id from disabled) and revoked_at is null`;
