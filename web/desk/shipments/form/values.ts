import type {
  HandlingOption,
  PackageSize,
  Priority,
  RecipientType,
  UnitType,
} from '../../../../domain/enumerations.ts';
import type { Schemas } from '../../../shared/client.ts';
import { fromWallClock, toWallClock } from '../../../shared/zoned-time.ts';
import type { Shipment } from '../reads.ts';

/** An item as it is typed. `key` keeps its row while others are added and removed. */
export interface ItemValues {
  readonly key: string;
  readonly name: string;
  readonly quantity: string;
  readonly unitType: UnitType;
  readonly unitPrice: string;
  readonly sku: string;
}

/** A shipment as it is typed: texts, empty where nothing is given. Moments are of a wall clock in the organization's zone. */
export interface ShipmentValues {
  readonly type: RecipientType;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly email: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  readonly landmark: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly merchant: string;
  readonly pickupPoint: string;
  readonly packageSize: PackageSize;
  readonly weight: string;
  readonly priority: Priority;
  readonly handlingOptions: readonly HandlingOption[];
  readonly codAmount: string;
  readonly externalReference: string;
  readonly scheduledAfter: string;
  readonly scheduledBefore: string;
  readonly notes: string;
  readonly items: readonly ItemValues[];
}

export const NO_VALUES: ShipmentValues = {
  type: 'individual',
  firstName: '',
  lastName: '',
  phoneNumber: '',
  email: '',
  street: '',
  postalCode: '',
  city: '',
  landmark: '',
  latitude: '',
  longitude: '',
  merchant: '',
  pickupPoint: '',
  packageSize: 'medium',
  weight: '',
  priority: 'normal',
  handlingOptions: [],
  codAmount: '',
  externalReference: '',
  scheduledAfter: '',
  scheduledBefore: '',
  notes: '',
  items: [],
};

let itemCount = 0;

export function newItem(): ItemValues {
  itemCount += 1;
  return { key: `item-${itemCount}`, name: '', quantity: '1', unitType: 'unite', unitPrice: '', sku: '' };
}

/** What a form of a shipment that exists begins with. */
export function valuesOf(shipment: Shipment, timeZone: string): ShipmentValues {
  const { recipient } = shipment;
  const { address } = recipient;
  const clock = (moment: string | undefined) => (moment === undefined ? '' : toWallClock(moment, timeZone));
  return {
    type: recipient.type,
    firstName: recipient.firstName,
    lastName: recipient.lastName ?? '',
    phoneNumber: recipient.phoneNumber,
    email: recipient.email ?? '',
    street: address.street,
    postalCode: address.postalCode ?? '',
    city: address.city,
    landmark: address.landmark ?? '',
    latitude: address.latitude?.toString() ?? '',
    longitude: address.longitude?.toString() ?? '',
    merchant: shipment.merchant ?? '',
    pickupPoint: shipment.pickupPoint ?? '',
    packageSize: shipment.packageSize,
    weight: shipment.weight?.toString() ?? '',
    priority: shipment.priority,
    handlingOptions: shipment.handlingOptions,
    codAmount: shipment.codAmount,
    externalReference: shipment.externalReference ?? '',
    scheduledAfter: clock(shipment.scheduledAfter),
    scheduledBefore: clock(shipment.scheduledBefore),
    notes: shipment.notes ?? '',
    items: shipment.items.map(({ name, quantity, unitType, unitPrice, sku }, index) => ({
      key: `saved-${index}`,
      name,
      quantity: quantity.toString(),
      unitType,
      unitPrice: unitPrice ?? '',
      sku: sku ?? '',
    })),
  };
}

/** The body that asks for a shipment with these values. Numbers that are none are found by `numberFaults` before. */
export function bodyOf(values: ShipmentValues, timeZone: string): Required<Schemas['ShipmentRequest']> {
  return {
    recipient: {
      type: values.type,
      firstName: values.firstName,
      lastName: orNull(values.lastName),
      phoneNumber: values.phoneNumber,
      email: orNull(values.email),
      address: {
        street: values.street,
        city: values.city,
        postalCode: orNull(values.postalCode),
        latitude: numberOf(values.latitude),
        longitude: numberOf(values.longitude),
        landmark: orNull(values.landmark),
      },
    },
    pickupPoint: orNull(values.pickupPoint),
    merchant: orNull(values.merchant),
    priority: values.priority,
    packageSize: values.packageSize,
    weight: numberOf(values.weight),
    codAmount: orNull(amountText(values.codAmount)),
    handlingOptions: [...values.handlingOptions],
    notes: orNull(values.notes),
    externalReference: orNull(values.externalReference),
    items: values.items.map(({ name, quantity, unitType, unitPrice, sku }) => ({
      name,
      quantity: numberOf(quantity),
      unitType,
      unitPrice: orNull(amountText(unitPrice)),
      sku: orNull(sku),
    })),
    scheduledAfter: fromWallClock(values.scheduledAfter, timeZone) ?? null,
    scheduledBefore: fromWallClock(values.scheduledBefore, timeZone) ?? null,
  };
}

const RECIPIENT_NAMES = ['type', 'firstName', 'lastName', 'phoneNumber', 'email'] as const;
const ADDRESS_NAMES = ['street', 'city', 'postalCode', 'latitude', 'longitude', 'landmark'] as const;
const OTHER_NAMES = [
  'pickupPoint',
  'merchant',
  'priority',
  'packageSize',
  'weight',
  'codAmount',
  'handlingOptions',
  'notes',
  'externalReference',
  'items',
  'scheduledAfter',
  'scheduledBefore',
] as const;

/** The merge patch that makes one shipment of the other: fields that were changed, null for those that were emptied. */
export function patchOf(
  before: ShipmentValues,
  after: ShipmentValues,
  timeZone: string,
): Schemas['ShipmentPatch'] {
  const [was, is] = [bodyOf(before, timeZone), bodyOf(after, timeZone)];
  const address = changed(was.recipient.address, is.recipient.address, ADDRESS_NAMES);
  const recipient = {
    ...changed(was.recipient, is.recipient, RECIPIENT_NAMES),
    ...(isEmpty(address) ? {} : { address }),
  };
  return { ...changed(was, is, OTHER_NAMES), ...(isEmpty(recipient) ? {} : { recipient }) };
}

export function isEmpty(change: object): boolean {
  return Object.keys(change).length === 0;
}

function changed<Body extends object, Name extends keyof Body>(
  before: Body,
  after: Body,
  names: readonly Name[],
): Partial<Pick<Body, Name>> {
  const found: Partial<Pick<Body, Name>> = {};
  for (const name of names) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) found[name] = after[name];
  }
  return found;
}

/** The paths of what has to be a number and is none, by their places in the body. */
export function numberFaults(values: ShipmentValues): readonly string[] {
  const numbers = [
    ['weight', values.weight],
    ['recipient.address.latitude', values.latitude],
    ['recipient.address.longitude', values.longitude],
    ...values.items.map(({ quantity }, index) => [`items[${index}].quantity`, quantity] as const),
  ] as const;
  return numbers.flatMap(([path, typed]) => (Number.isNaN(numberOf(typed)) ? [path] : []));
}

function orNull(typed: string): string | null {
  return typed === '' ? null : typed;
}

/** Null for an empty text, NaN for one that is no number. A comma is a decimal point. */
function numberOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  return text === '' ? null : Number(text);
}

/** An amount as the service reads it: `49,9` is `49.90`. What is no amount stays as it is typed: the service says what is wrong. */
export function amountText(typed: string): string {
  const parts = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(typed.replaceAll(/\s/g, ''));
  return parts === null ? typed : `${parts[1]}.${(parts[2] ?? '').padEnd(2, '0')}`;
}
