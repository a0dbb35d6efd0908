import test from 'ava';
import ExcelJS from 'exceljs';
import type { Page } from 'playwright-core';
import type { UserRole } from '../../domain/permission.ts';
import { makeDriver, makeMerchant, makeTeam, makeTeamWithDriver, makeUser } from '../harness/make.ts';
import { expectStatus, makeShipment, move } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import { at, listAt, send, textAt } from '../harness/request.ts';
import { until } from '../harness/until.ts';
import { GOOD, workbook } from '../api/shipments/import/uploads.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk({ settings: { WEBHOOK_MAX_ATTEMPTS: '1' } });

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SCREENS = ['Runs', 'Drivers', 'Import', 'Webhooks'];

const SCREENS_OF_ROLE: readonly (readonly [UserRole, readonly string[]])[] = [
  ['ROLE_ORG_ADMIN', SCREENS],
  ['ROLE_DISPATCHER', ['Runs', 'Drivers', 'Import']],
  ['ROLE_MERCHANT', ['Import']],
];

test.serial('each role is shown the screens of operations that it may use, and no other', async (t) => {
  const { organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  for (const [role, shown] of SCREENS_OF_ROLE) {
    const options = role === 'ROLE_MERCHANT' ? { merchantId } : {};
    const user = await makeUser(service, organization, role, options);
    const { page, context } = await open(t, { user, path: '/import' });
    await page.getByRole('heading', { name: 'Import shipments' }).waitFor();
    const links = await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allTextContents();
    t.deepEqual(
      links.filter((link) => SCREENS.includes(link)),
      [...shown],
    );
    for (const screen of SCREENS) {
      await page.goto(`/desk/${screen.toLowerCase()}`);
      const heading = screen === 'Import' ? 'Import shipments' : screen;
      const expected = shown.includes(screen)
        ? page.getByRole('heading', { name: heading, exact: true, level: 1 })
        : page.getByText('There is no such screen, or it is not for your role.');
      await expected.waitFor();
    }
    await context.close();
  }
});

test.serial(
  'a merchant’s workbook is previewed, imported and found again, its bad row at its cell',
  async (t) => {
    const { organization } = await makeTeam(service);
    const merchantId = await makeMerchant(service, organization);
    const user = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
    const { page, context } = await open(t, { user, path: '/import' });
    const hostile = '<img src=x onerror=alert(1)>';
    const bad = ['Zoé', '123', '2 rue de Rivoli', 'Paris', '1,234', 'ring twice'];
    const rows = [GOOD, [hostile, ...GOOD.slice(1)], bad];
    await chooseFile(page, 'orders.xlsx', await workbook(rows));
    const cells = page.getByRole('region', { name: 'Preview' });
    await cells.getByRole('cell', { name: hostile }).waitFor();
    await cells.getByRole('cell', { name: /^123.*The country is missing/ }).waitFor();
    await cells.getByRole('cell', { name: /^1,234.*can be read in two ways/ }).waitFor();
    t.is(await shipmentCount(user.token), 0, 'a preview makes nothing');
    await page.getByRole('button', { name: 'Import 2 shipments' }).click();
    await page.getByText('2 shipments were imported.').waitFor();
    await page.getByText('1 row was left out.').waitFor();
    t.is(await shipmentCount(user.token), 2);
    const address = page.url();
    t.regex(address, /\/desk\/import\?import=/);
    const french = await open(t, { user, path: address.slice(address.indexOf('/import')), language: 'fr' });
    const errors = french.page.getByRole('list', { name: 'Lignes écartées' });
    await errors.getByText(/Ligne 4.*recipient_phone.*Le pays manque.*cod_amount.*deux façons/).waitFor();
    await french.context.close();
    const link = page.getByRole('link', { name: 'Download the rows that were left out' });
    const failed = await context.request.get((await link.getAttribute('href')) ?? '');
    t.is(failed.headers()['content-type'], XLSX);
    await page.goto('/desk/import');
    await page.getByRole('table', { name: 'Imports' }).getByRole('link', { name: 'orders.xlsx' }).click();
    await page.getByText('2 shipments were imported.').waitFor();
    t.is(page.url(), address);

    // The workbook of the failed rows is corrected and dropped on the page, which is closed during its import.
    const texts = { recipient_phone: '+33612345678', cod_amount: '1234' };
    await dropFile(page, 'corrected.xlsx', await corrected(await failed.body(), texts));
    await page.getByText('1 row. 1 can be imported.').waitFor();
    const sent = page.waitForRequest((request) => request.url().endsWith('/shipments/import'));
    await page.getByRole('button', { name: 'Import 1 shipment' }).click();
    await sent;
    const template = await context.request.get('/desk/api/v1/shipments/import/template');
    await page.close();
    const again = await context.newPage();
    await again.goto('/desk/import');
    await again.getByRole('link', { name: 'corrected.xlsx' }).click();
    await again.getByText('1 shipment was imported.').waitFor();
    await dropFile(again, 'template.xlsx', await template.body());
    await again.getByText('1 row. 1 can be imported.').waitFor();
  },
);

test.serial('a file that cannot be imported is answered at the file', async (t) => {
  const { user } = await makeTeam(service);
  const { page } = await open(t, { user, path: '/import' });
  await chooseFile(page, 'photo.xlsx', Buffer.from('no workbook'));
  await page
    .getByRole('alert')
    .getByText(/not an Excel workbook \(\.xlsx\), but: .CSV/)
    .waitFor();
  t.is(await page.getByRole('button', { name: /^Import/ }).count(), 0);
  await page.getByRole('button', { name: 'Choose another file' }).click();
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().includes('/shipments/import')) sent += 1;
  });
  await chooseFile(page, 'large.xlsx', Buffer.alloc(5 * 1_048_576 + 1));
  await page.getByRole('alert').getByText('The file is larger than 5 MB.').waitFor();
  t.is(sent, 0, 'it is not sent');
  const rows = Array.from({ length: 10_001 }, () => GOOD);
  await chooseFile(page, 'long.xlsx', await workbook(rows));
  await page.getByRole('alert').getByText('The sheet has more than 10,000 shipments.').waitFor();
});

test.serial('dead webhooks show the bytes that were sent, and are sent again, one or many', async (t) => {
  const receiver = await startReceiver({ answers: [500] });
  t.teardown(receiver.close);
  const { user, token, driver } = await makeTeamWithDriver(service, 'ROLE_ORG_ADMIN', {
    webhookUrl: receiver.url,
  });
  const assign = async () => {
    const { delivery } = await makeShipment(service, token);
    await move(service, token, delivery, 'assign', { driver });
  };
  await assign();
  const { page } = await open(t, { user, path: '/webhooks?status=dead' });
  const table = page.getByRole('table', { name: 'Webhook deliveries' });
  // The stream brings it while the screen is open.
  await table
    .getByRole('row', { name: /Given up/ })
    .getByRole('link')
    .first()
    .click();
  const drawer = page.getByRole('dialog', { name: 'Webhook' });
  const [first] = await receiver.waitForRequests(1);
  t.is(await drawer.locator('pre').textContent(), first?.body.toString('utf8') ?? null);
  await drawer.getByRole('cell', { name: '500' }).waitFor();
  receiver.respondWith([200]);
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await drawer.getByText('Received').waitFor();
  const [, second] = await receiver.waitForRequests(2);
  t.deepEqual(second?.body, first?.body);
  await page.keyboard.press('Escape');
  t.regex(page.url(), /\/desk\/webhooks\?status=dead$/);

  receiver.respondWith([500]);
  await Promise.all([assign(), assign()]);
  await table
    .getByRole('row', { name: /Given up/ })
    .nth(1)
    .waitFor();
  receiver.respondWith([200]);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByText('No webhooks here.').waitFor();
  await page.getByLabel('To', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Send many again…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send many again' });
  t.is(await dialog.getByLabel('Which').inputValue(), 'dead', 'it begins with what the table shows');
  // The service is not given 500 to send: only its first answer says so.
  await page.route(
    '**/webhook-deliveries/replay',
    (route) => route.fulfill({ status: 202, json: { count: 500, remaining: 2 } }),
    { times: 1 },
  );
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('500 webhooks are sent again. 2 remain.').waitFor();
  await dialog.getByRole('button', { name: 'Send the next 500' }).click();
  await dialog.getByText('502 webhooks are sent again.').waitFor();
  await receiver.waitForRequests(6);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('No webhooks here.').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await drawer.getByText('None: this is a test.').waitFor();
  await receiver.waitForRequests(7);
});

test.serial('a run is made, filled and ordered with the keyboard, each task with its result', async (t) => {
  const { organization, user, token } = await makeTeam(service);
  await makeDriver(service, organization, { firstName: 'Lina' });
  const names = ['Amina', 'Bilal', 'Chloé'];
  for (const firstName of names) {
    const address = { street: '1 rue de Rivoli', city: 'Paris' };
    const recipient = { firstName, phoneNumber: '+33612345678', address };
    await makeShipment(service, token, { fields: { recipient } });
  }
  const { page } = await open(t, { user, path: '/runs' });
  await page.getByRole('button', { name: 'New run' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New run' });
  await dialog.getByLabel('Name').fill('East, morning');
  await dialog.getByLabel('Driver').selectOption({ label: 'Lina Moreau' });
  await dialog.getByRole('button', { name: 'Make the run' }).press('Enter');
  await page.getByRole('heading', { name: 'East, morning' }).waitFor();
  const run = new URL(page.url()).searchParams.get('run') ?? '';
  for (const name of names) await page.getByRole('checkbox', { name: new RegExp(name) }).press('Space');
  await page.getByRole('button', { name: 'Add 3 tasks' }).press('Enter');
  await page.getByText('3 tasks were given to the driver.').waitFor();
  const [first = '', second = '', third = ''] = await orderOf(token, run);
  const down = page.getByRole('button', { name: /^Move .* down$/ }).first();
  const label = (await down.getAttribute('aria-label')) ?? '';
  await down.focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText(/ is now number 3 of 3\.$/).waitFor();
  await hasOrder(token, run, [second, third, first]);
  const focused = await page.locator(':focus').getAttribute('aria-label');
  t.is(focused, label, 'the focus moves with the task');
  await page.getByRole('button', { name: label.replace(/down$/, 'up') }).press('Enter');
  await hasOrder(token, run, [second, first, third]);
  await page.getByRole('button', { name: 'Remove Amina from the run' }).press('Enter');
  await page.getByText('2 tasks.').waitFor();
  // The stop below takes its place, and the focus.
  await page.waitForFunction('/^Remove /.test(document.activeElement?.getAttribute("aria-label"))');
});

test.serial('an edit of a driver shows what somebody else has changed, and overwrites nothing', async (t) => {
  const { user, token, driver } = await makeTeamWithDriver(service, 'ROLE_DISPATCHER');
  const { page } = await open(t, { user, path: '/drivers?search=yänis' });
  await page.getByRole('link', { name: 'Yanis Moreau' }).click();
  const drawer = page.getByRole('dialog', { name: 'Yanis Moreau' });
  t.is(await drawer.getByRole('button', { name: 'Delete…' }).count(), 0, 'only administrators delete');
  await drawer.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit driver' });
  await form.getByLabel('Last name').fill('Meunier');
  await page.keyboard.press('Escape');
  await form.getByText('What you typed here is not saved.').waitFor();
  await form.getByRole('button', { name: 'Go on typing' }).click();
  const path = `/drivers/${driver}`;
  await send(service, 'PATCH', path, { token, body: { phoneNumber: '+33699999999' }, ...MERGE_PATCH });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Somebody else has changed this meanwhile.', { exact: false }).waitFor();
  await form.getByRole('row', { name: '+33699999999 not changed by you' }).waitFor();
  const between = expectStatus(await send(service, 'GET', path, { token }), 200).body;
  t.is(textAt(between, 'lastName'), 'Moreau');
  await form.getByRole('button', { name: 'Keep mine and save again' }).click();
  await page.getByRole('dialog', { name: 'Yanis Meunier' }).waitFor();
  t.is(await form.count(), 0, 'what is saved needs no question');
  const now = expectStatus(await send(service, 'GET', path, { token }), 200).body;
  t.deepEqual([at(now, 'lastName'), at(now, 'phoneNumber')], ['Meunier', '+33699999999']);
  await page.getByRole('dialog').getByRole('switch').click();
  await page.getByRole('dialog').getByText('Off duty').waitFor();
});

const MERGE_PATCH = { headers: { 'Content-Type': 'application/merge-patch+json' } };

async function chooseFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Workbook').setInputFiles({ name, mimeType: XLSX, buffer });
}

/** As a person drops a file from the desktop. */
async function dropFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  const file = JSON.stringify({ name, type: XLSX, base64: buffer.toString('base64') });
  const dataTransfer = await page.evaluateHandle(`(({ name, type, base64 }) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type }));
    return data;
  })(${file})`);
  await page.getByText('Drop a workbook').dispatchEvent('drop', { dataTransfer });
}

/** The workbook with other texts in columns of its first row. */
async function corrected(file: Buffer, texts: Readonly<Record<string, string>>): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(file).buffer);
  const sheet = book.getWorksheet(1);
  sheet?.getRow(1).eachCell((header, column) => {
    const text = texts[header.text];
    if (text !== undefined) sheet.getRow(2).getCell(column).value = text;
  });
  return Buffer.from(await book.xlsx.writeBuffer());
}

async function orderOf(token: string, run: string): Promise<readonly string[]> {
  const { body } = expectStatus(await send(service, 'GET', `/delivery-runs/${run}`, { token }), 200);
  return listAt(body, 'tasks').map((task) => textAt(task, 'id'));
}

/** Waits until the run has its tasks in this order: the console sends it behind what it shows. */
async function hasOrder(token: string, run: string, wanted: readonly string[]): Promise<void> {
  await until(
    async () => (await orderOf(token, run)).join() === wanted.join(),
    `the run has not the order ${wanted.join()}`,
  );
}

async function shipmentCount(token: string): Promise<unknown> {
  return at(expectStatus(await send(service, 'GET', '/shipments', { token }), 200).body, 'totalItems');
}
