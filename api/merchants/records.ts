import { FEE_PAYERS } from '../../domain/enumerations.ts';
import { merchants, removeMerchant } from '../../store/fleet/merchants.ts';
import type { MerchantFields } from '../../store/models/models.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import type { RecordResource } from '../resource/record-resource.ts';
import { recordShapes } from '../resource/record-shapes.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
import type { CollectionQuery } from '../http/pagination.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { defaulted, object, optional, required } from '../schema/schema-objects.ts';
import { choice, text } from '../schema/schema-values.ts';
import { oneOf, string } from '../schema/shapes.ts';
import { addressSchema, contactSchema } from '../shipments/parse.ts';
import { addressShape } from '../shipments/shapes.ts';
import { contactShape } from '../tasks/shapes.ts';

const merchantBody = named(
  'MerchantRequest',
  object({
    name: required(text()),
    contact: optional(contactSchema),
    address: optional(addressSchema({ strict: false })),
    feePayer: defaulted(choice(FEE_PAYERS, 'Who pays the delivery fee.'), 'recipient'),
  }),
);
type MerchantBody = Infer<typeof merchantBody>;

export interface MerchantTypes {
  readonly kind: 'merchant';
  readonly fields: MerchantFields;
  readonly body: MerchantBody;
  readonly edit: MerchantBody;
  readonly query: CollectionQuery;
}

/** Merchants (interpretations 6 and 35). Staff read and write all; a merchant's user reads its own. */
export const merchantRecords: RecordResource<MerchantTypes> = {
  kind: 'merchant',
  type: 'Merchant',
  operations: 'merchants',
  words: { one: 'merchant', many: 'merchants', tag: 'Merchants' },
  actions: { list: 'merchant.read', read: 'merchant.read', write: 'merchant.write' },
  notes: {
    list: 'A merchant’s users see only their own merchant.',
    create: '',
    edit: 'A changed feePayer applies to shipments that are created afterwards.',
    remove: 'Its users are disabled; its shipments and pickup points are kept.',
  },
  body: merchantBody,
  edited: merchantBody,
  query: object(COLLECTION_QUERY, { strict: true }),
  shapes: recordShapes(
    'Merchant',
    { name: string, contact: contactShape, address: addressShape, feePayer: oneOf(FEE_PAYERS) },
    ['name', 'feePayer'],
  ),
  readOnly: {},
  properties: ({ name, contact, address, feePayer }) => ({ name, contact, address, feePayer }),
  isOwn: (actor, row) => row.id === actor.merchantId,
  find: merchants.find,
  findPage: ({ tenant, permissionScope, actor }, _, order, page) => {
    if (permissionScope === 'organization') return merchants.findPage(tenant, {}, order, page);
    if (actor.merchantId === null) return Promise.resolve(EMPTY_PAGE);
    return merchants.findPage(tenant, { id: actor.merchantId }, order, page);
  },
  create: ({ tenant }, id, body) => merchants.insert(tenant, id, body),
  edit: ({ tenant }, row, body) => merchants.update(tenant, row.id, row.version, body),
  remove: ({ tenant }, row, version) => removeMerchant(tenant, row.id, version),
  uniqueFields: {},
};
