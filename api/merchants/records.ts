import { FEE_PAYERS } from '../../domain/enumerations.ts';
import { merchants, removeMerchant } from '../../store/fleet/merchants.ts';
import { recordRoutes } from '../resource/record-routes.ts';
import { shownOwner } from '../resource/resource.ts';
import { recordShapes } from '../resource/record-shapes.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
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

/** Merchants (interpretations 6 and 35). Staff read and write all; a merchant's user reads its own. */
export const { routes: merchantRoutes } = recordRoutes({
  kind: 'merchant',
  records: merchants,
  actions: { list: 'merchant.read', read: 'merchant.read', write: 'merchant.write' },
  notes: {
    list: 'A merchant’s users see only their own merchant.',
    edit: 'A changed feePayer applies to shipments that are created afterwards.',
    remove: 'Its users are disabled; its shipments and pickup points are kept.',
  },
  body: merchantBody,
  query: object(COLLECTION_QUERY, { strict: true }),
  shapes: recordShapes(
    'Merchant',
    { name: string, contact: contactShape, address: addressShape, feePayer: oneOf(FEE_PAYERS) },
    ['name', 'feePayer'],
  ),
  properties: ({ name, contact, address, feePayer }) => ({ name, contact, address, feePayer }),
  isOwn: (actor, row) => row.id === actor.merchantId,
  filter: (_query, request) => {
    const id = shownOwner(request, request.actor.merchantId);
    if (id === undefined) return null;
    return id === null ? {} : { id };
  },
  fieldsOf: (body) => body,
  remove: ({ scope, dependencies }, row, version) =>
    removeMerchant(dependencies.database, scope, row.id, version),
});
