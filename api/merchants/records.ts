import { FEE_PAYERS } from '../../domain/enumerations.ts';
import { namesHave } from '../../store/name-search.ts';
import { merchants, removeMerchant } from '../../store/fleet/merchants.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { fieldsOf } from '../schema/fields.ts';
import { ADDRESS, CONTACT } from '../shipments/parcel.ts';
import type { MerchantFields } from '../../store/models/models.ts';
import type { TenantRow } from '../../store/models/tenant-model.ts';
import { recordRoutes } from '../resource/record-routes.ts';
import { shownOwners } from '../resource/resource.ts';
import { COLLECTION_QUERY, nameSearch } from '../http/pagination.ts';
import { defaulted, object, optional, required } from '../schema/schema-objects.ts';
import { choice, text } from '../schema/schema-values.ts';

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
/** Merchants (interpretations 6 and 35). Staff read and write all; a merchant's user reads its own. */
export const { routes: merchantRoutes } = recordRoutes({
  kind: 'merchant',
  records: merchants,
  actions: {
    list: 'merchant.read',
    read: 'merchant.read',
    write: 'merchant.write',
    remove: 'merchant.delete',
  },
  notes: {
    list: 'A merchant’s users see only their own merchant.',
    edit: 'A changed feePayer applies to shipments that are created afterwards.',
    remove: 'Its users are disabled; its shipments and pickup points are kept.',
  },
  ...merchant,
  query: object({ ...COLLECTION_QUERY, ...nameSearch('the name') }, { strict: true }),
  isOwn: (actor, row) => row.id === actor.merchantId,
  filter: ({ search }, request) => {
    const id = shownOwners(request, request.actor.merchantId);
    if (id === undefined) return null;
    return { ...namesHave(['name'], search), ...(id === null ? {} : { id }) };
  },
  fieldsOf: (body) => body,
  remove: ({ scope }, row, version) => removeMerchant(scope, row.id, version),
});
