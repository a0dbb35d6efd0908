import type {
  HandlingOption,
  PackageSize,
  Priority,
  RecipientType,
  ShipmentSource,
  ShipmentStatus,
  UnitType,
} from './enumerations.ts';
import type { MerchantId, OrganizationId, PickupPointId, ShipmentId } from './ids.ts';

/** A place (contract «Address»). Absent parts are null. */
export interface Address {
  readonly street: string;
  readonly city: string;
  readonly postalCode: string | null;
  /** Degrees, WGS 84; given together or not at all. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly landmark: string | null;
}

/** Whom a driver meets at a place. */
export interface Contact {
  readonly name: string;
  readonly phoneNumber: string | null;
  readonly email: string | null;
}

/** Contract «Recipient», with its address. */
export interface Recipient {
  readonly type: RecipientType;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly phoneNumber: string;
  readonly email: string | null;
  readonly address: Address;
}

/** Contract «Item»; the price in minor units. */
export interface Item {
  readonly name: string;
  readonly quantity: number;
  readonly unitType: UnitType;
  readonly unitPriceCents: number | null;
  readonly sku: string | null;
}

/** A validated request for a shipment, from the dashboard, a spreadsheet row or the external API. */
export interface ShipmentRequest {
  readonly recipient: Recipient;
  readonly merchantId: MerchantId | null;
  readonly pickupPointId: PickupPointId | null;
  readonly pickupAddress: Address | null;
  readonly priority: Priority;
  readonly packageSize: PackageSize;
  readonly weightGrams: number | null;
  readonly codAmountCents: number;
  readonly handlingOptions: readonly HandlingOption[];
  readonly notes: string | null;
  readonly externalReference: string | null;
  readonly items: readonly Item[];
  readonly scheduledAfter: Date | null;
  readonly scheduledBefore: Date | null;
}

/** A shipment about to be written: the request, its id, and where it came from. */
export interface NewShipment {
  readonly id: ShipmentId;
  /** Given where it was minted earlier (an external request); otherwise the store generates one. */
  readonly trackingNumber: string | null;
  readonly source: ShipmentSource;
  readonly status: Extract<ShipmentStatus, 'pending_approval' | 'pending'>;
  readonly request: ShipmentRequest;
}

/** What a shipment's workflow is started with, and what ops see of it from the first moment. */
export interface WorkflowSubject {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly priority: Priority;
  /** Where it is known at the start, the workflow need not write it itself. */
  readonly status?: ShipmentStatus;
}

/** A recipient's or driver's full name; a missing last name leaves no trailing space. */
export function fullName(person: { readonly firstName: string; readonly lastName: string | null }): string {
  return person.lastName === null ? person.firstName : `${person.firstName} ${person.lastName}`;
}

/** The recipient as the person whom the driver meets. */
export function recipientContact(recipient: Recipient): Contact {
  return { name: fullName(recipient), phoneNumber: recipient.phoneNumber, email: recipient.email };
}
