import { formatAmount } from '../../domain/money.ts';
import { zones } from '../../store/fleet/zones.ts';
import { recordRoutes } from '../resource/record-routes.ts';
import { recordShapes } from '../resource/record-shapes.ts';
import { booleanText, COLLECTION_QUERY } from '../http/pagination.ts';
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

const polygonShape = shape(
  {
    type: oneOf(['Polygon']),
    coordinates: array(array({ ...array({ type: 'number' }), minItems: 2, maxItems: 2 })),
  },
  ['type', 'coordinates'],
);

/** Zones (interpretations 6 and 21). Staff read and write them. */
export const { routes: zoneRoutes } = recordRoutes({
  kind: 'zone',
  records: zones,
  actions: { list: 'zone.read', read: 'zone.read', write: 'zone.write' },
  notes: {
    create:
      'A shipment whose recipient’s coordinates are in an active zone is priced by the base fee of the zone; if several zones contain them, by the oldest.',
    edit: 'Fees of existing shipments do not change.',
    remove: 'Fees of existing shipments do not change.',
  },
  body: zoneBody,
  query: object({ ...COLLECTION_QUERY, isActive: optional(booleanText()) }, { strict: true }),
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
  properties: ({ name, polygon, baseFeeCents, isActive }) => {
    return { name, polygon, baseFee: formatAmount(baseFeeCents), isActive };
  },
  filter: ({ isActive }) => (isActive === null ? {} : { isActive }),
  fieldsOf: ({ baseFee, ...body }) => ({ ...body, baseFeeCents: baseFee }),
});
