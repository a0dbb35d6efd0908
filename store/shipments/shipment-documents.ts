import type { MerchantId, OrganizationId, ShipmentId } from '../../domain/ids.ts';
import type { Address, Contact, Item, Recipient } from '../../domain/shipment.ts';
import { select } from '../connection.ts';
import type { Tenant } from '../tenant.ts';

/** All that a label or a delivery note says of one shipment. */
export interface ShipmentDocumentRow {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly merchantId: MerchantId | null;
  readonly organizationName: string;
  readonly timezone: string;
  readonly trackingNumber: string;
  readonly externalReference: string | null;
  readonly currency: string;
  readonly codAmountCents: number;
  readonly deliveryFeeCents: number;
  readonly totalCodToCollectCents: number;
  readonly priority: string;
  readonly packageSize: string;
  readonly weightGrams: number | null;
  readonly handlingOptions: readonly string[];
  readonly recipient: Recipient;
  readonly items: readonly Item[];
  readonly notes: string | null;
  readonly createdAt: Date;
  readonly pickupAddress: Address | null;
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
    `select s.id, s.organization_id as "organizationId", s.merchant_id as "merchantId", o.name as "organizationName",
       o.timezone, s.tracking_number as "trackingNumber", s.external_reference as "externalReference", s.currency,
       s.cod_amount_cents as "codAmountCents", s.delivery_fee_cents as "deliveryFeeCents",
       s.total_cod_to_collect_cents as "totalCodToCollectCents", s.priority, s.package_size as "packageSize",
       s.weight_grams as "weightGrams", s.handling_options as "handlingOptions", s.recipient, s.items, s.notes,
       s.created_at as "createdAt", s.pickup_address as "pickupAddress", p.name as "pointName",
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
