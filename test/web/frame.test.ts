import test from 'ava';
import type { Page } from 'playwright-core';
import { makeDriver, makeMerchant, makeTeam, shipmentBodyWith } from '../harness/make.ts';
import { send } from '../harness/request.ts';
import { textAt } from '../harness/json.ts';
import type { TestService } from '../harness/service.ts';
import { violationsOf } from './axe.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk();
/** By how much the page is wider than its window, in CSS pixels. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** Names that a page must show as text, and that must break no layout. */
const HOSTILE =
  '<img src=x onerror=alert(1)>\u202EevilدليلAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA🚚';

async function makeRecords({ database, baseUrl, config }: TestService) {
  const team = await makeTeam({ database, config }, 'ROLE_ORG_ADMIN');
  const driver = await makeDriver({ database }, team.organization, { firstName: HOSTILE });
  await makeMerchant({ database }, team.organization);
  const address = { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001' };
  const recipient = { firstName: HOSTILE, lastName: 'Haddad', phoneNumber: '+33612345678', address };
  const made = await send({ baseUrl }, 'POST', '/shipments', {
    token: team.token,
    body: shipmentBodyWith({ recipient }),
  });
  const run = await send({ baseUrl }, 'POST', '/delivery-runs', {
    token: team.token,
    body: { date: new Date().toISOString().slice(0, 10), name: HOSTILE },
  });
  const shipment = textAt(made.body, 'id');
  const number = textAt(made.body, 'trackingNumber');
  const task = textAt(made.body, 'tasks.0.id');
  return { user: team.user, driver, shipment, number, task, run: textAt(run.body, 'id') };
}

type Records = Awaited<ReturnType<typeof makeRecords>>;

/** Dialogs without an address of their own: the button that opens them is the last of the screen's header. */
const ASKING = ['/desk/runs', '/desk/drivers', '/desk/webhooks'];
/** Places with a red button that asks once more before it deletes. */
const DELETING = /[?](?:shipment|driver|run)=/;

/** The screens and settings that a page links to, and what stands over them. */
async function placesOf(page: Page, { shipment, driver, run, task }: Records): Promise<readonly string[]> {
  await page.goto('/desk/settings');
  const links = page.locator('nav a');
  await page.locator('nav a[href="/desk/settings/language"]').waitFor();
  const found = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
  return [
    ...found.filter((address) => address !== null),
    '/desk/shipments/new',
    `/desk/shipments?shipment=${shipment}`,
    `/desk/shipments/${shipment}/edit`,
    `/desk/drivers?driver=${driver}`,
    `/desk/drivers?place=${task}`,
    `/desk/runs?run=${run}`,
    '/desk/settings/users?edit=new',
  ];
}

async function showPlace(page: Page, place: string): Promise<void> {
  await page.goto(place);
  await page.locator('main h1, main h2, dialog h2').first().waitFor();
  await page.locator('[class*="skeleton"]').first().waitFor({ state: 'detached' });
}

/** What is wrong with the dialog or the question that a place opens by a button, if it has one. */
async function violationsOfAsking(page: Page, place: string): Promise<readonly string[]> {
  if (ASKING.includes(place)) {
    await page.locator('main h1').locator('..').getByRole('button').last().click();
    await page.getByRole('dialog').waitFor();
    return violationsOf(page, `${place} (dialog)`);
  }
  if (!DELETING.test(place)) return [];
  const red = page.locator('button[class*="danger"]');
  await red.filter({ hasText: '…' }).last().click();
  await red.filter({ hasNotText: '…' }).last().waitFor();
  return violationsOf(page, `${place} (question)`);
}

for (const language of ['en', 'ar'] as const) {
  test(`every screen follows WCAG 2.2 AA in light and dark: ${language}`, async (t) => {
    const records = await makeRecords(service);
    const { page } = await open(t, { user: records.user, language });
    const found: string[] = [];
    for (const place of await placesOf(page, records)) {
      await page.emulateMedia({ colorScheme: 'light' });
      await showPlace(page, place);
      t.is(await page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
      found.push(...(await violationsOf(page, place)));
      await page.emulateMedia({ colorScheme: 'dark' });
      // Nothing but colours is another in the dark.
      found.push(...(await violationsOf(page, `${place} (dark)`, 'color-contrast')));
      found.push(...(await violationsOfAsking(page, place)));
    }
    t.deepEqual(found, []);
  });
}

test('at a zoom of 200 % and at 1,024 × 640 nothing of the frame is out of reach', async (t) => {
  const records = await makeRecords(service);
  const { page } = await open(t, { user: records.user });
  for (const place of await placesOf(page, records)) {
    for (const [width, height] of [
      [1_024, 640],
      [640, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      await showPlace(page, place);
      const overflow = await page.evaluate<number>(OVERFLOW);
      t.true(overflow <= 0, `${place} is wider than the window by ${overflow} at ${width} px`);
      await page.getByTitle('Your account').waitFor();
    }
  }
});

test('the palette finds shipments, drivers and commands, and opens them by keys alone', async (t) => {
  const { user, shipment, number } = await makeRecords(service);
  const { page } = await open(t, { user, path: '/settings/language' });
  await page.getByRole('heading', { name: 'Language' }).waitFor();
  const field = page
    .getByRole('textbox', { name: 'Shipment, driver, run or command' })
    .or(page.getByRole('searchbox', { name: 'Shipment, driver, run or command' }));
  await page.keyboard.press('Control+k');
  await field.waitFor();
  // Enter comes before what the service finds, and opens it when it is there.
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const searches = (url: URL) => url.searchParams.has('search');
  await page.route(searches, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.type(number);
  await page.keyboard.press('Enter');
  release();
  await page.waitForURL((url) => url.searchParams.get('shipment') === shipment);
  await page.unroute(searches);
  t.is(new URL(page.url()).pathname, '/desk/settings/language');
  await page.getByRole('dialog').getByText(number).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // What was opened last is there immediately.
  await page.keyboard.press('Meta+k');
  await page.getByRole('option', { name: new RegExp(number) }).waitFor();
  await page.keyboard.type('evil');
  await page.getByRole('option', { name: /evil/ }).filter({ hasText: 'Driver' }).waitFor();
  await field.fill('merch');
  t.is(await page.getByRole('option', { name: /Driver/ }).count(), 0);
  await field.fill('import');
  await page.getByRole('option', { name: /^Import/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/desk/import');
  await page.keyboard.press('Control+k');
  await field.waitFor();
  t.deepEqual(await violationsOf(page, 'palette'), []);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
});
