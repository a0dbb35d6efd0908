import type { MerchantId } from '../../domain/ids.ts';
import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import { pickupPoints, pointsFor } from '../../store/fleet/pickup-points.ts';
import { namesHave } from '../../store/name-search.ts';
import type { PickupPointRow } from '../../store/models/models.ts';
import { merchantExists } from '../../store/shipments/references.ts';
import type { RouteRequest } from '../http/route.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { fieldsOf } from '../schema/fields.ts';
import { ADDRESS, CONTACT } from '../shipments/parcel.ts';
import { recordRoutes } from '../resource/record-routes.ts';
import { shownOwners } from '../resource/resource.ts';
import { unknownReference } from '../schema/checked-body.ts';
import { COLLECTION_QUERY, nameSearch } from '../http/pagination.ts';
import { several } from '../http/query.ts';
import { object, optional, required } from '../schema/schema-objects.ts';
import { reference, text } from '../schema/schema-values.ts';

const { field } = fieldsOf<PickupPointRow>();

const pickupPoint = recordType(
  'pickup_point',
  'PickupPoint',
  {
    name: field(required(text()), (row) => row.name),
    code: field(
      optional(
        text({ description: 'A short name of your choice, for spreadsheets; unique in the organization.' }),
      ),
      (row) => row.code,
    ),
    address: field(required(ADDRESS), (row) => row.address),
    contact: field(optional(CONTACT), (row) => row.contact),
    openingHours: field(
      optional(text({ description: 'Free text, for example Mo-Sa 08:00-19:00.' })),
      (row) => row.openingHours,
    ),
    merchant: field(
      optional(
        reference('merchant', {
          description:
            'The owner; a merchant’s users can only create points of their merchant. Without it the point is the organization’s, and every merchant can use it.',
        }),
      ),
      (row) => row.merchantId,
    ),
    ...DATES,
  },
  {},
);
const MERCHANT_NOTE =
  'merchant must belong to the organization; for a merchant’s user it is its own merchant, also by default.';

/**
 * Pickup points (interpretations 6 and 28). Staff read and write all; a merchant's user its own, and it reads those that
 * belong to no merchant.
 */
export const pickupPointRecords = recordRoutes({
  kind: 'pickup_point',
  records: pickupPoints,
  actions: {
    list: 'pickup_point.read',
    read: 'pickup_point.read',
    write: 'pickup_point.write',
    remove: 'pickup_point.delete',
  },
  notes: {
    list: 'A merchant’s users see the points of their merchant and those of the organization, which belong to no merchant.',
    read: 'A merchant’s users also read the organization’s own points.',
    create: `code must be unused in the organization. ${MERCHANT_NOTE}`,
    edit: `code must be unused in the organization. ${MERCHANT_NOTE} Pickups that are already planned keep their address.`,
    remove: 'Existing shipments keep it; new shipments cannot use it.',
  },
  ...pickupPoint,
  query: object(
    {
      ...COLLECTION_QUERY,
      ...nameSearch('name, code or city'),
      merchant: optional(several(reference('merchant', { bare: true }))),
    },
    { strict: true },
  ),
  isOwn: (actor, row) => row.merchantId !== null && row.merchantId === actor.merchantId,
  isShared: ({ merchantId }) => merchantId === null,
  filter: ({ merchant, search }, request) => {
    const merchantIds = shownOwners(request, request.actor.merchantId, merchant);
    if (merchantIds === undefined) return null;
    const found = namesHave(['name', 'code', `address->>'city'`], search);
    if (merchantIds === null) return found;
    return { ...found, ...(merchant === null ? pointsFor(merchantIds) : { merchantId: [...merchantIds] }) };
  },
  check: (request, body, row) => merchantViolations(request, body.merchant ?? null, row?.merchantId ?? null),
  fieldsOf: ({ merchant, ...body }, { permissionScope, actor }) => ({
    ...body,
    merchantId: permissionScope === 'own' ? (merchant ?? actor.merchantId) : merchant,
  }),
  uniqueFields: {
    pickup_points_code: { field: 'code', said: say('code_taken') },
  },
});

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
