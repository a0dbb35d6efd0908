import test from 'ava';
import type { Page } from 'playwright-core';
import { execute } from '../../store/connection.ts';
import { codeOf, makeFactor, requireFactors } from '../harness/factor.ts';
import { makeTeam, makeUser, PASSWORD } from '../harness/make.ts';
import { at, send } from '../harness/request.ts';
import { violationsOf } from './axe.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk();

/** Sets up a second factor on a page that offers it; resolves to its secret and the recovery codes. */
async function setUp(page: Page): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  await page.getByLabel('Current password').fill('wrong');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByText('This is not your current password.').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  await page.getByText('The app cannot scan it').click();
  const key = page.getByText('Type this key into the app:').locator('code');
  const secret = ((await key.textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Code of your app').fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('This code is wrong, too old or used already.').waitFor();
  await page.getByLabel('Code of your app').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  return { secret, codes: await list.getByRole('listitem').allTextContents() };
}

async function signInOn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** As if the password had been given six minutes ago. */
function outlastPassword(userId: string): Promise<void> {
  return execute(
    service.database,
    `update sessions set confirmed_at = clock_timestamp() - interval '6 minutes' where user_id = $1`,
    [userId],
  );
}

test('a code of the phone is switched on, asked for on a step of its own, and switched off', async (t) => {
  const { user } = await makeTeam(service);
  const { page } = await open(t, { user, path: '/settings/sign-in' });
  await page.getByRole('button', { name: 'Switch it on…' }).click();
  const { secret, codes } = await setUp(page);
  t.is(codes.length, 10);
  t.deepEqual(await violationsOf(page, 'recovery codes'), []);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();

  await page.getByTitle('Your account').click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
  await signInOn(page, user.email);
  const field = page.getByLabel('Code of your app');
  await field.waitFor();
  t.deepEqual(await violationsOf(page, 'code'), []);
  t.is(await page.getByLabel('Password').count(), 0);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.getByText('This code is wrong, too old or used already.').waitFor();
  t.is(await field.getAttribute('aria-invalid'), 'true');
  await page.getByRole('button', { name: 'Back' }).click();
  t.is(await page.getByLabel('Password').inputValue(), PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'No phone? Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Sign-in' }).click();
  await page.getByText('9 recovery codes are left.').waitFor();

  await page.getByRole('button', { name: 'Switch it off…' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('Code of your app').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Switch it off', exact: true }).click();
  await page.getByRole('button', { name: 'Switch it on…' }).waitFor();
});

test('keys and users ask for the password again, and nothing typed is lost; without it nothing is done', async (t) => {
  const { user, organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const other = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { code } = await makeFactor(service, organization, user);
  const { page } = await open(t);
  await signInOn(page, user.email);
  await page.getByLabel('Code of your app').fill(code());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('row', { name: other.email }).getByRole('link').click();
  await page.getByLabel('First name *').fill('Typed');
  await page.getByLabel('Role').selectOption('ROLE_ORG_ADMIN');
  await outlastPassword(user.id);
  await page.getByRole('button', { name: 'Save' }).click();
  const asking = page.getByRole('dialog', { name: 'Your password, please' });
  await asking.waitFor();
  t.deepEqual(await violationsOf(page, 'step-up'), []);
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Nothing was done: your password is needed for this.').waitFor();
  t.is(await page.getByLabel('First name *').inputValue(), 'Typed');
  const stored = async () => (await send(service, 'GET', `/users/${other.id}`, { token })).body;
  t.like(await stored(), { firstName: 'Test', role: 'ROLE_DISPATCHER' });
  await page.getByRole('button', { name: 'Save' }).click();
  await asking.getByLabel('Password').fill('wrong');
  await asking.getByLabel('Code of your app').fill(code(1));
  await asking.getByRole('button', { name: 'Go on' }).click();
  await asking.getByText('This is not your current password.').waitFor();
  await asking.getByLabel('Password').fill(PASSWORD);
  await asking.getByRole('button', { name: 'Go on' }).click();
  await asking.waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.like(await stored(), { firstName: 'Typed', role: 'ROLE_ORG_ADMIN' });
});

test('the password is asked for with a code, or without, as it was decided in another tab', async (t) => {
  const { user, organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const other = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { page } = await open(t, { user, path: '/settings/users' });
  const asking = page.getByRole('dialog', { name: 'Your password, please' });
  const save = async (role: string) => {
    await page.getByRole('row', { name: other.email }).getByRole('link').click();
    await page.getByLabel('Role').selectOption(role);
    await outlastPassword(user.id);
    await page.getByRole('button', { name: 'Save' }).click();
    await asking.getByLabel('Password').fill(PASSWORD);
  };
  const roleOf = async () => at((await send(service, 'GET', `/users/${other.id}`, { token })).body, 'role');
  await save('ROLE_ORG_ADMIN');
  const { code } = await makeFactor(service, organization, user);
  await asking.getByRole('button', { name: 'Go on' }).click();
  await asking.getByLabel('Code of your app').fill(code());
  await asking.getByRole('button', { name: 'Go on' }).click();
  await asking.waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.is(await roleOf(), 'ROLE_ORG_ADMIN');

  await page.goto('/desk/settings/users');
  await save('ROLE_DISPATCHER');
  await asking.getByLabel('Code of your app').waitFor();
  await execute(service.database, 'delete from second_factors where user_id = $1', [user.id]);
  await asking.getByRole('button', { name: 'Go on' }).click();
  await asking.waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.is(await roleOf(), 'ROLE_DISPATCHER');
});

test('where a code is required, a user sets it up before the first screen, or over one that was open', async (t) => {
  const { user, organization } = await makeTeam(service);
  const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { page } = await open(t, { user, path: '/settings/merchants' });
  await page.getByRole('button', { name: 'New merchant' }).click();
  await page.getByLabel('Name *').fill('Typed before');
  await requireFactors(service, organization);
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up a code for the sign-in' });
  await dialog.waitFor();
  await setUp(page);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('link', { name: 'Typed before' }).waitFor();
  t.is(await page.getByRole('dialog').count(), 0);

  const { page: fresh } = await open(t, { path: '/settings/merchants' });
  await signInOn(fresh, colleague.email);
  await fresh.getByRole('heading', { name: 'Set up a code for the sign-in' }).waitFor();
  t.is(await fresh.getByRole('link', { name: 'Merchants' }).count(), 0);
  t.deepEqual(await violationsOf(fresh, 'required'), []);
  const other = await fresh.context().newPage();
  await other.goto('/desk/settings/merchants');
  await other.getByRole('heading', { name: 'Set up a code for the sign-in' }).waitFor();
  await setUp(fresh);
  t.deepEqual(await violationsOf(fresh, 'required codes'), []);
  await fresh.getByRole('button', { name: 'I have kept them' }).click();
  await fresh.getByRole('link', { name: 'Typed before' }).waitFor();
  await other.getByRole('link', { name: 'Typed before' }).waitFor();
});

test('a user sees where it is signed in, and signs out one place or all others', async (t) => {
  const { user, organization, token } = await makeTeam(service);
  await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { page } = await open(t, { user, path: '/settings/sign-in' });
  const other = await open(t, { user, path: '/settings/merchants' });
  await other.page.getByRole('button', { name: 'New merchant' }).waitFor();
  await page.reload();
  const table = page.getByRole('table', { name: 'Where you are signed in' });
  await table.waitFor();
  t.is(await table.getByRole('row').count(), 4, 'two browsers, an app and the header');
  await table.getByText('This is here').waitFor();
  await table.getByRole('row', { name: /app/ }).getByRole('button').click();
  await table.getByText('app', { exact: true }).waitFor({ state: 'detached' });
  t.is((await send(service, 'GET', '/users/me', { token })).status, 401);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' });
  await other.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  t.is(await page.getByRole('dialog').count(), 0);
  const login = await send(service, 'POST', '/login_check', {
    body: { email: user.email, password: PASSWORD },
    contentType: 'application/json',
  });
  t.is(typeof at(login.body, 'token'), 'string');
});
