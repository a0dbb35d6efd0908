import {
  HANDLING_OPTIONS,
  PACKAGE_SIZES,
  PRIORITIES,
  RECIPIENT_TYPES,
  SHIPMENT_STATUSES,
  UNIT_TYPES,
} from '../../domain/enumerations.ts';
import type { MerchantId, ShipmentId } from '../../domain/ids.ts';
import type { NewShipment, ShipmentRequest } from '../../domain/shipment.ts';
import { initialShipmentStatus } from '../../domain/task-plan.ts';
import type { ShipmentFilter } from '../../store/shipments/shipments.ts';
import { TRACKING_NUMBER_PATTERN } from '../../domain/tracking-number.ts';
import { COLLECTION_QUERY, ORDER_QUERY } from '../http/pagination.ts';
import type { Infer } from '../schema/schema.ts';
import type { ObjectRule } from '../schema/schema-objects.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { defaulted, list, object, optional, required } from '../schema/schema-objects.ts';
import {
  choice,
  decimal,
  email,
  integer,
  money,
  pattern,
  phoneNumber,
  reference,
  text,
} from '../schema/schema-values.ts';

/** The limits of interpretation 36. */
export const MAXIMUM_NOTES_LENGTH = 2_000;
export const MAXIMUM_ITEMS = 200;
export const MAXIMUM_SHIPMENT_IDS = 500;

const TOGETHER: ObjectRule<{ readonly latitude: number | null; readonly longitude: number | null }> = {
  description: 'latitude and longitude must be given together.',
  check: (_value, { latitude = null, longitude = null }) => {
    if ((latitude === null) === (longitude === null)) return undefined;
    const missing = latitude === null ? 'latitude' : 'longitude';
    return {
      path: missing,
      code: 'required',
      message: 'Send both latitude and longitude, or neither.',
    };
  },
};

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
      { strict: options.strict, rules: [TOGETHER] },
    ),
  );
}

/** A contact person of a place. */
export const contactSchema = named(
  'Contact',
  object({
    name: required(text()),
    phoneNumber: optional(phoneNumber()),
    email: optional(email()),
  }),
);

/** The fields of contract «Recipient» beside the address. */
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
    weight: optional(decimal({ min: 0, max: 1_000, decimals: 3, description: 'Kilograms.' })),
    codAmount: defaulted(money('Cash on delivery, in the organization’s currency.'), 0, '0.00'),
    handlingOptions: defaulted(
      list(named('HandlingOption', choice(HANDLING_OPTIONS)), { max: HANDLING_OPTIONS.length, unique: true }),
      [],
    ),
    notes: optional(text({ max: MAXIMUM_NOTES_LENGTH, min: 0 })),
    externalReference: optional(text({ description: 'The caller’s own order reference.' })),
    items: defaulted(list(itemSchema(options), { max: MAXIMUM_ITEMS }), []),
    scheduledAfter: optional(dateTime('As soon as possible by default.')),
    scheduledBefore: optional(
      dateTime('The deadline, if scheduledAfter is also given; no effect without it.'),
    ),
  };
}

/** scheduledBefore, where it counts, lies after scheduledAfter (interpretation 23). */
export const SCHEDULE_RULE: ObjectRule<{
  readonly scheduledAfter: Date | null;
  readonly scheduledBefore: Date | null;
}> = {
  description: 'scheduledBefore must be after scheduledAfter.',
  check: ({ scheduledAfter, scheduledBefore }) => {
    if (!scheduledAfter || !scheduledBefore || scheduledBefore > scheduledAfter) return undefined;
    return { path: 'scheduledBefore', code: 'range', message: 'Must be after scheduledAfter.' };
  },
};

/** The body of `POST /shipments`, and what a PATCH must come to. */
export const shipmentBody = named(
  'ShipmentRequest',
  object(
    {
      recipient: required(
        named(
          'Recipient',
          object({ ...RECIPIENT_FIELDS, address: required(addressSchema({ strict: false })) }),
        ),
      ),
      pickupPoint: optional(reference('pickup_point')),
      merchant: optional(
        reference('merchant', { description: 'For a merchant’s user, always its own merchant.' }),
      ),
      ...parcelFields({ strict: false }),
    },
    { rules: [SCHEDULE_RULE] },
  ),
);
export type ShipmentBody = Infer<typeof shipmentBody>;

/** The domain's request out of the parcel's parsed fields. */
export function parcelOf(
  body: Pick<
    ShipmentBody,
    | 'priority'
    | 'packageSize'
    | 'weight'
    | 'codAmount'
    | 'handlingOptions'
    | 'notes'
    | 'externalReference'
    | 'items'
    | 'scheduledAfter'
    | 'scheduledBefore'
  >,
): Omit<ShipmentRequest, 'recipient' | 'merchantId' | 'pickupPointId' | 'pickupAddress'> {
  return {
    priority: body.priority,
    packageSize: body.packageSize,
    weightGrams: body.weight === null ? null : Math.round(body.weight * 1_000),
    codAmountCents: body.codAmount,
    handlingOptions: body.handlingOptions,
    notes: body.notes,
    externalReference: body.externalReference,
    items: body.items.map(({ unitPrice, ...item }) => ({ ...item, unitPriceCents: unitPrice })),
    scheduledAfter: body.scheduledAfter,
    scheduledBefore: body.scheduledBefore,
  };
}

/** The shipment that a dashboard's body or an import's row asks for; a merchant's own waits for approval. */
export function newShipment(
  body: ShipmentBody,
  {
    id,
    source,
    merchantId,
    isMerchantUser,
  }: {
    readonly id: ShipmentId;
    readonly source: 'dashboard' | 'import';
    readonly merchantId: MerchantId | null;
    readonly isMerchantUser: boolean;
  },
): NewShipment {
  return {
    id,
    trackingNumber: null,
    source,
    status: initialShipmentStatus(source, isMerchantUser),
    request: {
      ...parcelOf(body),
      recipient: body.recipient,
      merchantId,
      pickupPointId: body.pickupPoint,
      pickupAddress: null,
    },
  };
}

/** The filters of the list and the export (contract «Filters», interpretation 27). */
const SHIPMENT_FILTERS = {
  status: optional(choice(SHIPMENT_STATUSES)),
  priority: optional(choice(PRIORITIES)),
  merchant: optional(reference('merchant')),
  pickupPoint: optional(reference('pickup_point')),
  trackingNumber: optional(
    pattern(TRACKING_NUMBER_PATTERN, { message: 'Must be a tracking number: PREFIX-YYYYMMDD-XXXXXX.' }),
  ),
  externalReference: optional(text()),
  'createdAt[after]': optional(dateTime('Inclusive.')),
  'createdAt[before]': optional(dateTime('Inclusive.')),
  search: optional(
    text({
      max: 100,
      description: 'Searches the tracking number, the recipient’s name and phone number, and the reference.',
    }),
  ),
};

/** Query of the list. */
export const shipmentListQuery = object({ ...COLLECTION_QUERY, ...SHIPMENT_FILTERS }, { strict: true });

/** Query of the export: filters and order, no pages. */
export const shipmentExportQuery = object({ ...ORDER_QUERY, ...SHIPMENT_FILTERS }, { strict: true });

/** The store's filter; a merchant sees its own alone, whatever it asks for. */
export function shipmentFilterOf(
  query: Infer<typeof shipmentExportQuery>,
  ownMerchantId: MerchantId | null,
): ShipmentFilter {
  return {
    status: query.status,
    priority: query.priority,
    merchantId: query.merchant,
    ownMerchantId,
    pickupPointId: query.pickupPoint,
    trackingNumber: query.trackingNumber,
    externalReference: query.externalReference,
    createdAfter: query['createdAt[after]'],
    createdBefore: query['createdAt[before]'],
    search: query.search,
  };
}

/** Body of `POST /shipments/bulk-approve`: ids or IRIs; each has its own result. */
export const bulkApproveBody = named(
  'BulkApproveRequest',
  object({ shipmentIds: required(list(text(), { min: 1, max: MAXIMUM_SHIPMENT_IDS, unique: true })) }),
);
