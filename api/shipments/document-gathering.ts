import { fullName } from '../../domain/shipment.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { ShipmentDocumentRow } from '../../store/shipments/shipment-documents.ts';
import type { DeliveryNoteData, DocumentParty, LabelData } from '../../documents/document-data.ts';

/** One label for each package of a shipment. */
export function labelsOf(row: ShipmentDocumentRow, packages: number): LabelData[] {
  const note = deliveryNoteOf(row);
  return Array.from({ length: packages }, (_, index) => ({
    ...note,
    parcelNumber: index + 1,
    parcelCount: packages,
  }));
}

/** What a shipment's delivery note says. */
export function deliveryNoteOf(row: ShipmentDocumentRow): DeliveryNoteData {
  const { recipient } = row;
  return {
    ...row,
    sender: senderOf(row),
    recipient: party(fullName(recipient), recipient, recipient.address),
  };
}

/** Where the parcel is collected, else the merchant, else the organization's name alone. */
function senderOf(row: ShipmentDocumentRow): DocumentParty {
  if (row.pointName !== null) return party(row.pointName, row.pointContact, row.pointAddress);
  const name = row.merchantName ?? row.organizationName;
  return party(name, row.merchantContact, row.pickupAddress ?? row.merchantAddress);
}

function party(
  name: string,
  contact: Pick<Contact, 'phoneNumber' | 'email'> | null,
  address: Address | null,
): DocumentParty {
  return { name, phoneNumber: contact?.phoneNumber ?? null, email: contact?.email ?? null, address };
}
