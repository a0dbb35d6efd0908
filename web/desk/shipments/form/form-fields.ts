import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ShipmentValues } from './values.ts';

/** Fields whose value is a text. */
export type TextName = {
  [Name in keyof ShipmentValues]: ShipmentValues[Name] extends string ? Name : never;
}[keyof ShipmentValues];

export interface FormField {
  readonly label: MessageDescriptor;
  /** Where it stands in the body, as violations name it. */
  readonly path: string;
  readonly isRequired?: boolean;
  /** Codes, numbers and addresses of machines are written from left to right in every language. */
  readonly isLatin?: boolean;
  readonly type?: 'email' | 'tel' | 'datetime-local';
  readonly isDecimal?: boolean;
}

/** Every field of a shipment that a person may give, once: the form, what is wrong with it and a conflict read this table. */
export const FORM_FIELDS: Readonly<Record<keyof ShipmentValues, FormField>> = {
  type: { label: msg`Recipient is a`, path: 'recipient.type' },
  firstName: { label: msg`First name or company`, path: 'recipient.firstName', isRequired: true },
  lastName: { label: msg`Last name`, path: 'recipient.lastName' },
  phoneNumber: {
    label: msg`Phone, with country code`,
    path: 'recipient.phoneNumber',
    isRequired: true,
    isLatin: true,
    type: 'tel',
  },
  email: { label: msg`E-mail`, path: 'recipient.email', isLatin: true, type: 'email' },
  street: { label: msg`Street and number`, path: 'recipient.address.street', isRequired: true },
  postalCode: { label: msg`Postal code`, path: 'recipient.address.postalCode', isLatin: true },
  city: { label: msg`City`, path: 'recipient.address.city', isRequired: true },
  landmark: { label: msg`Landmark`, path: 'recipient.address.landmark' },
  latitude: { label: msg`Latitude`, path: 'recipient.address.latitude', isLatin: true, isDecimal: true },
  longitude: { label: msg`Longitude`, path: 'recipient.address.longitude', isLatin: true, isDecimal: true },
  merchant: { label: msg`Merchant`, path: 'merchant' },
  pickupPoint: { label: msg`Pickup point`, path: 'pickupPoint' },
  packageSize: { label: msg`Size`, path: 'packageSize' },
  weight: { label: msg`Weight in kg`, path: 'weight', isLatin: true, isDecimal: true },
  priority: { label: msg`Priority`, path: 'priority' },
  handlingOptions: { label: msg`Handling`, path: 'handlingOptions' },
  codAmount: { label: msg`Cash for the goods`, path: 'codAmount', isLatin: true, isDecimal: true },
  externalReference: { label: msg`Your reference`, path: 'externalReference' },
  scheduledAfter: { label: msg`Not before`, path: 'scheduledAfter', isLatin: true, type: 'datetime-local' },
  scheduledBefore: { label: msg`Not after`, path: 'scheduledBefore', isLatin: true, type: 'datetime-local' },
  notes: { label: msg`Notes for the driver`, path: 'notes' },
  items: { label: msg`Items`, path: 'items' },
};

const PATHS = new Set([...Object.values(FORM_FIELDS).map(({ path }) => path), 'Idempotency-Key']);
const ITEM_PATH = /^items\[\d+\]\.(?:name|quantity|unitType|unitPrice|sku)$/;

/** Whether the form shows what is wrong with a path at one of its fields, or in words of its own. */
export function isShownPath(path: string): boolean {
  return PATHS.has(path) || ITEM_PATH.test(path);
}
