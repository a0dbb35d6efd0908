import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { makeTeam } from '../harness/make.ts';
import { makeShipment } from '../harness/moves.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk();

/** A recipient in a street of Paris, with a place or without one. */
function recipient(firstName: string, place: object = {}) {
  const address = { street: '12 rue de Rivoli', city: 'Paris', ...place };
  return { recipient: { firstName, lastName: 'Haddad', phoneNumber: '+33612345678', address } };
}

/** The addresses of other servers that a page asked. */
function strangers(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(service.baseUrl)) asked.push(request.url());
  });
  return asked;
}

/** The middle of the map, in the page's pixels. */
async function middleOf(t: ExecutionContext, page: Page, name: string) {
  const box = await page.getByRole('region', { name }).boundingBox();
  t.not(box, null);
  const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
  return { x: x + width / 2, y: y + height / 2, width, height };
}

test('the map and the lanes have one selection, by click, box and keys; no other server is asked', async (t) => {
  const { token, user } = await makeTeam(service);
  await makeShipment(service, token, { fields: recipient('Lina', { latitude: 48.85, longitude: 2.35 }) });
  await makeShipment(service, token, { fields: recipient('Omar', { latitude: 48.87, longitude: 2.39 }) });
  const { page } = await open(t, { user, path: '/board?map=1' });
  const asked = strangers(page);
  const cards = page.getByRole('row', { selected: true });
  await page.getByRole('row', { name: /Omar/ }).first().waitFor();
  await page.locator('.leaflet-coasts-pane path').first().waitFor({ state: 'attached' });
  const { x, y, width, height } = await middleOf(t, page, 'Map of the day');

  await page.keyboard.down('Shift');
  await page.mouse.move(x - width / 2 + 5, y + height / 2 - 5);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 5, y - height / 2 + 5, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.getByText('2 selected').waitFor();
  t.is(await cards.count(), 2);

  // The keys alone: the map is moved away and back, and its tasks are in a list.
  await page.getByRole('button', { name: 'List in view' }).press('Enter');
  await page.getByRole('checkbox', { name: 'Select Omar Haddad' }).press('Space');
  await page.getByText('1 selected').waitFor();
  t.true((await cards.first().textContent())?.includes('Lina'));
  await page.getByRole('region', { name: 'Tasks of the map' }).getByRole('button', { name: 'Close' }).click();

  // A click: the filter of the lanes leaves one pin, which is then in the middle.
  await page.getByPlaceholder('Filter ( / )').fill('Omar');
  await page.getByRole('row', { name: /Lina/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show everything' }).click();
  await page.mouse.click(x, y);
  await page.getByRole('row', { name: /Omar/, selected: true }).waitFor();
  t.deepEqual(asked, []);
});

test('a pin that is dropped and saved is where the next shipment of that phone and street is', async (t) => {
  const { token, user } = await makeTeam(service);
  await makeShipment(service, token, { fields: recipient('Lina') });
  const { page } = await open(t, { user, path: '/board?map=1' });
  await page.getByRole('button', { name: 'Not on the map: 1' }).click();
  await page.getByRole('button', { name: 'Set the place of Lina Haddad' }).click();
  const save = page.getByRole('button', { name: 'Save the place' });
  const latitude = page.getByLabel('Latitude');
  await page.getByRole('button', { name: 'Put a pin in the middle' }).click();
  const before = await latitude.inputValue();
  const pin = page.getByRole('button', { name: 'Pin: the arrow keys move it' });
  await pin.press('ArrowUp');
  t.true(Number(await latitude.inputValue()) > Number(before));
  await latitude.fill('48,8566');
  await page.getByLabel('Longitude').fill('2.3522');
  await save.click();
  await save.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Not on the map: 1' }).waitFor({ state: 'detached' });

  const next = await makeShipment(service, token, { fields: recipient('Lina') });
  await page.goto(`/desk/shipments?shipment=${next.id}`);
  await page.getByRole('button', { name: 'Change the place…' }).click();
  await latitude.waitFor();
  t.is(await latitude.inputValue(), '48.8566');
  t.is(await page.getByLabel('Longitude').inputValue(), '2.3522');
});

test('a zone is drawn by clicks and keys, saved, and read back with its corners', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page } = await open(t, { user, path: '/settings/zones' });
  await page.getByRole('button', { name: 'New zone' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Nord');
  await page.getByLabel('Base fee').fill('12.50');
  const corners = page.getByRole('button', { name: /^Corner/ });
  await page.getByRole('region', { name: 'Map of the zone' }).waitFor();
  const { x, y } = await middleOf(t, page, 'Map of the zone');
  for (const [right, down] of [
    [-80, -50],
    [80, -40],
    [40, 60],
  ] as const) {
    await page.mouse.click(x + right, y + down);
  }
  await page.getByRole('button', { name: /^After corner 3/ }).press('Enter');
  await page.getByRole('button', { name: /^Corner 4/ }).press('ArrowLeft');
  await page.getByRole('button', { name: /^Corner 2/ }).press('Delete');
  t.is(await corners.count(), 3);
  // Corners are typed as well.
  await page.getByText('Type the corners').click();
  const next = page.getByRole('group', { name: 'Next corner' });
  await next.getByLabel('Latitude').fill('48,91');
  await next.getByLabel('Longitude').fill('2.34');
  await next.getByRole('button', { name: 'Add this corner' }).click();
  await page.getByRole('group', { name: 'Corner 4' }).getByLabel('Latitude').waitFor();
  await page.getByRole('button', { name: 'Remove corner 4' }).click();
  t.is(await corners.count(), 3);
  const save = page.getByRole('button', { name: 'Save the zone' });
  await save.click();
  await save.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Nord' }).click();
  await corners.first().waitFor();
  t.is(await corners.count(), 3);
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByText('Shipments that exist keep their price.').waitFor();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('There are no zones yet.').waitFor();
});
