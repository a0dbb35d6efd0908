import type { Locator, Page } from 'playwright-core';
import type { OrganizationId } from '../../domain/ids.ts';
import { execute } from '../../store/connection.ts';
import { makeDriver, makeTeam } from '../harness/make.ts';
import type { TestService } from '../harness/service.ts';
import { makeShipment } from '../harness/moves.ts';

/** A team whose drivers and shipments have names of their own, so that lanes and cards are found by them. */
export async function makeBoard(
  service: TestService,
  { drivers = ['Karim', 'Lina'], shipments = ['Amal', 'Badr', 'Chadi'] } = {},
) {
  const team = await makeTeam(service);
  const driverIds: string[] = [];
  for (const firstName of drivers)
    driverIds.push(await makeDriver(service, team.organization, { firstName }));
  const made = [];
  for (const firstName of shipments) made.push(await makeNamed(service, team.token, firstName));
  return { ...team, driverIds, shipments: made };
}

/** Makes a shipment for a recipient of that first name, with a place on the map. */
export function makeNamed(service: TestService, token: string, firstName: string) {
  const address = {
    ...{ street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001' },
    ...{ latitude: 48.8566, longitude: 2.3522 },
  };
  const recipient = { firstName, lastName: 'Haddad', phoneNumber: '+33612345678', address };
  return makeShipment(service, token, { fields: { recipient, codAmount: '25.00' } });
}

export function laneOf(page: Page, name: string): Locator {
  return page.getByRole('region', { name });
}

export function cardIn(page: Page, lane: string, name: string): Locator {
  return laneOf(page, lane).getByRole('row', { name });
}

/** Drags a card with the mouse, over several points as a hand does, and lets it go there. */
export async function dragTo(page: Page, card: Locator, target: Locator, atTop = false): Promise<void> {
  const from = await card.boundingBox();
  const to = await target.boundingBox();
  if (from === null || to === null) throw new Error('there is nothing to drag, or nowhere to drop it');
  await page.mouse.move(from.x + from.width / 2, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + 8, from.y + 24, { steps: 4 });
  const y = to.y + (atTop ? 6 : to.height * 0.75);
  await page.mouse.move(to.x + to.width / 2, y, { steps: 8 });
  await page.mouse.move(to.x + to.width / 2 + 2, y, { steps: 2 });
  await page.mouse.up();
}

/** Makes drivers, and tasks without a driver, by SQL. Their shipments have no workflows: they are to be looked at. */
export async function makeCrowd(
  { database }: Pick<TestService, 'database'>,
  organizationId: OrganizationId,
  { drivers, tasks }: { readonly drivers: number; readonly tasks: number },
): Promise<void> {
  await execute(
    database,
    `insert into drivers (id, organization_id, first_name, last_name, phone_number, is_available)
     select gen_random_uuid(), $1, 'Driver', lpad(n::text, 4, '0'), '+33612345678', true from generate_series(1, $2::int) n`,
    [organizationId, drivers],
  );
  await execute(database, CROWD_SQL, [organizationId, tasks]);
}

const CROWD_SQL = `with numbered as (
   select n, 'CRD-' || left(md5($1::text), 8) || '-' || lpad(n::text, 6, '0') as number, gen_random_uuid() as id
   from generate_series(1, $2::int) n
 ), reserved as (insert into tracking_numbers (tracking_number) select number from numbered),
 made as (insert into shipments (id, organization_id, tracking_number, source, status, priority, package_size,
   currency, cod_amount_cents, delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown, fee_payer, recipient,
   workflow_started_at)
   select id, $1::uuid, number, 'import', 'pending', 'normal', 'medium', 'EUR', 4990, 690, 5680, '[]', 'recipient',
     jsonb_build_object('type', 'individual', 'firstName', 'Client', 'lastName', n::text, 'phoneNumber', '+33612345678',
       'address', jsonb_build_object('street', n || ' rue de Rivoli', 'city', 'Paris', 'postalCode', '75001')),
     clock_timestamp() from numbered returning id, organization_id, tracking_number)
 insert into tasks (id, organization_id, shipment_id, ordinal, type, status, address)
 select gen_random_uuid(), organization_id, id, 0, 'delivery', 'pending',
   jsonb_build_object('street', tracking_number, 'city', 'Paris', 'postalCode', '75001', 'latitude', 48.85, 'longitude', 2.35)
 from made`;
