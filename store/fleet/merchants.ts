import type { MerchantId } from '../../domain/ids.ts';
import { execute } from '../connection.ts';
import type { MerchantFields } from '../models/models.ts';
import { tenantRecords } from '../tenant-records.ts';
import type { Tenant } from '../tenant.ts';
import { inTenantTransaction } from '../tenant.ts';

/** The merchants of an organization. */
export const merchants = tenantRecords<'merchant', MerchantFields>((models) => models.merchants);

/**
 * Deletes a merchant and disables its users in one transaction: what they would create would have no owner. Its
 * shipments and pickup points stay as they are. False when there was none of that version.
 */
export function removeMerchant(tenant: Tenant, id: MerchantId, version: number | null): Promise<boolean> {
  return inTenantTransaction(tenant, async (scope) => {
    if (!(await merchants.remove(scope, id, version))) return false;
    await execute(scope.executor, DISABLE_USERS_SQL, [id, scope.organizationId]);
    return true;
  });
}

const DISABLE_USERS_SQL = `
with disabled as (
  update users set is_active = false, version = version + 1, updated_at = clock_timestamp()
  where merchant_id = $1 and organization_id = $2 and is_active returning id)
update sessions set revoked_at = clock_timestamp(), revoked_because = 'the merchant was deleted'
where user_id in (select id from disabled) and revoked_at is null`;
