import type { FeePayer, Plan } from '../../domain/enumerations.ts';
import type { UserRole } from '../../domain/permission.ts';
import { ATLAS } from './atlas.ts';
import { PETIT_COLIS } from './petit-colis.ts';
import names from './names.json' with { type: 'json' };
import places from './places.json' with { type: 'json' };

/** A town of the demo, or the towns of one agglomeration. */
export type Area = keyof typeof places;

/** A street with a point of it; in Arabic too where it has a usual name there. */
export interface Place {
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly landmark?: string;
  readonly arabic?: { readonly street: string; readonly city: string; readonly landmark?: string };
}

/** A point with its address, as the API takes it. */
export interface WorldAddress {
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly landmark?: string;
}

/** Who signs in: the first name of an e-mail address is the role's. */
export interface WorldUser {
  readonly name: 'admin' | 'dispatch' | 'shop' | 'driver';
  readonly role: UserRole;
  readonly firstName: string;
  readonly lastName: string;
}

/** A merchant and what it sells: names with prices in whole units of the currency. */
export interface WorldMerchant {
  readonly name: string;
  readonly feePayer: FeePayer;
  readonly phoneNumber: string;
  readonly contactName: string;
  readonly address: WorldAddress;
  readonly goods: readonly (readonly [name: string, price: number])[];
}

/** A pickup point; without a merchant it is the organization's. */
export interface WorldPickupPoint {
  readonly code: string;
  readonly name: string;
  readonly area: Area;
  readonly merchant?: string;
  readonly address: WorldAddress;
  readonly openingHours: string;
}

/** A driver, where its day begins, and how old its position is. */
export interface WorldDriver {
  readonly key: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly vehicleType: 'bicycle' | 'motorcycle' | 'car' | 'van';
  readonly area: Area;
  readonly isAvailable: boolean;
  /** Signs in as the organization's user with ROLE_DRIVER. */
  readonly hasUser: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly positionAgeMinutes: number;
}

/** A zone; its ring is closed by whoever draws it. */
export interface WorldZone {
  readonly name: string;
  readonly baseFee: string;
  readonly ring: readonly (readonly [longitude: number, latitude: number])[];
}

/** An organization of the demo. Its first merchant, point, zone and drivers are there from the first moment (dev/seed.ts). */
export interface World {
  readonly name: string;
  readonly plan: Plan;
  readonly prefix: string;
  readonly domain: string;
  readonly currency: 'EUR' | 'DZD';
  readonly timezone: string;
  /** Prices of the organization; absent: those of the service. */
  readonly tariff?: object;
  readonly users: readonly WorldUser[];
  readonly merchants: readonly [WorldMerchant, ...WorldMerchant[]];
  readonly pickupPoints: readonly [WorldPickupPoint, ...WorldPickupPoint[]];
  readonly zones: readonly [WorldZone, ...WorldZone[]];
  readonly drivers: readonly WorldDriver[];
}

/** Both organizations: on a plan with webhooks, and on the one without. */
export const WORLDS: readonly World[] = [ATLAS, PETIT_COLIS];

/** How many drivers, the first ones, are there before the day is made. */
export const SEEDED_DRIVERS = 2;

/** The streets of each area. */
export const PLACES: Readonly<Record<Area, readonly Place[]>> = places;

/** Names of recipients: in Latin script by region, and in Arabic script. */
export const NAMES: Readonly<
  Record<keyof typeof names, { readonly first: readonly string[]; readonly last: readonly string[] }>
> = names;

/** The prefix of the phone numbers that recipients of an area get; four digits follow. */
export const PHONE_PREFIXES: Readonly<Record<Area, string>> = {
  paris: '+3363998',
  algiers: '+21355000',
  casablanca: '+21260000',
};

/** Returns a zone's area as GeoJSON. */
export function polygonOf({ ring }: WorldZone) {
  const [first] = ring;
  return { type: 'Polygon', coordinates: [first === undefined ? ring : [...ring, first]] };
}
