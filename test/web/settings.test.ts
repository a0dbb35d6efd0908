import test from 'ava';
import type { Page } from 'playwright-core';
import type { UserRole } from '../../domain/permission.ts';
import { makeMerchant, makeTeam, makeUser, PASSWORD } from '../harness/make.ts';
import { at } from '../harness/json.ts';
import { send } from '../harness/request.ts';
import { violationsOf } from './axe.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk();
const MERGE = 'application/merge-patch+json';

const OWN = ['Password', 'Sign-in', 'Language'];
/** What each role may set; a driver has no screen of the console. */
const SECTIONS: Readonly<Record<Exclude<UserRole, 'ROLE_DRIVER'>, readonly string[]>> = {
  ROLE_ORG_ADMIN: [
    'Organization',
    'Prices and deadlines',
    'Pickup points',
    'Merchants',
    'Users',
    'Webhook',
    'API key',
    ...OWN,
  ],
  ROLE_DISPATCHER: ['Pickup points', 'Merchants', ...OWN],
  ROLE_MERCHANT: ['Pickup points', ...OWN],
};
const ROLES = ['ROLE_ORG_ADMIN', 'ROLE_DISPATCHER', 'ROLE_MERCHANT'] as const;

async function sectionsOf(page: Page): Promise<readonly string[]> {
  const nav = page.getByRole('navigation', { name: 'Settings' });
  await nav.getByRole('link', { name: 'Language' }).waitFor();
  const names = await nav.getByRole('link').allTextContents();
  return names.filter((name) => name !== 'Zones');
}

test('each role sees the settings that it may use, and others are not at their address', async (t) => {
  const { organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  for (const role of ROLES) {
    const user = await makeUser(service, organization, role, role === 'ROLE_MERCHANT' ? { merchantId } : {});
    const { page } = await open(t, { user, path: '/settings' });
    t.deepEqual(await sectionsOf(page), SECTIONS[role], role);
    if (role === 'ROLE_ORG_ADMIN') continue;
    await page.goto('/desk/settings/users');
    await page.getByText('There is no such setting, or it is not for your role.').waitFor();
  }
});

test('an edit of the organization that another admin was faster with shows both, and overwrites nothing', async (t) => {
  const { user, organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const address = `/organizations/${organization.id}`;
  const { page } = await open(t, { user, path: '/settings/organization' });
  await page.getByLabel('Name').fill('Mine');
  await send(service, 'PATCH', address, { token, body: { name: 'Theirs' }, contentType: MERGE });
  await page.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', { name: /Name/ });
  await row.waitFor();
  t.deepEqual(await row.getByRole('cell').allTextContents(), ['Theirs', 'Mine']);
  t.is(at((await send(service, 'GET', address, { token })).body, 'name'), 'Theirs');
  await page.getByRole('button', { name: 'Keep mine and save again' }).click();
  await page.getByText('Saved.').waitFor();
  t.is(at((await send(service, 'GET', address, { token })).body, 'name'), 'Mine');
});

test('prices and deadlines are saved as typed, and a wrong one is marked at its field', async (t) => {
  const { user, organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  // From another screen that reads the organization too.
  const { page } = await open(t, { user, path: '/webhooks' });
  await page.getByText('There is no address to send webhooks to.').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Prices and deadlines' }).click();
  const base = page.getByLabel('Outside of all zones');
  await base.fill('seven');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  t.is(await base.getAttribute('aria-invalid'), 'true');
  t.is(await base.inputValue(), 'seven');
  await base.fill('7,50');
  await page.getByRole('group', { name: 'Hours until a delivery is late' }).getByLabel('Urgent').fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const { body } = await send(service, 'GET', `/organizations/${organization.id}`, { token });
  t.is(at(body, 'tariff.defaultBaseFee'), '7.50');
  t.is(at(body, 'deadlineHours.urgent'), 3);
});

async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name }).waitFor();
}

test('a merchant is made, changed and deleted; a wrong field keeps what was typed', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_DISPATCHER');
  const { page } = await open(t, { user, path: '/settings/merchants' });
  await page.getByRole('button', { name: 'New merchant' }).click();
  const dialog = page.getByRole('dialog', { name: 'New merchant' });
  await dialog.getByLabel('Name *').fill('Épicerie <b>Zitouni</b>');
  await dialog.getByLabel('Name', { exact: true }).fill('Lina');
  await dialog.getByLabel('Phone').fill('12');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('[aria-invalid="true"]').waitFor();
  t.is(await dialog.getByLabel('Phone').getAttribute('aria-invalid'), 'true');
  // Escape asks before it loses what was typed.
  await page.keyboard.press('Escape');
  await dialog.getByText('What you typed here is not saved.').waitFor();
  await dialog.getByRole('button', { name: 'Go on typing' }).click();
  await dialog.getByLabel('Phone').fill('+213 555 12 34 56');
  await save(page, 'Épicerie <b>Zitouni</b>');
  await page.getByRole('link', { name: 'Épicerie <b>Zitouni</b>' }).click();
  await page.getByLabel('Name *').fill('Épicerie Zitouni');
  await save(page, 'Épicerie Zitouni');
  await page.getByRole('link', { name: 'Épicerie Zitouni' }).click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('There are no merchants yet.').waitFor();
});

test('a merchant’s user makes a pickup point of its own, and only reads the organization’s', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const merchantId = await makeMerchant(service, organization);
  const user = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const address = { street: '3 rue des Dames', city: 'Paris' };
  await send(service, 'POST', '/pickup-points', { token, body: { name: 'Depot', address } });
  const { page } = await open(t, { user, path: '/settings/pickup-points' });
  await page.getByText('New pickup point').click();
  await page.getByLabel('Name *').fill('Shop');
  await page.getByLabel('Street *').fill('5 rue des Dames');
  await page.getByLabel('City *').fill('Paris');
  await save(page, 'Shop');
  t.is(await page.getByRole('link', { name: 'Depot' }).count(), 0);
  await page.getByRole('rowheader', { name: 'Depot' }).waitFor();
});

test('an admin makes a user, who can sign in until an admin says otherwise', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page } = await open(t, { user, path: '/settings/users?edit=new' });
  const email = `${user.id}@example.com`;
  await page.getByLabel('First name *').fill('Nadia');
  await page.getByLabel('Last name *').fill('Cherif');
  await page.getByLabel('E-mail address *').fill(email);
  await page.getByLabel('Password *').fill(PASSWORD);
  await save(page, 'Nadia Cherif');
  const signIn = () => send(service, 'POST', '/login_check', { body: { email, password: PASSWORD } });
  t.is((await signIn()).status, 200);
  await page.getByRole('link', { name: 'Nadia Cherif' }).click();
  await page.getByLabel('Can sign in').uncheck();
  await save(page, 'Nadia Cherif');
  t.is((await signIn()).status, 401);
});

test('a new API key and the webhook secret are shown on request alone, and kept nowhere', async (t) => {
  const { user, organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page } = await open(t, { user, path: '/settings/api-key' });
  await page.getByRole('button', { name: 'Make a new key…' }).click();
  await page.getByRole('dialog').getByLabel('The old key').selectOption('0');
  await page.getByRole('button', { name: 'Make a new key', exact: true }).click();
  const shown = page.getByText('This is the new key.').locator('..').locator('code');
  const key = (await shown.textContent()) ?? '';
  const { body } = await send(service, 'GET', `/organizations/${organization.id}`, { token });
  t.true(key.startsWith(String(at(body, 'apiKeyPrefix'))));
  t.is(
    (await send(service, 'GET', '/external/shipments/none', { headers: { 'x-api-key': key } })).status,
    404,
  );
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await page.getByLabel('Address').waitFor();
  t.is(await page.getByText(organization.webhookSecret).count(), 0);
  await page.getByRole('button', { name: 'Show the secret' }).click();
  await page.getByText(organization.webhookSecret).waitFor();
  await page.getByRole('link', { name: 'API key' }).click();
  await page.getByText('The key begins with').waitFor();
  t.is(await page.getByText(key).count(), 0);
  t.is(await page.evaluate<number>('localStorage.length + sessionStorage.length'), 0);
});

test('an own new password ends the sessions of other browsers and keeps this one', async (t) => {
  const { user } = await makeTeam(service);
  const { page } = await open(t, { user, path: '/settings/password' });
  const other = await open(t, { user, path: '/settings/merchants' });
  await other.page.getByRole('button', { name: 'New merchant' }).waitFor();
  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password', { exact: true }).fill('a better password');
  await page.getByLabel('New password again').fill('a better password');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This is not your current password.').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed. Wherever else you were signed in').waitFor();
  await other.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await page.getByRole('link', { name: 'Merchants' }).click();
  await page.getByText('There are no merchants yet.').waitFor();
  t.is(await page.getByRole('dialog').count(), 0);
});

test('what the service rejects is said in the language of the person, in Arabic with its own numbers', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page } = await open(t, { user, path: '/settings/merchants', language: 'fr' });
  await page.getByText('Nouveau commerçant').click();
  await page.getByLabel('Nom *').fill('Atlas');
  await page.getByLabel('Téléphone').fill('12');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Écrivez le numéro avec + et l’indicatif du pays').waitFor();
  t.is(await page.getByText('Must be').count(), 0);
  const { page: arabic } = await open(t, { user, path: '/settings/password', language: 'ar' });
  const [current, first, again] = [0, 1, 2].map((index) => arabic.locator('input[type=password]').nth(index));
  await current?.fill('wrong');
  await first?.fill('short');
  await again?.fill('short');
  await arabic.locator('form button[type=submit]').click();
  await arabic.getByText('عدد الأحرف: 12 على الأقل.').waitFor();
});

test('a choice among many is found by typing and keys alone, and a pickup point has its place on the map', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  for (let number = 10; number < 30; number += 1)
    await makeMerchant(service, organization, { name: `Shop ${number}` });
  const { page } = await open(t, { user, path: '/settings/pickup-points' });
  await page.getByText('New pickup point').click();
  const choice = page.getByRole('combobox', { name: 'For' });
  await choice.and(page.locator('input')).waitFor();
  await choice.focus();
  await page.keyboard.type('shop 2');
  const list = page.getByRole('listbox', { name: 'For' });
  await list.getByRole('option', { name: 'Shop 20' }).waitFor();
  const names = await list.getByRole('option').allTextContents();
  t.is(names.length, 11);
  t.deepEqual(await violationsOf(page, 'combobox'), []);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  t.is(await choice.inputValue(), names[1] ?? '');
  for (const key of ['Escape', 'Enter']) {
    await choice.press('ArrowDown');
    const [first] = await list.getByRole('option', { selected: true }).allTextContents();
    t.is(first, names[1], 'the keys begin at what is chosen');
    await choice.press(key);
    t.is(await choice.inputValue(), names[1] ?? '');
  }
  // The list's own edge, or its scroll bar, does not close it.
  await choice.click();
  await list.click({ position: { x: 2, y: 2 } });
  await list.waitFor();
  await choice.press('Escape');
  await page.getByLabel('Name *').first().fill('Depot');
  await page.getByLabel('Street *').fill('12 rue de Rivoli');
  await page.getByLabel('City *').fill('Paris');
  await page.getByRole('button', { name: 'Put a pin in the middle' }).click();
  await page.getByLabel('Latitude').fill('48,8566');
  await page.getByLabel('Longitude').fill('2.3522');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Depot' }).click();
  await page.getByLabel('Latitude').waitFor();
  t.is(await page.getByLabel('Latitude').inputValue(), '48.8566');
  t.is(await page.getByRole('combobox', { name: 'For' }).inputValue(), names[1] ?? '');
});
