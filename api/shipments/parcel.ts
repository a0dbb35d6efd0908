import {
  HANDLING_OPTIONS,
  PACKAGE_SIZES,
  PRIORITIES,
  RECIPIENT_TYPES,
  UNIT_TYPES,
} from '../../domain/enumerations.ts';
import type { ShipmentRequest } from '../../domain/shipment.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import { fieldsOf } from '../schema/fields.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import type { ObjectOf } from '../schema/schema-objects.ts';
import { defaulted, list, object, optional, required, UNLESS_NULL } from '../schema/schema-objects.ts';
import {
  choice,
  decimal,
  email,
  integer,
  money,
  phoneNumber,
  text,
  weight,
} from '../schema/schema-values.ts';

/** The limits of interpretation 36. */
export const MAXIMUM_NOTES_LENGTH = 2_000;
const MAXIMUM_ITEMS = 200;
const MAXIMUM_KILOGRAMS = 1_000;

/** Contract «Address»; street and city are required (interpretation 1). */
export function addressSchema(options: { strict: boolean }) {
  return named(
    options.strict ? 'ExternalAddress' : 'Address',
    object(
      {
        street: required(text()),
        city: required(text()),
        postalCode: optional(text()),
        latitude: optional(decimal({ min: -90, max: 90, description: 'Degrees, WGS 84.' })),
        longitude: optional(decimal({ min: -180, max: 180, description: 'Degrees, WGS 84.' })),
        landmark: optional(text()),
      },
      {
        ...options,
        rules: {
          description: 'latitude and longitude must be given together.',
          add: (address) => address.and('latitude', 'longitude', UNLESS_NULL),
        },
      },
    ),
  );
}

/** A place, as the dashboard has it. */
export const ADDRESS = addressSchema({ strict: false });

/** A contact person of a place. */
export const CONTACT = named(
  'Contact',
  object({
    name: required(text()),
    phoneNumber: optional(phoneNumber()),
    email: optional(email()),
  }),
);

/** The fields of contract «Recipient» next to the address. */
export const RECIPIENT_FIELDS = {
  type: defaulted(choice(RECIPIENT_TYPES), 'individual'),
  firstName: required(text()),
  lastName: optional(text()),
  phoneNumber: required(phoneNumber()),
  email: optional(email()),
};

function itemSchema(options: { strict: boolean }) {
  return named(
    options.strict ? 'ExternalItem' : 'Item',
    object(
      {
        name: required(text()),
        quantity: defaulted(integer({ min: 1, max: 1_000_000 }), 1),
        unitType: defaulted(choice(UNIT_TYPES), 'unite'),
        unitPrice: optional(money('Price of one unit, in the organization’s currency.')),
        sku: optional(text()),
      },
      options,
    ),
  );
}

/** The fields that the dashboard and the external API share (contract «Shipment», «External shipment creation request»). */
export function parcelFields(options: { strict: boolean }) {
  return {
    priority: defaulted(choice(PRIORITIES), 'normal'),
    packageSize: defaulted(choice(PACKAGE_SIZES), 'medium'),
    weight: optional(weight(MAXIMUM_KILOGRAMS, 'Kilograms.')),
    codAmount: defaulted(money('Cash on delivery, in the organization’s currency.'), 0),
    handlingOptions: defaulted(
      list(named('HandlingOption', choice(HANDLING_OPTIONS)), { max: HANDLING_OPTIONS.length, unique: true }),
      [],
    ),
    notes: optional(text({ max: MAXIMUM_NOTES_LENGTH, min: 0 })),
    externalReference: optional(text({ description: 'The caller’s own order reference.' })),
    items: defaulted(list(itemSchema(options), { max: MAXIMUM_ITEMS }), []),
    scheduledAfter: optional(dateTime('As soon as possible by default.')),
    // Before the start it would have no effect (interpretation 23).
    scheduledBefore: optional(
      dateTime('The deadline, if scheduledAfter is also given; no effect without it.', {
        after: 'scheduledAfter',
      }),
    ),
  };
}

/** What a body with these fields has to keep between them. */
export const SCHEDULE_RULE = 'scheduledBefore must be after scheduledAfter.';

/** The parcel's fields of the dashboard, each with its form and what is said of it. */
export const PARCEL = parcelFields({ strict: false });
const { field } = fieldsOf<ShipmentRow>();
const { field: lineField } = fieldsOf<Pick<ShipmentRow, 'priority' | 'externalReference'>>();

/** The parcel's fields of a shipment; those of a list too are read from a line's columns. */
export const PARCEL_FIELDS = {
  priority: lineField(PARCEL.priority, (row) => row.priority),
  packageSize: field(PARCEL.packageSize, (row) => row.packageSize),
  weight: field(PARCEL.weight, (row) => row.weightGrams),
  codAmount: field(PARCEL.codAmount, (row) => row.codAmountCents),
  handlingOptions: field(PARCEL.handlingOptions, (row) => row.handlingOptions),
  notes: field(PARCEL.notes, (row) => row.notes),
  externalReference: lineField(PARCEL.externalReference, (row) => row.externalReference),
  items: field(PARCEL.items, (row) =>
    row.items.map(({ unitPriceCents, ...item }) => ({ ...item, unitPrice: unitPriceCents })),
  ),
  scheduledAfter: field(PARCEL.scheduledAfter, (row) => row.scheduledAfter),
  scheduledBefore: field(PARCEL.scheduledBefore, (row) => row.scheduledBefore),
};

type Parcel = ObjectOf<ReturnType<typeof parcelFields>>;

/** The domain's request out of the parcel's parsed fields. */
export function parcelOf(
  body: Parcel,
): Omit<ShipmentRequest, 'recipient' | 'merchantId' | 'pickupPointId' | 'pickupAddress'> {
  return {
    priority: body.priority,
    packageSize: body.packageSize,
    weightGrams: body.weight,
    codAmountCents: body.codAmount,
    handlingOptions: body.handlingOptions,
    notes: body.notes,
    externalReference: body.externalReference,
    items: body.items.map(({ unitPrice, ...item }) => ({ ...item, unitPriceCents: unitPrice })),
    scheduledAfter: body.scheduledAfter,
    scheduledBefore: body.scheduledBefore,
  };
}
