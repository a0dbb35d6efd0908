import { at, listAt, textAt } from '../../test/harness/json.ts';
import { polygonOf, type World } from '../world/world.ts';
import type { Ask } from './ask.ts';

/** The IRIs of an organization's records: merchants by name, points by code, drivers by their key. */
export interface Records {
  readonly merchants: ReadonlyMap<string, string>;
  readonly pickupPoints: ReadonlyMap<string, string>;
  readonly drivers: ReadonlyMap<string, string>;
}

/**
 * Makes the records that are missing, as the admin; those that are there are known by name, code and phone number. `path` is
 * the organization's.
 */
export async function makeRecords(
  ask: Ask,
  world: World,
  { path, now }: { readonly path: string; readonly now: Date },
): Promise<Records> {
  // Prices first: a shipment keeps the fee that it was made with.
  const { tariff } = world;
  if (tariff !== undefined) await ask({ as: 'admin', method: 'PATCH', path, body: { tariff } });
  const merchants = await makeMissing(ask, '/merchants', 'name', world.merchants, (merchant) => ({
    name: merchant.name,
    feePayer: merchant.feePayer,
    contact: { name: merchant.contactName, phoneNumber: merchant.phoneNumber },
    address: merchant.address,
  }));
  const pickupPoints = await makeMissing(ask, '/pickup-points', 'code', world.pickupPoints, (point) => ({
    name: point.name,
    code: point.code,
    address: point.address,
    openingHours: point.openingHours,
    ...(point.merchant === undefined ? {} : { merchant: merchants.get(point.merchant) }),
  }));
  await makeMissing(ask, '/zones', 'name', world.zones, (zone) => ({
    name: zone.name,
    baseFee: zone.baseFee,
    polygon: polygonOf(zone),
  }));
  const byPhone = await makeMissing(ask, '/drivers', 'phoneNumber', world.drivers, (driver) => ({
    firstName: driver.firstName,
    lastName: driver.lastName,
    phoneNumber: driver.phoneNumber,
    vehicleType: driver.vehicleType,
    isAvailable: driver.isAvailable,
  }));
  const drivers = new Map<string, string>();
  for (const { key, phoneNumber, latitude, longitude, positionAgeMinutes } of world.drivers) {
    const iri = byPhone.get(phoneNumber);
    if (iri === undefined) continue;
    drivers.set(key, iri);
    const recordedAt = new Date(now.getTime() - positionAgeMinutes * 60_000).toISOString();
    await ask({
      as: 'admin',
      method: 'POST',
      path: `${iri}/location`,
      body: { latitude, longitude, recordedAt },
    });
  }
  return { merchants, pickupPoints, drivers };
}

/** Makes what a collection does not have yet, and returns the IRIs by the value of the field that tells them apart. */
async function makeMissing<Name extends string, Entry extends Readonly<Record<Name, string>>>(
  ask: Ask,
  path: string,
  name: Name,
  wanted: readonly Entry[],
  bodyOf: (entry: Entry) => object,
): Promise<Map<string, string>> {
  const page = await ask({ as: 'admin', method: 'GET', path: `${path}?itemsPerPage=100` });
  const found = new Map(
    listAt(page, 'member').map((member) => [String(at(member, name)), textAt(member, '@id')] as const),
  );
  for (const entry of wanted) {
    if (found.has(entry[name])) continue;
    const made = await ask({ as: 'admin', method: 'POST', path, body: bodyOf(entry) });
    found.set(entry[name], textAt(made, '@id'));
  }
  return found;
}
