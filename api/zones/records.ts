import { zones } from '../../store/fleet/zones.ts';
import type { TenantRow } from '../../store/models/tenant-model.ts';
import type { ZoneFields } from '../../store/models/zone.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import type { RecordResource } from '../resource/record-resource.ts';
import { booleanText, COLLECTION_QUERY } from '../http/pagination.ts';
import { fieldsOf } from '../schema/fields.ts';
import type { Infer } from '../schema/schema.ts';
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
type ZoneBody = Infer<typeof zone.body>;

const listQuery = object({ ...COLLECTION_QUERY, isActive: optional(booleanText()) }, { strict: true });

export interface ZoneTypes {
  readonly kind: 'zone';
  readonly fields: ZoneFields;
  readonly body: ZoneBody;
  readonly edit: ZoneBody;
  readonly query: Infer<typeof listQuery>;
}

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
  ...zone,
  edited: zone.body,
  query: listQuery,
  isOwn: () => false,
  find: zones.find,
  findPage: ({ tenant }, { isActive }, order, page) =>
    zones.findPage(tenant, isActive === null ? {} : { isActive }, order, page),
  create: ({ tenant }, id, body) => zones.insert(tenant, id, writtenFields(body)),
  edit: ({ tenant }, row, body) => zones.update(tenant, row.id, row.version, writtenFields(body)),
  remove: ({ tenant }, row, version) => zones.remove(tenant, row.id, version),
  uniqueFields: {},
};

function writtenFields({ baseFee, ...body }: ZoneBody): ZoneFields {
  return { ...body, baseFeeCents: baseFee };
}
