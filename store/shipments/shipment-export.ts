import { collectionPath } from '../../domain/iri.ts';
import { select } from '../connection.ts';
import type { ShipmentFilter, ShipmentRow } from './shipments.ts';
import { SHIPMENT_COLUMNS, shipmentConditions } from './shipments.ts';
import type { Order, Tenant } from '../tenant.ts';

/** A shipment with the names that people read. */
export type ExportedShipmentRow = ShipmentRow & {
  readonly merchantName: string | null;
  readonly driverName: string | null;
};

const ROWS_PER_QUERY = 500;
/** The place to go on from, as text: a JavaScript date would cut the microseconds and give rows twice. */
type Placed = ExportedShipmentRow & { readonly place: string };

/**
 * All shipments of a filter, in the list's order, some hundreds at a time by their place in it: rows that are added
 * meanwhile neither shift nor repeat others. Rejects when the database goes away in the middle.
 */
export async function* exportShipments(
  tenant: Tenant,
  filter: ShipmentFilter,
  { by, direction }: Order,
): AsyncGenerator<ExportedShipmentRow> {
  const after = direction === 'asc' ? '>' : '<';
  const placeType = by === 'id' ? 'uuid' : 'timestamptz';
  let last: Placed | undefined;
  do {
    const { where, values } = shipmentConditions(tenant, filter);
    const start =
      last === undefined
        ? ''
        : `and (${by}, id) ${after} ($${values.push(last.place)}::${placeType}, $${values.push(last.id)}::uuid)`;
    const rows = await select<Placed>(
      tenant.executor,
      `select s.*, case when m.namesakes > 1 then '${collectionPath('merchant')}/' || m.id else m.name end as "merchantName",
         (select d.first_name || ' ' || d.last_name from tasks t join drivers d on d.id = t.driver_id
          where t.shipment_id = s.id and t.type = 'delivery') as "driverName"
       from (select ${SHIPMENT_COLUMNS}, ${by}::text as place from shipments s where ${where} ${start}
         order by ${by} ${direction}, id ${direction} limit ${ROWS_PER_QUERY}) s
       left join (select id, name, count(*) over (partition by lower(btrim(name))) as namesakes from merchants
         where organization_id = $${values.push(tenant.organizationId)}::uuid) m on m.id = s."merchantId" order by s.place::${placeType} ${direction}, s.id ${direction}`,
      values,
    );
    yield* rows;
    last = rows.length === ROWS_PER_QUERY ? rows.at(-1) : undefined;
  } while (last !== undefined);
}
