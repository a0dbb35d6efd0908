import { randomUUID } from 'node:crypto';
import test from 'ava';
import { select } from '../../store/connection.ts';
import { makeTeam, makeUser } from '../harness/make.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk();

const LOST = 'What you typed here is not saved.';

/** What requests wait at until the test lets them pass. */
function gate(): { readonly opened: Promise<void>; readonly openGate: () => void } {
  let openGate: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (openGate = resolve));
  return { opened, openGate: () => openGate() };
}

test('a long choice keeps the focus as it arrives, and counts as typed once it is changed', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  for (let number = 0; number < 20; number += 1) await makeUser(service, organization, 'ROLE_DRIVER');
  const { page } = await open(t, { user, path: '/drivers' });
  const { opened, openGate } = gate();
  await page.route('**/users?*', async (route) => {
    await opened;
    await route.continue();
  });
  const form = page.getByRole('dialog', { name: 'New driver' });
  const choice = form.getByRole('combobox', { name: 'Signs in as' });
  await page.getByRole('button', { name: 'New driver' }).click();
  await choice.focus();
  openGate();
  await choice.and(page.locator('input:focus')).waitFor();
  await page.keyboard.type('example');
  const options = form.getByRole('listbox', { name: 'Signs in as' }).getByRole('option');
  await options.first().waitFor();
  await page.keyboard.press('Escape');
  t.is(await choice.inputValue(), 'Nobody');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'New driver' }).click();
  await choice.click();
  await options.last().click();
  t.not(await choice.inputValue(), 'Nobody');
  await page.keyboard.press('Escape');
  await form.getByText(LOST).waitFor();
});

test('a choice among more records than a page shows what is chosen, and the service finds the others', async (t) => {
  const { user, organization } = await makeTeam(service);
  const shops = await select<{ id: string; name: string }>(
    service.database,
    `insert into merchants (id, organization_id, name, created_at)
     select gen_random_uuid(), $1, 'Shop ' || lpad(n::text, 3, '0'), clock_timestamp() + n * interval '1 ms'
     from generate_series(1, 130) n returning id, name`,
    [organization.id],
  );
  const idOf = (name: string) => shops.find((shop) => shop.name === name)?.id ?? '';
  const oldest = idOf('Shop 001');
  const { page } = await open(t, { user, path: `/shipments?merchant=${oldest}` });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const choice = page.getByRole('combobox', { name: 'Merchant' });
  const options = page.getByRole('listbox', { name: 'Merchant' }).getByRole('option');
  const seen = page.locator('input[role=combobox][placeholder="Shop 001"]');
  await seen.waitFor();
  await choice.click();
  await page.getByText('There are more: type to find them.').waitFor();
  await options.and(page.locator('[aria-selected=true]')).getByText('Shop 001').waitFor();
  await page.keyboard.type('002 shop');
  await options.getByText('Shop 002').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/shipments?merchant=${idOf('Shop 002')}`);
  t.is(await choice.inputValue(), 'Shop 002');
  // One that the first page has, and that stands below the fifty options which are drawn.
  await page.goto(`/desk/shipments?merchant=${idOf('Shop 129')}`);
  await page.locator('input[role=combobox][placeholder="Shop 129"]').waitFor();
  await choice.click();
  await options.and(page.locator('[aria-selected=true]')).getByText('Shop 129').waitFor();
  // The service searches fields that the label does not show.
  await page.route('**/merchants?*search=b-77*', async (route) => {
    const url = route.request().url().replace('b-77', '077');
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await choice.fill('b-77');
  await options.getByText('Shop 077').waitFor();
  await page.goto(`/desk/shipments?merchant=${randomUUID()}`);
  await page.locator('input[role=combobox][placeholder="(deleted)"]').waitFor();
  t.deepEqual(
    asked.filter((url) => /merchants\?.*page=[2-9]/.test(url)),
    [],
  );
});

test('a part that cannot be loaded, or that nobody waits for, takes nothing away', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  for (let number = 0; number < 20; number += 1) await makeUser(service, organization, 'ROLE_DRIVER');
  const { page } = await open(t, { user, path: '/drivers' });
  await page.route('**/combo-field*.js', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'New driver' }).click();
  await failed;
  const form = page.getByRole('dialog', { name: 'New driver' });
  await form.getByLabel('Signs in as').selectOption({ index: 3 });
  await page.keyboard.press('Escape');
  await form.getByText(LOST).waitFor();
  await form.getByRole('button', { name: 'Close, and lose it' }).click();

  const { opened, openGate } = gate();
  await page.route('**/palette*.js', async (route) => {
    await opened;
    await route.continue();
  });
  const asked = page.waitForRequest('**/palette*.js');
  const loaded = page.waitForResponse('**/palette*.js');
  await page.getByRole('button', { name: /^Search/ }).focus();
  await page.keyboard.press('Enter');
  await asked;
  await page.keyboard.press('Tab');
  t.is(await page.locator('button:focus', { hasText: 'Search' }).count(), 0, 'Tab goes on');
  await page.keyboard.press('Escape');
  openGate();
  await loaded;
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
});

test('one endpoint that is away is not the service: only a 503 of the service itself is', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page } = await open(t, { user, path: '/runs' });
  const lost = page.getByText('The service cannot be reached.', { exact: false });
  const problem = { status: 503, title: 'Temporarily unavailable' };
  let messageKey: string | undefined = 'geocoder_unavailable';
  const merchants = /\/desk\/api\/v1\/merchants/;
  await page.route(merchants, (route) =>
    route.fulfill({ status: 503, json: { ...problem, messageKey }, contentType: 'application/problem+json' }),
  );
  const answered = page.waitForResponse(merchants);
  await page.goto('/desk/settings/merchants');
  await answered;
  // It is asked for again.
  await page.waitForResponse(merchants);
  t.is(await lost.count(), 0);
  messageKey = undefined;
  await lost.waitFor();
});

test('a record whose answer was lost is not made twice, and one with other values is not taken for it', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page } = await open(t, { user, path: '/settings/merchants' });
  const make = async (name: string) => {
    await page.getByRole('button', { name: 'New merchant' }).click();
    const form = page.getByRole('dialog', { name: 'New merchant' });
    await form.getByLabel('Name *').fill(name);
    // It is carried out, and its answer gets lost.
    const requests = '**/api/v1/merchants';
    await page.route(requests, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The service did not answer.', { exact: false }).waitFor();
    await page.unroute(requests);
    return form;
  };
  const first = await make('Corner shop');
  await first.getByRole('button', { name: 'Save' }).click();
  await first.waitFor({ state: 'detached' });
  const second = await make('Bakery');
  await second.getByLabel('Name *').fill('Bakery and more');
  await second.getByRole('button', { name: 'Save' }).click();
  await second.getByText('Your earlier try may have been saved', { exact: false }).waitFor();
  t.is(await second.getByText('Idempotency-Key').count(), 0);
  await page.goto('/desk/settings/merchants');
  const rows = page.getByRole('table', { name: 'Merchants' }).getByRole('rowheader');
  await rows.getByText('Bakery').waitFor();
  t.deepEqual((await rows.allTextContents()).sort(), ['Bakery', 'Corner shop']);
});
