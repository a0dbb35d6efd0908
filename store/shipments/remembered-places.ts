import { createHash } from 'node:crypto';
import type { OrganizationId } from '../../domain/ids.ts';
import { MAX_PLACES, PLACE_LIFETIME_DAYS, placeName } from '../../domain/remembered-place.ts';
import type { PlaceName } from '../../domain/remembered-place.ts';
import type { Address, NewShipment, Recipient } from '../../domain/shipment.ts';
import type { Executor } from '../connection.ts';
import { execute, select } from '../connection.ts';
import { prepared } from '../prepared.ts';
import type { Tenant } from '../tenant.ts';

type Point = Pick<Address, 'latitude' | 'longitude'>;

/** Names of places as rows have them: a digest, which tells neither the number nor the street (decision 0033). */
export function placeKey(organizationId: OrganizationId, name: PlaceName): string {
  return createHash('sha256')
    .update(`${organizationId}\n${placeName(name)}`)
    .digest('hex');
}

/** Remembers where a recipient's address is, or forgets it where its coordinates were taken away. */
export async function rememberPlace(
  { executor, organizationId }: Tenant,
  name: PlaceName,
  { latitude, longitude }: Point,
): Promise<void> {
  const key = placeKey(organizationId, name);
  if (latitude === null || longitude === null) {
    await execute(
      executor,
      `delete from remembered_places where organization_id = $1 and place_key = decode($2, 'hex')`,
      [organizationId, key],
    );
    return;
  }
  await execute(
    executor,
    `insert into remembered_places (organization_id, place_key, latitude, longitude, expires_at)
     values ($1, decode($2, 'hex'), $3, $4, clock_timestamp() + make_interval(days => $5::int))
     on conflict (organization_id, place_key) do update set latitude = excluded.latitude, longitude = excluded.longitude,
       updated_at = clock_timestamp(), expires_at = excluded.expires_at`,
    [organizationId, key, latitude, longitude, PLACE_LIFETIME_DAYS],
  );
  await execute(
    executor,
    `delete from remembered_places where organization_id = $1 and updated_at <
       (select updated_at from remembered_places where organization_id = $1 order by updated_at desc offset $2 limit 1)`,
    [organizationId, MAX_PLACES - 1],
  );
}

/** Gives shipments without coordinates those that are remembered for their recipients, all in one statement. */
export async function withRememberedPlaces<Shipment extends NewShipment>(
  executor: Executor,
  organizationId: OrganizationId,
  shipments: readonly Shipment[],
): Promise<readonly Shipment[]> {
  const keys = new Map(
    shipments.flatMap(({ id, request: { recipient } }) =>
      hasPoint(recipient.address) ? [] : [[id, placeKey(organizationId, nameOf(recipient))] as const],
    ),
  );
  if (keys.size === 0) return shipments;
  const rows = await select<{ key: string; latitude: number; longitude: number }>(
    executor,
    prepared(`select encode(place_key, 'hex') as key, latitude, longitude from remembered_places
     where organization_id = $1 and place_key in (select decode(unnest($2::text[]), 'hex')) and expires_at > clock_timestamp()`),
    [organizationId, [...new Set(keys.values())]],
  );
  const points = new Map(rows.map(({ key, latitude, longitude }) => [key, { latitude, longitude }]));
  return shipments.map((shipment) => {
    const point = points.get(keys.get(shipment.id) ?? '');
    return point === undefined ? shipment : placedAt(shipment, point);
  });
}

/** The name of the place where a recipient gets its parcels. */
export function nameOf({ phoneNumber, address: { street, city } }: Recipient): PlaceName {
  return { phoneNumber, street, city };
}

function hasPoint({ latitude, longitude }: Point): boolean {
  return latitude !== null && longitude !== null;
}

function placedAt<Shipment extends NewShipment>(shipment: Shipment, point: Point): Shipment {
  const { request } = shipment;
  const { recipient } = request;
  const address = { ...recipient.address, ...point };
  return { ...shipment, request: { ...request, recipient: { ...recipient, address } } };
}
