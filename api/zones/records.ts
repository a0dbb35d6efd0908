import { formatAmount } from '../../domain/money.ts';
import { zones } from '../../store/fleet/zones.ts';
import type { ZoneFields } from '../../store/models/models.ts';
import type { RecordResource } from '../resource/record-resource.ts';
import { recordShapes } from '../resource/record-shapes.ts';
import { booleanText, COLLECTION_QUERY } from '../http/pagination.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { defaulted, object, optional, required } from '../schema/schema-objects.ts';
import { boolean, money, text } from '../schema/schema-values.ts';
import { amount, array, oneOf, shape, string } from '../schema/shapes.ts';
import { polygonSchema } from './polygon.ts';

const zoneBody = named(
  'ZoneRequest',
  object({
    name: required(text()),
    polygon: required(polygonSchema),
    baseFee: required(
      money('What a delivery into the zone costs before supplements, in the organization’s currency.'),
    ),
    isActive: defaulted(boolean('Whether the zone is used for pricing.'), true),
  }),
);
type ZoneBody = Infer<typeof zoneBody>;

const listQuery = object({ ...COLLECTION_QUERY, isActive: optional(booleanText()) }, { strict: true });

export interface ZoneTypes {
  readonly kind: 'zone';
  readonly fields: ZoneFields;
  readonly body: ZoneBody;
  readonly edit: ZoneBody;
  readonly query: Infer<typeof listQuery>;
}

const polygonShape = shape(
  {
    type: oneOf(['Polygon']),
    coordinates: array(array({ ...array({ type: 'number' }), minItems: 2, maxItems: 2 })),
  },
  ['type', 'coordinates'],
);

/** Zones (interpretations 6 and 21). Staff read and write them. */
export const zoneRecords: RecordResource<ZoneTypes> = {
  kind: 'zone',
  type: 'Zone',
  operations: 'zones',
  words: { one: 'zone', many: 'zones', tag: 'Zones' },
  actions: { list: 'zone.read', read: 'zone.read', write: 'zone.write' },
  notes: {
    list: '',
    create:
      'A shipment whose recipient’s coordinates are in an active zone is priced by the base fee of the zone; if several zones contain them, by the oldest.',
    edit: 'Fees of existing shipments do not change.',
    remove: 'Fees of existing shipments do not change.',
  },
  body: zoneBody,
  edited: zoneBody,
  query: listQuery,
  shapes: recordShapes(
    'Zone',
    {
      name: string,
      polygon: polygonShape,
      baseFee: amount,
      isActive: { type: 'boolean' },
    },
    ['name', 'polygon', 'baseFee', 'isActive'],
  ),
  readOnly: {},
  properties: ({ name, polygon, baseFeeCents, isActive }) => {
    return { name, polygon, baseFee: formatAmount(baseFeeCents), isActive };
  },
  isOwn: () => false,
  find: zones.find,
  findPage: ({ tenant }, { isActive }, order, page) =>
    zones.findPage(tenant, isActive === null ? {} : { isActive }, order, page),
  create: ({ tenant }, id, body) => zones.insert(tenant, id, fieldsOf(body)),
  edit: ({ tenant }, row, body) => zones.update(tenant, row.id, row.version, fieldsOf(body)),
  remove: ({ tenant }, row, version) => zones.remove(tenant, row.id, version),
  uniqueFields: {},
};

function fieldsOf({ baseFee, ...body }: ZoneBody): ZoneFields {
  return { ...body, baseFeeCents: baseFee };
}
