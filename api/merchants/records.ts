import { FEE_PAYERS } from '../../domain/enumerations.ts';
import { merchants, removeMerchant } from '../../store/fleet/merchants.ts';
import type { MerchantFields } from '../../store/models/merchant.ts';
import type { TenantRow } from '../../store/models/tenant-model.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import type { RecordResource } from '../resource/record-resource.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
import type { CollectionQuery } from '../http/pagination.ts';
import type { Infer } from '../schema/schema.ts';
import { fieldsOf } from '../schema/fields.ts';
import { defaulted, object, optional, required } from '../schema/schema-objects.ts';
import { choice, text } from '../schema/schema-values.ts';
import { ADDRESS, CONTACT } from '../shipments/parcel.ts';

const { field } = fieldsOf<TenantRow<'merchant', MerchantFields>>();

const merchant = recordType(
  'merchant',
  'Merchant',
  {
    name: field(required(text()), (row) => row.name),
    contact: field(optional(CONTACT), (row) => row.contact),
    address: field(optional(ADDRESS), (row) => row.address),
    feePayer: field(
      defaulted(choice(FEE_PAYERS, 'Who pays the delivery fee.'), 'recipient'),
      (row) => row.feePayer,
    ),
    ...DATES,
  },
  {},
);
type MerchantBody = Infer<typeof merchant.body>;

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
  ...merchant,
  edited: merchant.body,
  query: object(COLLECTION_QUERY, { strict: true }),
  isOwn: (actor, row) => row.id === actor.merchantId,
  find: merchants.find,
  findPage: ({ tenant, permissionScope, actor }, _, order, page) => {
    if (permissionScope === 'organization') return merchants.findPage(tenant, {}, order, page);
    if (actor.merchantId === null) return Promise.resolve(EMPTY_PAGE);
    return merchants.findPage(tenant, { id: actor.merchantId }, order, page);
  },
  create: ({ tenant }, id, body) => merchants.insert(tenant, id, body),
  edit: ({ tenant }, row, body) => merchants.update(tenant, row.id, row.version, body),
  remove: ({ tenant, database }, row, version) => removeMerchant(database, tenant, row.id, version),
  uniqueFields: {},
};
