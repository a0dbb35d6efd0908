/** Language of a delivery note's fixed words; names and addresses are printed as they are stored. */
export type DocumentLocale = 'en' | 'fr';

/** Address of a sender or recipient. Single lines; longer ones are wrapped, never cut. */
export interface DocumentAddress {
  readonly street: string;
  readonly city: string;
  readonly postalCode: string | null;
  readonly landmark: string | null;
}

/** Somebody at one end of a shipment: a person, a merchant or a pickup point. */
export interface DocumentParty {
  /** First and last name, or the company's name. */
  readonly name: string;
  readonly phoneNumber: string | null;
  readonly email: string | null;
  readonly address: DocumentAddress | null;
}

/** Amounts in hundredths of the currency's unit, as the contract writes them with 2 decimals. */
export interface DocumentAmounts {
  /** ISO 4217 code. */
  readonly currency: string;
  readonly codAmountCents: number;
  readonly deliveryFeeCents: number;
  /** What the driver collects; without the fee where the merchant pays it (interpretation 22). */
  readonly totalCodToCollectCents: number;
}

/** What both documents say of a shipment. Enumerations are the contract's words. */
export interface DocumentShipment extends DocumentAmounts {
  readonly trackingNumber: string;
  readonly externalReference: string | null;
  /** Name of the organization that delivers; the document's author. */
  readonly organizationName: string;
  /** Pickup point or merchant; null for a shipment without one. */
  readonly sender: DocumentParty | null;
  readonly recipient: DocumentParty;
  readonly priority: string;
  readonly packageSize: string;
  readonly weightKg: number | null;
  /** Known options get a symbol, any other word is printed as it is. */
  readonly handlingOptions: readonly string[];
}

/** One line of the goods delivered. */
export interface DeliveryNoteItem {
  readonly name: string;
  readonly sku: string | null;
  readonly quantity: number;
  readonly unitType: string;
  readonly unitPriceCents: number | null;
}

/** All that a delivery note shows of one shipment (interpretation 33). */
export interface DeliveryNoteData extends DocumentShipment {
  /** Instants are ISO 8601 with offset, shown in `timezone` (IANA). */
  readonly createdAt: string;
  readonly timezone: string;
  readonly items: readonly DeliveryNoteItem[];
  readonly notes: string | null;
  readonly driver: { readonly name: string; readonly phoneNumber: string | null } | null;
  /** Null until it is delivered. */
  readonly deliveredAt: string | null;
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
