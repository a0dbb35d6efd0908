import type { MerchantId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { pickupPoints } from '../../store/fleet/pickup-points.ts';
import type { PickupPointFields, PickupPointRow } from '../../store/models/pickup-point.ts';
import { merchantExists } from '../../store/shipments/references.ts';
import type { RecordRequest, RecordResource } from '../resource/record-resource.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { fieldsOf } from '../schema/fields.ts';
import { throwIfInvalid, validPart } from '../schema/lookup-violations.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
import type { Infer } from '../schema/schema.ts';
import { object, optional, required } from '../schema/schema-objects.ts';
import { reference, text } from '../schema/schema-values.ts';
import { ADDRESS, CONTACT } from '../shipments/parcel.ts';

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
          description: 'The owner; a merchant’s users can only create points of their merchant.',
        }),
      ),
      (row) => row.merchantId,
    ),
    ...DATES,
  },
  {},
);
type PickupPointBody = Infer<typeof pickupPoint.body>;

const listQuery = object(
  { ...COLLECTION_QUERY, merchant: optional(reference('merchant', { bare: true })) },
  { strict: true },
);

export interface PickupPointTypes {
  readonly kind: 'pickup_point';
  readonly fields: PickupPointFields;
  readonly body: PickupPointBody;
  readonly edit: PickupPointBody;
  readonly query: Infer<typeof listQuery>;
}

const MERCHANT_NOTE =
  'merchant must belong to the organization; for a merchant’s user it is its own merchant, also by default.';

/** Pickup points (interpretations 6 and 28). Staff read and write all, a merchant's user its own. */
export const pickupPointRecords: RecordResource<PickupPointTypes> = {
  kind: 'pickup_point',
  type: 'PickupPoint',
  operations: 'pickupPoints',
  words: { one: 'pickup point', many: 'pickup points', tag: 'Pickup points' },
  actions: { list: 'pickup_point.read', read: 'pickup_point.read', write: 'pickup_point.write' },
  notes: {
    list: 'A merchant’s users see only the points of their merchant.',
    create: `code must be unused in the organization. ${MERCHANT_NOTE}`,
    edit: `code must be unused in the organization. ${MERCHANT_NOTE} Pickups that are already planned keep their address.`,
    remove: 'Existing shipments keep it; new shipments cannot use it.',
  },
  ...pickupPoint,
  edited: pickupPoint.body,
  query: listQuery,
  isOwn: (actor, row) => row.merchantId !== null && row.merchantId === actor.merchantId,
  find: pickupPoints.find,
  findPage: ({ tenant, permissionScope, actor }, { merchant }, order, page) => {
    if (permissionScope === 'organization') {
      const asked = merchant === null ? {} : { merchantId: merchant };
      return pickupPoints.findPage(tenant, asked, order, page);
    }
    const own = actor.merchantId;
    if (own === null || (merchant ?? own) !== own) return Promise.resolve(EMPTY_PAGE);
    return pickupPoints.findPage(tenant, { merchantId: own }, order, page);
  },
  lookupViolations: (request, body, row) =>
    merchantViolations(request, validPart(MERCHANT, body, 'merchant'), row?.merchantId ?? null),
  create: async (request, id, body) =>
    pickupPoints.insert(request.tenant, id, await writtenFields(request, body, null)),
  edit: async (request, row, body) =>
    pickupPoints.update(
      request.tenant,
      row.id,
      row.version,
      await writtenFields(request, body, row.merchantId),
    ),
  remove: ({ tenant }, row, version) => pickupPoints.remove(tenant, row.id, version),
  uniqueFields: {
    pickup_points_code: { field: 'code', message: 'Another pickup point has this code; choose another.' },
  },
};

/** The fields of a body. Throws a ProblemError when its merchant does not exist. */
async function writtenFields(
  request: RecordRequest,
  { merchant, ...body }: PickupPointBody,
  known: MerchantId | null,
): Promise<PickupPointFields> {
  const { permissionScope, actor } = request;
  const merchantId = permissionScope === 'own' ? (merchant ?? actor.merchantId) : merchant;
  throwIfInvalid(await merchantViolations(request, merchantId, known));
  return { ...body, merchantId };
}

const MERCHANT = reference('merchant');

/** A merchant that the point has already may have been deleted since and is not asked for. */
async function merchantViolations(
  { tenant, actor, permissionScope }: RecordRequest,
  merchantId: MerchantId | null,
  known: MerchantId | null,
): Promise<readonly Violation[]> {
  const isUsable =
    merchantId === null ||
    merchantId === known ||
    (permissionScope === 'own' ? merchantId === actor.merchantId : await merchantExists(tenant, merchantId));
  if (isUsable) return [];
  const message =
    permissionScope === 'own'
      ? 'Must be your own merchant; leave it out.'
      : 'There is no such merchant in your organization.';
  return [{ propertyPath: 'merchant', message, code: 'reference' }];
}
