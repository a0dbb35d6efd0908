import { PRIORITIES, SHIPMENT_STATUSES } from '../../domain/enumerations.ts';
import type { MerchantId, ShipmentId } from '../../domain/ids.ts';
import type { NewShipment } from '../../domain/shipment.ts';
import { initialShipmentStatus } from '../../domain/task-plan.ts';
import { TRACKING_NUMBER_PATTERN } from '../../domain/tracking-number.ts';
import type { ShipmentFilter } from '../../store/shipments/shipments.ts';
import { COLLECTION_QUERY, ORDER_QUERY } from '../http/pagination.ts';
import { SAID } from '../http/problem-shapes.ts';
import { several } from '../http/query.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { dateTimeText } from '../schema/schema-moments.ts';
import { list, object, optional, required } from '../schema/schema-objects.ts';
import { choice, pattern, reference, text } from '../schema/schema-values.ts';
import { array, oneOf, shape, string } from '../schema/shapes.ts';
import type { ShipmentBody } from './fields.ts';
import { parcelOf } from './parcel.ts';

export const MAXIMUM_SHIPMENT_IDS = 500;

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
  status: optional(several(choice(SHIPMENT_STATUSES))),
  priority: optional(several(choice(PRIORITIES))),
  merchant: optional(several(reference('merchant'))),
  pickupPoint: optional(several(reference('pickup_point'))),
  trackingNumber: optional(several(pattern(TRACKING_NUMBER_PATTERN, { form: 'tracking_number' }))),
  externalReference: optional(several(text())),
  'createdAt[after]': optional(dateTimeText('Inclusive.')),
  'createdAt[before]': optional(dateTimeText('Inclusive.')),
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
    merchantIds: query.merchant,
    ownMerchantId,
    pickupPointIds: query.pickupPoint,
    trackingNumbers: query.trackingNumber,
    externalReferences: query.externalReference,
    createdAfter: query['createdAt[after]'],
    createdBefore: query['createdAt[before]'],
    search: query.search,
  };
}

/** Body of `POST /shipments/bulk-approve`: ids or IRIs; each shipment has its own result. */
export const bulkApproveBody = named(
  'BulkApproveRequest',
  object({ shipmentIds: required(list(text(), { min: 1, max: MAXIMUM_SHIPMENT_IDS })) }),
);

/** What a bulk approval comes to for one shipment; `processing` is accepted and not decided yet. */
export const BULK_APPROVE_STATUSES = ['approved', 'processing', 'error'] as const;
export type BulkApproveStatus = (typeof BULK_APPROVE_STATUSES)[number];

/** What bulk approval answers; api/shipments/bulk-approve.ts makes it. */
export const bulkApproveResultJson = {
  title: 'BulkApproveResult',
  ...shape({
    total: { type: 'integer' },
    approved: { type: 'integer' },
    failed: { type: 'integer' },
    results: array(
      shape({ id: string, status: oneOf(BULK_APPROVE_STATUSES), message: string, ...SAID }, ['id', 'status']),
    ),
  }),
};
