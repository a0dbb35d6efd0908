import test from 'ava';
import type { Page, Route } from 'playwright-core';
import { makeTeam, makeUser, PASSWORD } from '../harness/make.ts';
import { at, send } from '../harness/request.ts';
import { signIn, useDesk } from './desk.ts';

const { service, open } = useDesk();
/** A day and 5.5 hours: a whole day would show the same time of the day. */
const WRONG_MS = 29.5 * 3_600_000;

/** Whether a tab of the browser holds the stream of changes. */
const HOLDS_STREAM = 'navigator.locks.query().then(({ held }) => held.length === 1)';

async function signInAgain(page: Page, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a session that ends during an edit keeps what was typed, and the edit is sent after the sign-in', async (t) => {
  const { user, organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page, context } = await open(t, { user, path: '/settings/organization' });
  await page.getByLabel('Name').fill('Atlas Livraison');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  // Neither Escape ends it, nor a second one, which a browser does not ask for.
  for (let times = 0; times < 2; times += 1) await page.keyboard.press('Escape');
  await dialog.waitFor();
  t.is(await page.getByLabel('Name').inputValue(), 'Atlas Livraison');
  await signInAgain(page);
  await page.getByText('Saved.').waitFor();
  const { body } = await send(service, 'GET', `/organizations/${organization.id}`, { token });
  t.like(body, { name: 'Atlas Livraison' });
});

test('a role that is taken away leaves the screen within 5 s, and nothing of it stays', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const other = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const { page, openTab } = await open(t, { user, path: '/settings/users' });
  await page.getByRole('cell', { name: other.email }).waitFor();
  const tab = await openTab('/settings/merchants');
  await tab.getByRole('link', { name: 'Users' }).waitFor();
  await page.waitForFunction(HOLDS_STREAM);
  const answer = await send(service, 'PATCH', `/users/${user.id}`, {
    token: other.token,
    body: { role: 'ROLE_DISPATCHER' },
    contentType: 'application/merge-patch+json',
  });
  t.is(answer.status, 200);
  for (const shown of [page, tab]) {
    await shown.getByText('What you may do here has been changed.').waitFor();
    t.is(await shown.getByRole('link', { name: 'Users' }).count(), 0);
  }
  t.is(await page.getByText(other.email).count(), 0);
});

test('a role that is taken away before the stream of the page opens leaves the screen too', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const other = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const { page, context } = await open(t, { path: '/settings/password' });
  await page.getByLabel('Password').waitFor();
  const takeAway = async (route: Route) => {
    const answer = await send(service, 'PATCH', `/users/${user.id}`, {
      token: other.token,
      body: { role: 'ROLE_DISPATCHER' },
      contentType: 'application/merge-patch+json',
    });
    t.is(answer.status, 200);
    await route.continue();
  };
  await page.route('**/api/v1/changes*', takeAway, { times: 1 });
  // The service has no answer to the first question about it: the page asks again.
  let reads = 0;
  await page.route('**/desk/api/session', async (route) => {
    reads += 1;
    if (reads === 2) await route.fulfill({ status: 429, json: { status: 429, title: 'Too many' } });
    else await route.continue();
  });
  await signIn(context, service, user);
  await page.reload();
  await page.getByText('What you may do here has been changed.').waitFor();
  t.is(await page.getByRole('link', { name: 'Users' }).count(), 0);
  t.true(reads >= 3);
});

test('a sign-out in one tab signs the others out, and another person gets a fresh page', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const other = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { page, openTab } = await open(t, { user, path: '/settings/users' });
  await page.getByRole('cell', { name: user.email }).waitFor();
  const tab = await openTab('/settings/password');
  await tab.getByLabel('Current password').fill('typed by one');
  await page.getByTitle('Your account').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Sign in to see your shipments.').waitFor();
  await tab.getByText('Sign in to see your shipments.').waitFor();
  await tab.getByLabel('E-mail address').fill(other.email);
  await tab.getByLabel('Password').fill(PASSWORD);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('link', { name: 'Settings' }).waitFor();
  // The first tab hears of it and shows the same person.
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  t.is(await page.getByText(user.email).count(), 0);
  t.is(await tab.getByText('typed by one').count(), 0);
});

test('where another person signs in over a screen, what was typed there is not shown or sent', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const other = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const { page, context } = await open(t, { user, path: '/settings/organization' });
  await page.getByLabel('Name').fill('Typed by the first');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('E-mail address').fill(other.email);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await Promise.all([
    page.waitForURL(/\/desk\/(?!settings\/organization)/),
    dialog.getByRole('button', { name: 'Sign in' }).click(),
  ]);
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  const { body } = await send(service, 'GET', `/organizations/${organization.id}`, { token: other.token });
  t.not(at(body, 'name'), 'Typed by the first');
});

test('a password that was changed elsewhere asks for the new one; a disabled user stays out', async (t) => {
  const { user, organization } = await makeTeam(service, 'ROLE_DISPATCHER');
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const { page } = await open(t, { user, path: '/settings/merchants' });
  await page.getByText('There are no merchants yet.').waitFor();
  await page.waitForFunction(HOLDS_STREAM);
  const password = 'another good password';
  await send(service, 'PATCH', `/users/${user.id}`, {
    token: admin.token,
    body: { password },
    contentType: 'application/merge-patch+json',
  });
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await signInAgain(page, password);
  t.true(await page.getByRole('button', { name: 'New merchant' }).isEnabled());
  // A user who is disabled hears of it the same way, and does not come in again.
  await page.waitForFunction(HOLDS_STREAM);
  await send(service, 'PATCH', `/users/${user.id}`, {
    token: admin.token,
    body: { isActive: false },
    contentType: 'application/merge-patch+json',
  });
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByText('There is no active user with this e-mail address and password.').waitFor();
});

test('a page that is older than the service asks to reload, and keeps what was typed', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page, context } = await open(t, { user, path: '/settings/organization' });
  await page.getByLabel('Name').fill('Typed before the release');
  t.is(await page.getByText('Desk has been renewed.').count(), 0);
  await context.route('**/desk/api/session', async (route) => {
    const response = await route.fetch();
    const session: unknown = await response.json();
    const known = typeof session === 'object' && session !== null ? session : {};
    await route.fulfill({ response, json: { ...known, version: 'index-later.js' } });
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Desk has been renewed.').waitFor();
  t.is(await page.getByLabel('Name').inputValue(), 'Typed before the release');
  await page.getByRole('button', { name: 'Reload' }).waitFor();
});

test('a screen whose code is gone after a release leaves the frame, and asks to reload', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { page, context } = await open(t, { user, path: '/settings/password' });
  await page.getByLabel('Current password').waitFor();
  await context.route('**/assets/prices-*', (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('link', { name: 'Prices and deadlines' }).click();
  await page.getByText('This part of Desk could not be shown.').waitFor();
  await page.getByText('Desk has been renewed.').waitFor();
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Organization' }).waitFor();
  t.is(await page.getByText('This part of Desk could not be shown.').count(), 0);
});

test('on a computer whose clock is wrong by a day, times are the service’s', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_DISPATCHER');
  const { page, context } = await open(t);
  await context.addInitScript((wrongMs) => {
    const rightNow = Date.now.bind(Date);
    Date.now = () => rightNow() + wrongMs;
  }, WRONG_MS);
  await context.route('**/v1/changes**', (route) => route.abort());
  await signIn(context, service, user);
  await page.goto('/desk/settings/password');
  const strip = page.getByText(/Changes have not arrived since/);
  await strip.waitFor();
  const [, hours = '', minutes = ''] = /since (\d\d):(\d\d)/.exec((await strip.textContent()) ?? '') ?? [];
  const shownMinutes = Number(hours) * 60 + Number(minutes);
  const now = new Date();
  const awayMinutes = Math.abs(now.getUTCHours() * 60 + now.getUTCMinutes() - shownMinutes);
  t.true(Math.min(awayMinutes, 24 * 60 - awayMinutes) <= 3, `${hours}:${minutes}`);
});

test('a service that cannot be reached at first is asked again, without a reload', async (t) => {
  const { user } = await makeTeam(service, 'ROLE_DISPATCHER');
  const { page, context } = await open(t);
  await signIn(context, service, user);
  await context.route('**/desk/api/session', (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/desk/settings/password');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await context.unroute('**/desk/api/session');
  await page.getByLabel('Current password').waitFor();
  t.is(await page.getByRole('button', { name: 'Try again' }).count(), 0);
});
