import { zones } from '../../store/fleet/zones.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { fieldsOf } from '../schema/fields.ts';
import type { ZoneFields } from '../../store/models/models.ts';
import type { TenantRow } from '../../store/models/tenant-model.ts';
import { recordRoutes } from '../resource/record-routes.ts';
import { booleanText, COLLECTION_QUERY } from '../http/pagination.ts';
import { defaulted, object, optional, required } from '../schema/schema-objects.ts';
import { boolean, money, text } from '../schema/schema-values.ts';
import { polygonSchema } from './polygon.ts';

const { field } = fieldsOf<TenantRow<'zone', ZoneFields>>();

const zone = recordType(
  'zone',
  'Zone',
  {
    name: field(required(text()), (row) => row.name),
    polygon: field(required(polygonSchema), (row) => row.polygon),
    baseFee: field(
      required(
        money('What a delivery into the zone costs before supplements, in the organization’s currency.'),
      ),
      (row) => row.baseFeeCents,
    ),
    isActive: field(defaulted(boolean('Whether the zone is used for pricing.'), true), (row) => row.isActive),
    ...DATES,
  },
  {},
);
/** Zones (interpretations 6 and 21). Staff read and write them. */
export const { routes: zoneRoutes } = recordRoutes({
  kind: 'zone',
  records: zones,
  actions: { list: 'zone.read', read: 'zone.read', write: 'zone.write', remove: 'zone.delete' },
  notes: {
    create:
      'A shipment whose recipient’s coordinates are in an active zone is priced by the base fee of the zone; if several zones contain them, by the oldest.',
    edit: 'Fees of existing shipments do not change.',
    remove: 'Fees of existing shipments do not change.',
  },
  ...zone,
  query: object({ ...COLLECTION_QUERY, isActive: optional(booleanText()) }, { strict: true }),
  filter: ({ isActive }) => (isActive === null ? {} : { isActive }),
  fieldsOf: ({ baseFee, ...body }) => ({ ...body, baseFeeCents: baseFee }),
});
