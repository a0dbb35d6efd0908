import type { ShipmentId } from '../../domain/ids.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import { selectOne } from '../connection.ts';
import type { Tenant } from '../tenant.ts';

/** Where an undeliverable parcel goes, and whom the driver meets there. */
interface ReturnPlace {
  readonly address: Address;
  readonly contact: Contact | null;
}

/**
 * Finds where a shipment of the tenant is returned to (interpretation 15): where it was picked up, else its merchant's
 * address; undefined where it has neither. A deleted merchant still has its address.
 */
export function findReturnPlace(tenant: Tenant, id: ShipmentId): Promise<ReturnPlace | undefined> {
  return selectOne<ReturnPlace>(
    tenant.executor,
    `select address, contact from (
       select t.address, t.contact, 1 as preference from tasks t
         where t.shipment_id = $1 and t.organization_id = $2 and t.type = 'pickup'
       union all
       select m.address, m.contact, 2 from shipments s join merchants m on m.id = s.merchant_id
         where s.id = $1 and s.organization_id = $2 and m.address is not null) places
     order by preference limit 1`,
    [id, tenant.organizationId],
  );
}
