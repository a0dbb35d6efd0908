import { iriOf } from '../../domain/iri.ts';
import type { MerchantId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { pickupPoints } from '../../store/fleet/pickup-points.ts';
import type { PickupPointRow } from '../../store/models/pickup-point.ts';
import { merchantExists } from '../../store/shipments/references.ts';
import type { RouteRequest } from '../http/route.ts';
import { recordRoutes } from '../resource/record-routes.ts';
import { shownOwner } from '../resource/resource.ts';
import { recordShapes } from '../resource/record-shapes.ts';
import type { Document } from '../hydra/resource.ts';
import { unknownReference } from '../schema/checked-body.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
import { named } from '../schema/schema.ts';
import { object, optional, required } from '../schema/schema-objects.ts';
import { reference, text } from '../schema/schema-values.ts';
import { iri, string } from '../schema/shapes.ts';
import { addressSchema, contactSchema } from '../shipments/parse.ts';
import { addressShape } from '../shipments/shapes.ts';
import { contactShape } from '../tasks/shapes.ts';

const pickupPointBody = named(
  'PickupPointRequest',
  object({
    name: required(text()),
    code: optional(
      text({ description: 'A short name of your choice, for spreadsheets; unique in the organization.' }),
    ),
    address: required(addressSchema({ strict: false })),
    contact: optional(contactSchema),
    openingHours: optional(text({ description: 'Free text, for example Mo-Sa 08:00-19:00.' })),
    merchant: optional(
      reference('merchant', {
        description: 'The owner; a merchant’s users can only create points of their merchant.',
      }),
    ),
  }),
);

const MERCHANT_NOTE =
  'merchant must belong to the organization; for a merchant’s user it is its own merchant, also by default.';

/** Pickup points (interpretations 6 and 28). Staff read and write all, a merchant's user its own. */
export const pickupPointRecords = recordRoutes({
  kind: 'pickup_point',
  records: pickupPoints,
  actions: { list: 'pickup_point.read', read: 'pickup_point.read', write: 'pickup_point.write' },
  notes: {
    list: 'A merchant’s users see only the points of their merchant.',
    create: `code must be unused in the organization. ${MERCHANT_NOTE}`,
    edit: `code must be unused in the organization. ${MERCHANT_NOTE} Pickups that are already planned keep their address.`,
    remove: 'Existing shipments keep it; new shipments cannot use it.',
  },
  body: pickupPointBody,
  query: object(
    { ...COLLECTION_QUERY, merchant: optional(reference('merchant', { bare: true })) },
    { strict: true },
  ),
  shapes: recordShapes(
    'PickupPoint',
    {
      name: string,
      code: string,
      address: addressShape,
      contact: contactShape,
      openingHours: string,
      merchant: iri,
    },
    ['name', 'address'],
  ),
  properties: pickupPointProperties,
  isOwn: (actor, row) => row.merchantId !== null && row.merchantId === actor.merchantId,
  filter: ({ merchant }, request) => {
    const merchantId = shownOwner(request, request.actor.merchantId, merchant);
    if (merchantId === undefined) return null;
    return merchantId === null ? {} : { merchantId };
  },
  check: (request, body, row) => merchantViolations(request, body.merchant ?? null, row?.merchantId ?? null),
  fieldsOf: ({ merchant, ...body }, { permissionScope, actor }) => ({
    ...body,
    merchantId: permissionScope === 'own' ? (merchant ?? actor.merchantId) : merchant,
  }),
  uniqueFields: {
    pickup_points_code: { field: 'code', message: 'Another pickup point has this code; choose another.' },
  },
});

function pickupPointProperties({
  name,
  code,
  address,
  contact,
  openingHours,
  merchantId,
}: PickupPointRow): Document {
  const merchant = merchantId === null ? null : iriOf('merchant', merchantId);
  return { name, code, address, contact, openingHours, merchant };
}

/** A merchant that the point has already may have been deleted since and is not asked for. */
async function merchantViolations(
  { scope, actor, permissionScope }: RouteRequest,
  merchantId: MerchantId | null,
  known: MerchantId | null,
): Promise<readonly Violation[]> {
  const isUsable =
    merchantId === null ||
    merchantId === known ||
    (permissionScope === 'own' ? merchantId === actor.merchantId : await merchantExists(scope, merchantId));
  if (isUsable) return [];
  if (permissionScope === 'organization') return [unknownReference('merchant', 'merchant')];
  const message = 'Must be your own merchant; leave it out.';
  return [{ propertyPath: 'merchant', message, code: 'reference' }];
}
