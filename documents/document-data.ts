import type { Address, Contact, Item } from '../domain/shipment.ts';

/** Language of a delivery note's fixed words; names and addresses are printed as they are stored. */
export type DocumentLocale = 'en' | 'fr';

/** One end of a shipment: a person, a merchant or a pickup point. Texts are single lines; longer ones are wrapped, never cut. */
export interface DocumentParty extends Contact {
  readonly address: Pick<Address, 'street' | 'city' | 'postalCode' | 'landmark'> | null;
}

/** What both documents say of a shipment. Enumerations are the contract's words. */
export interface DocumentShipment {
  readonly trackingNumber: string;
  readonly externalReference: string | null;
  /** Name of the organization that delivers; the document's author. */
  readonly organizationName: string;
  /** Pickup point or merchant; the organization for a shipment without one. */
  readonly sender: DocumentParty;
  readonly recipient: DocumentParty;
  readonly priority: string;
  readonly packageSize: string;
  readonly weightGrams: number | null;
  /** Known options get a symbol, any other word is printed as it is. */
  readonly handlingOptions: readonly string[];
  /** ISO 4217 code; amounts are in hundredths of its unit. */
  readonly currency: string;
  readonly codAmountCents: number;
  readonly deliveryFeeCents: number;
  /** What the driver collects; without the fee where the merchant pays it (interpretation 22). */
  readonly totalCodToCollectCents: number;
}

/** All that a delivery note shows of one shipment (interpretation 33). */
export interface DeliveryNoteData extends DocumentShipment {
  readonly createdAt: Date;
  /** IANA name; dates and times are shown in it. */
  readonly timezone: string;
  readonly items: readonly Item[];
  readonly notes: string | null;
  /** Null until a driver is assigned. */
  readonly driverName: string | null;
  readonly driverPhoneNumber: string | null;
  /** Null until it is delivered. */
  readonly deliveredAt: Date | null;
  readonly receivedBy: string | null;
}

/** All that a label shows of one package of a shipment (interpretation 32). */
export interface LabelData extends DocumentShipment {
  /** This package, counted from 1 to `parcelCount`. */
  readonly parcelNumber: number;
  readonly parcelCount: number;
}

/** How delivery notes are written. The same data and options give the same bytes. */
export interface DeliveryNoteOptions {
  readonly locale: DocumentLocale;
  /** The PDF's creation date. */
  readonly createdAt: Date;
}

/** How labels are laid out: an A6 page each, or four on each A4 sheet. */
export interface LabelOptions {
  readonly layout: 'a6' | 'a4';
  /** The PDF's creation date. */
  readonly createdAt: Date;
}
