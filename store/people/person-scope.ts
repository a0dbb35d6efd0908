import type { DriverId, OrganizationId, ShipmentId, UserId } from '../../domain/ids.ts';
import type { Person } from '../../domain/personal-data.ts';

/** Whose data is meant: by a phone number in E.164 or an e-mail address, as the recipient of one shipment, or as staff. */
export type PersonName =
  | { readonly by: 'phone_number' | 'email'; readonly value: string }
  | { readonly by: 'shipment'; readonly id: ShipmentId }
  | { readonly by: 'driver'; readonly id: DriverId }
  | { readonly by: 'user'; readonly id: UserId };

/** What the rows of a person are found by (person-rows.ts). */
export interface PersonScope {
  readonly organizationId: OrganizationId;
  readonly shipmentIds: readonly ShipmentId[];
  readonly placeKeys: readonly string[];
  /** Texts that a stored answer about the person has in it. */
  readonly marks: readonly string[];
  readonly phoneNumber: string | null;
  /** In small letters. */
  readonly email: string | null;
  /** The driver named, and each that the user is or was. */
  readonly driverIds: readonly DriverId[];
  readonly userId: UserId | null;
  /** Those of the drivers, as events have them. */
  readonly names: readonly string[];
}

/** A scope without anything that finds a row. */
export function emptyScope(organizationId: OrganizationId): PersonScope {
  return {
    organizationId,
    shipmentIds: [],
    placeKeys: [],
    marks: [],
    phoneNumber: null,
    email: null,
    driverIds: [],
    userId: null,
    names: [],
  };
}

/** Which kinds of people a name may mean. A driver and its user are one person. */
export function peopleOf({ by }: PersonName): readonly Person[] {
  if (by === 'shipment') return ['recipient'];
  return by === 'driver' || by === 'user' ? ['driver', 'user'] : ['recipient', 'contact'];
}

/** The scope as a row `p` of a statement; its values are those of `scopeValues`. */
export const SCOPE_SQL = `p as (select $1::uuid as organization_id, $2::uuid[] as shipment_ids, $3::text[] as place_keys,
  $4::text[] as patterns, $5::text as phone_number, $6::text as email, $7::uuid[] as driver_ids, $8::uuid as user_id, $9::text[] as names)`;

export function scopeValues(scope: PersonScope): unknown[] {
  const { organizationId, shipmentIds, placeKeys, marks, phoneNumber, email, driverIds, userId, names } =
    scope;
  return [
    ...[organizationId, [...shipmentIds], [...placeKeys], marks.map(patternOf)],
    ...[phoneNumber, email, [...driverIds], userId, [...names]],
  ];
}

/** A text as it stands in JSON, wherever that is. */
function patternOf(mark: string): string {
  return `%${JSON.stringify(mark)
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&')}%`;
}
