import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Page, Route } from 'playwright-core';
import { makeDriver, makeMerchant, makeOrganization, makeTeamWithDriver, makeUser } from '../harness/make.ts';
import type { MadeShipment } from '../harness/moves.ts';
import { expectStatus, makeShipment, move } from '../harness/moves.ts';
import { at, listAt, send, textAt } from '../harness/request.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk();

/** Names that a page must show as text: markup, an override of the direction, emoji, 255 characters without a space. */
const HOSTILE = ['<img src=x onerror=alert(1)>', '\u202Eexe.gpj', '👩‍👩‍👧‍👦'.repeat(3), 'W'.repeat(255)];

/** Asked of the page: whether what the drawer or the dialog holds, else the page, fits its width. */
const IS_NOT_WIDENED =
  "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('dialog') ?? document.body)";

/** What each role sees of the list: buttons of the screen, of selected rows, and the filter by merchant. */
const ROLES = [
  ['ROLE_ORG_ADMIN', { mayDelete: true, seesMerchants: true, approves: true }],
  ['ROLE_DISPATCHER', { mayDelete: false, seesMerchants: true, approves: true }],
  ['ROLE_MERCHANT', { mayDelete: false, seesMerchants: false, approves: false }],
] as const;

for (const [role, { mayDelete, seesMerchants, approves }] of ROLES) {
  test(`the list of shipments shows a ${role} what it may do and no more`, async (t) => {
    const organization = await makeOrganization(service);
    const merchantId = await makeMerchant(service, organization);
    const dispatcher = await makeUser(service, organization, 'ROLE_DISPATCHER');
    const own = { merchant: `/api/v1/merchants/${merchantId}` };
    const seen = await makeShipment(service, dispatcher.token, { fields: own });
    const other = await makeShipment(service, dispatcher.token);
    const options = role === 'ROLE_MERCHANT' ? { merchantId } : {};
    const user = await makeUser(service, organization, role, options);
    const { page } = await open(t, { user, path: '/shipments?page=9' });

    await page.getByRole('link', { name: seen.trackingNumber }).waitFor();
    t.true(page.url().endsWith('/shipments'), 'behind the last page is the last page');
    t.is(await page.getByRole('link', { name: other.trackingNumber }).count(), approves ? 1 : 0);
    t.is(await page.getByLabel('Merchant', { exact: true }).count(), seesMerchants ? 1 : 0);
    t.is(await page.getByRole('link', { name: 'Approvals' }).count(), approves ? 1 : 0);
    await page.getByRole('link', { name: 'New shipment' }).waitFor();
    await page.getByRole('checkbox', { name: seen.trackingNumber }).check();
    await page.getByText('1 shipment selected').waitFor();
    t.is(await page.getByRole('button', { name: 'Delete…' }).count(), mayDelete ? 1 : 0);
    const printed = page.waitForResponse((answer) => answer.url().endsWith('/shipments/labels'));
    await page.getByRole('button', { name: 'Labels (PDF)' }).click();
    t.is((await printed).headers()['content-type'], 'application/pdf');
    const noted = page.waitForResponse((answer) => answer.url().endsWith('/shipments/delivery-notes'));
    await page.getByRole('button', { name: 'Delivery notes (PDF)' }).click();
    t.is((await noted).headers()['content-type'], 'application/pdf');
    if (mayDelete) {
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('link', { name: seen.trackingNumber }).waitFor({ state: 'detached' });
    }
  });
}

test('a shipment with mistakes keeps what was typed, says all that is wrong, and is made once', async (t) => {
  const { user, token } = await makeTeamWithDriver(service);
  const { page } = await open(t, { user, path: '/shipments' });
  await page.getByRole('link', { name: 'New shipment' }).click();
  await page.getByLabel('Last name').fill('Benali');
  await page.getByLabel('Cash for the goods').fill('49,9');
  await page.getByLabel('Phone, with country code').fill('12');
  await page.getByRole('button', { name: 'Add an item' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Nothing was saved: 5 fields must be corrected.').waitFor();
  t.is(await page.locator('[aria-invalid="true"]').count(), 5);
  t.is(await page.getByLabel('Last name').inputValue(), 'Benali');

  // A screen with unsaved changes is not left by accident, by a link or by Back.
  const stay = page.getByRole('dialog').getByRole('button', { name: 'Stay on this screen' }).last();
  await page.getByRole('link', { name: 'Drivers' }).click();
  await stay.click();
  await page.goBack();
  await stay.click();
  t.true(page.url().endsWith('/desk/shipments/new'));

  await page.getByLabel('Phone, with country code').fill('+213 661 23 45 67');
  await page.getByLabel('First name or company').fill('Samir');
  await page.getByLabel('Street and number').fill('12 rue Larbi Ben M’hidi');
  await page.getByLabel('City').fill('Alger');
  await page.getByLabel('Item *').fill('Lamp');
  await page.getByLabel('Not before').fill('2030-03-12T10:00');
  // The answer is lost: the repeat has the same key.
  await loseAnswer(page, '**/shipments');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The service did not answer.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Samir Benali' }).waitFor();

  const made = expectStatus(await send(service, 'GET', '/shipments', { token }), 200).body;
  t.is(at(made, 'totalItems'), 1);
  const iri = textAt(made, 'member.0.@id');
  const shipment = expectStatus(await send(service, 'GET', iri, { token }), 200).body;
  t.is(textAt(shipment, 'codAmount'), '49.90');
  t.is(textAt(shipment, 'items.0.name'), 'Lamp');
  t.is(Date.parse(textAt(shipment, 'scheduledAfter')), Date.parse('2030-03-12T10:00:00Z'));
});

test('two people who edit one shipment both see both versions, and nothing is overwritten unseen', async (t) => {
  const { user, token } = await makeTeamWithDriver(service);
  const { id, iri } = await makeShipment(service, token, { fields: { notes: 'Ring twice' } });
  const { page } = await open(t, { user, path: `/shipments/${id}/edit` });
  const elsewhere = async (notes: string) => {
    const request = { token, body: { notes }, headers: { 'content-type': 'application/merge-patch+json' } };
    expectStatus(await send(service, 'PATCH', iri, request), 200);
  };
  const shown = async (path: string) =>
    textAt(expectStatus(await send(service, 'GET', iri, { token }), 200).body, path);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const conflict = page.getByText('Somebody else has changed this meanwhile.');

  await page.getByLabel('Notes for the driver').fill('Mine');
  await elsewhere('Theirs');
  await save.click();
  await conflict.waitFor();
  const versions = page.getByRole('row', { name: 'Notes for the driver' });
  t.deepEqual(await versions.getByRole('cell').allTextContents(), ['Theirs', 'Mine']);
  t.is(await shown('notes'), 'Theirs');
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await conflict.waitFor({ state: 'detached' });
  t.is(await page.getByLabel('Notes for the driver').inputValue(), 'Theirs');

  await page.getByLabel('City').fill('Lyon');
  await elsewhere('Theirs again');
  await save.click();
  await page.getByRole('button', { name: 'Keep mine and save again' }).click();
  await page.getByRole('dialog', { name: 'TST-' }).waitFor();
  // Only what was changed is sent: their notes stay.
  t.is(await shown('notes'), 'Theirs again');
  t.is(await shown('recipient.address.city'), 'Lyon');
});

/** Lets the next request to an address reach the service, and its answer get lost. */
function loseAnswer(page: Page, address: string) {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  return page.route(address, lose, { times: 1 });
}

/** Opens a drawer that hears of no changes: what it shows is old once somebody else acts. */
async function openDrawer(page: Page, { id }: MadeShipment) {
  await page.route('**/api/v1/changes*', (route) => route.abort());
  await page.goto(`/desk/shipments?shipment=${id}`);
  return page.getByRole('dialog', { name: 'TST-' });
}

test('the drawer applies what is allowed; a rejection says what is so now and what is allowed', async (t) => {
  const { organization, user, token, driver } = await makeTeamWithDriver(service);
  await makeDriver(service, organization, { firstName: 'Busy', isAvailable: false });
  const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const shipment = await makeShipment(service, token);
  const { page } = await open(t, { user });
  const drawer = await openDrawer(page, shipment);

  // An assignment whose answer is lost is repeated with its key, and is made once.
  await loseAnswer(page, '**/transition');
  await drawer.getByRole('button', { name: 'Assign' }).click();
  const form = drawer.getByRole('form', { name: 'Assign' });
  t.is(await form.getByRole('option', { name: 'Busy Moreau' }).count(), 0);
  await form.getByLabel('Driver').selectOption({ label: 'Yanis Moreau' });
  await form.getByRole('button', { name: 'Assign' }).click();
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await form.waitFor({ state: 'detached' });
  await drawer.getByText('Delivery: Assigned').waitFor();
  t.is(await drawer.getByText('Delivery: Assigned').count(), 1);

  await drawer.getByRole('button', { name: 'Mark as failed' }).click();
  await drawer.getByLabel('Why did it fail?').selectOption({ label: 'Other reason' });
  await drawer.getByRole('form').getByRole('button', { name: 'Mark as failed' }).click();
  await drawer.locator('[aria-invalid="true"]').waitFor();
  await move(service, colleague.token, shipment.delivery, 'unassign');
  await drawer.getByLabel('What happened?').fill('The dog was out.');
  await drawer.getByRole('form').getByRole('button', { name: 'Mark as failed' }).click();
  const rejection = drawer.getByRole('alert').filter({ hasText: 'Not done.' });
  await rejection.getByText(/The task is now: Not assigned, since .+, by Test ROLE_DISPATCHER\./).waitFor();
  t.is(await drawer.getByLabel('What happened?').inputValue(), 'The dog was out.');
  await rejection.getByRole('button', { name: 'Assign' }).click();
  await form.getByLabel('Driver').selectOption(`/api/v1/drivers/${driver}`);
  await form.getByRole('button', { name: 'Assign' }).click();
  await form.waitFor({ state: 'detached' });
  t.is(await rejection.count(), 0);

  // Accepted and not decided: the drawer says so, also when it is closed and opened again, until the outcome is known.
  const command = { '@type': 'Command', id: randomUUID(), status: 'received' };
  await page.route('**/transition', (route) => route.fulfill({ status: 202, json: command }));
  await page.route('**/commands/*', (route) => route.fulfill({ json: command }));
  await drawer.getByRole('button', { name: 'Start delivery' }).click();
  const accepted = drawer.getByText('Accepted. Its outcome is not known yet…');
  await accepted.waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: shipment.trackingNumber }).click();
  await accepted.waitFor();
  command.status = 'applied';
  await accepted.waitFor({ state: 'detached' });
});

test('requests are approved with the keyboard alone; each that cannot be is named with its reason', async (t) => {
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const asked: MadeShipment[] = [];
  for (let count = 0; count < 4; count += 1) asked.push(await askFor(merchant.token));
  const { page } = await open(t, { user: admin });
  await page.route('**/api/v1/changes*', (route) => route.abort());
  await page.goto('/desk/approvals');

  const boxes = page.getByRole('row').getByRole('checkbox');
  await boxes.nth(1).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Approve 2' }).waitFor();
  const [, second, third] = asked;
  expectStatus(await send(service, 'DELETE', second?.iri ?? '', { token: admin.token }), 204);
  await page.keyboard.press('Enter');
  await page.getByText('1 request approved.').waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: second?.trackingNumber ?? '' })
    .waitFor();
  await page.getByText('2 requests await approval').waitFor();

  await page.getByRole('checkbox', { name: third?.trackingNumber ?? '' }).check();
  await page.getByRole('button', { name: 'Reject 1…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('1 request awaits approval').waitFor();
  const list = expectStatus(await send(service, 'GET', '/shipments', { token: admin.token }), 200).body;
  const statuses = listAt(list, 'member').map((line) => textAt(line, 'status'));
  t.deepEqual(statuses.sort(), ['pending', 'pending_approval']);
});

async function askFor(token: string): Promise<MadeShipment> {
  const body = {
    recipient: {
      firstName: 'Nora',
      phoneNumber: '+33612345678',
      address: { street: '1 rue de Rivoli', city: 'Paris' },
    },
  };
  const answer = expectStatus(await send(service, 'POST', '/shipments', { token, body }), 201).body;
  const iri = textAt(answer, '@id');
  const trackingNumber = textAt(answer, 'trackingNumber');
  return { iri, id: textAt(answer, 'id'), trackingNumber, pickup: undefined, delivery: '' };
}

test('names with markup, overrides, emoji or no space are shown as text and widen nothing', async (t) => {
  const { organization, user, token } = await makeTeamWithDriver(service);
  for (const name of HOSTILE) {
    const recipient = {
      firstName: name,
      lastName: name,
      phoneNumber: '+33612345678',
      address: { street: name, city: name, landmark: name },
    };
    await makeShipment(service, token, { fields: { recipient, notes: name, externalReference: name } });
  }
  const { page } = await open(t, { user, path: '/shipments', viewport: { width: 1024, height: 640 } });
  for (const name of HOSTILE) await page.getByRole('cell', { name, exact: false }).first().waitFor();
  t.is(await page.locator('img').count(), 0);
  const { body } = expectStatus(await send(service, 'GET', '/shipments', { token }), 200);
  for (const line of listAt(body, 'member')) {
    await page.goto(`/desk/shipments?shipment=${textAt(line, 'id')}`);
    const drawer = page.getByRole('dialog', { name: textAt(line, 'trackingNumber') });
    await drawer.getByRole('heading', { name: 'Timeline' }).waitFor();
    t.true(await page.evaluate<boolean>(IS_NOT_WIDENED));
  }
  // On the board too, where the drivers have such names.
  for (const name of HOSTILE) await makeDriver(service, organization, { firstName: name });
  await page.goto('/desk/board?map=1');
  const cards = page.locator('[data-task]');
  for (const name of HOSTILE) await cards.filter({ hasText: name }).first().waitFor();
  t.true(await page.evaluate<boolean>(IS_NOT_WIDENED));
  t.is(await page.locator('img').count(), 0);
  for (const card of await cards.all()) t.true(((await card.boundingBox())?.height ?? 0) <= 60);
  await cards.first().focus();
  await page.keyboard.press('a');
  const drivers = page.getByRole('dialog').getByRole('option');
  for (const name of HOSTILE) await drivers.filter({ hasText: name }).waitFor();
  t.true(await page.evaluate<boolean>(IS_NOT_WIDENED));
});
