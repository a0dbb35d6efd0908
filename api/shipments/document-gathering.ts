import { fullName } from '../../domain/shipment.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { ShipmentDocumentRow } from '../../store/shipments/shipment-documents.ts';
import type {
  DeliveryNoteData,
  DocumentParty,
  DocumentShipment,
  LabelData,
} from '../../documents/document-data.ts';

/** One label for each package of a shipment. */
export function labelsOf(row: ShipmentDocumentRow, packages: number): LabelData[] {
  const shipment = documentShipment(row);
  return Array.from({ length: packages }, (_, index) => ({
    ...shipment,
    parcelNumber: index + 1,
    parcelCount: packages,
  }));
}

/** What a shipment's delivery note says. */
export function deliveryNoteOf(row: ShipmentDocumentRow): DeliveryNoteData {
  return {
    ...documentShipment(row),
    createdAt: row.createdAt.toISOString(),
    timezone: row.timezone,
    items: row.items.map(({ name, sku, quantity, unitType, unitPriceCents }) => ({
      name,
      sku,
      quantity,
      unitType,
      unitPriceCents,
    })),
    notes: row.notes,
    driver: row.driverName === null ? null : { name: row.driverName, phoneNumber: row.driverPhoneNumber },
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    receivedBy: row.receivedBy,
  };
}

function documentShipment(row: ShipmentDocumentRow): DocumentShipment {
  return {
    trackingNumber: row.trackingNumber,
    externalReference: row.externalReference,
    organizationName: row.organizationName,
    currency: row.currency,
    codAmountCents: row.codAmountCents,
    deliveryFeeCents: row.deliveryFeeCents,
    totalCodToCollectCents: row.totalCodToCollectCents,
    sender: senderOf(row),
    recipient: {
      name: fullName(row.recipient),
      phoneNumber: row.recipient.phoneNumber,
      email: row.recipient.email,
      address: row.recipient.address,
    },
    priority: row.priority,
    packageSize: row.packageSize,
    weightKg: row.weightGrams === null ? null : row.weightGrams / 1_000,
    handlingOptions: row.handlingOptions,
  };
}

/** Where the parcel is collected, else the merchant, else nobody: the organization is printed then. */
function senderOf(row: ShipmentDocumentRow): DocumentParty | null {
  const merchantName = row.merchantName ?? row.organizationName;
  if (row.pointName !== null) return party(row.pointName, row.pointContact, row.pointAddress);
  if (row.pickupAddress !== null) return party(merchantName, row.merchantContact, row.pickupAddress);
  if (row.merchantName !== null) return party(row.merchantName, row.merchantContact, row.merchantAddress);
  return null;
}

function party(name: string, contact: Contact | null, address: Address | null): DocumentParty {
  return { name, phoneNumber: contact?.phoneNumber ?? null, email: contact?.email ?? null, address };
}
