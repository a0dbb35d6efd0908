import type { ShipmentId } from '../../domain/ids.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import { select } from '../connection.ts';
import type { ShipmentRow } from './shipments.ts';
import { SHIPMENT_COLUMNS } from './shipments.ts';
import type { Tenant } from '../tenant.ts';

/** All that a label or a delivery note says of one shipment. */
export interface ShipmentDocumentRow extends ShipmentRow {
  readonly organizationName: string;
  readonly timezone: string;
  readonly pointName: string | null;
  readonly pointAddress: Address | null;
  readonly pointContact: Contact | null;
  readonly merchantName: string | null;
  readonly merchantAddress: Address | null;
  readonly merchantContact: Contact | null;
  readonly driverName: string | null;
  readonly driverPhoneNumber: string | null;
  readonly deliveredAt: Date | null;
  readonly receivedBy: string | null;
}

/** Reads what documents say of the tenant's shipments; missing, withdrawn and foreign ids are left out. */
export function findShipmentDocuments(
  tenant: Tenant,
  ids: readonly ShipmentId[],
): Promise<ShipmentDocumentRow[]> {
  return select<ShipmentDocumentRow>(
    tenant.executor,
    `select ${SHIPMENT_COLUMNS}, o.name as "organizationName", o.timezone, p.name as "pointName",
       p.address as "pointAddress", p.contact as "pointContact", m.name as "merchantName",
       m.address as "merchantAddress", m.contact as "merchantContact",
       d.first_name || ' ' || d.last_name as "driverName", d.phone_number as "driverPhoneNumber",
       case when t.status = 'delivered' then t.completed_at end as "deliveredAt", t.proof->>'receivedBy' as "receivedBy"
     from shipments s join organizations o on o.id = s.organization_id
       left join pickup_points p on p.id = s.pickup_point_id
       left join merchants m on m.id = s.merchant_id
       left join tasks t on t.shipment_id = s.id and t.type = 'delivery'
       left join drivers d on d.id = t.driver_id
     where s.id = any($1::uuid[]) and s.organization_id = $2 and s.deleted_at is null`,
    [[...ids], tenant.organizationId],
  );
}
