// `npm run pictures`: takes the README's pictures of the console from the service that `npm start` runs, with its demo.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../test/web/browser.ts';
import { say } from '../engines/progress.mjs';

const PROJECT = join(import.meta.dirname, '..', '..');
const IMAGES = join(PROJECT, 'docs', 'images');
const VIEWPORT = { width: 1440, height: 900 };

/** A screen of the console, as it is shown: which organization of the demo, in which language, and what must be there first. */
interface Picture {
  readonly name: string;
  readonly organization: 0 | 1;
  readonly language: 'en' | 'fr' | 'ar';
  readonly path: string;
  /** What is clicked before the picture is taken, if anything. */
  readonly open?: string;
  readonly waitFor: string;
}

const PICTURES: readonly Picture[] = [
  { name: 'desk-board', organization: 0, language: 'en', path: '/board?map=1', waitFor: '[data-task]' },
  {
    name: 'desk-shipment',
    organization: 0,
    language: 'en',
    path: '/shipments',
    open: 'tbody tr button, tbody tr a',
    waitFor: 'dialog[open] h2',
  },
  { name: 'desk-import', organization: 0, language: 'fr', path: '/import', waitFor: 'main h1' },
  { name: 'desk-board-ar', organization: 1, language: 'ar', path: '/board', waitFor: '[data-task]' },
];

interface Account {
  readonly email: string;
  readonly password: string;
}

async function take(browser: Browser, baseURL: string, account: Account, picture: Picture): Promise<void> {
  const context = await browser.newContext({ baseURL, locale: picture.language, viewport: VIEWPORT });
  try {
    const headers = { 'X-Requested-With': 'pictures', Origin: baseURL };
    await context.request.post('/desk/api/session', { headers, data: account });
    await context.request.patch('/desk/api/session', { headers, data: { language: picture.language } });
    const page = await context.newPage();
    await page.goto(`/desk${picture.path}`);
    if (picture.open !== undefined) await page.locator(picture.open).first().click();
    await page.locator(picture.waitFor).first().waitFor();
    // What is still loading shows bars.
    await page.locator('[role=status] [aria-hidden=true]').first().waitFor({ state: 'detached' });
    await page.screenshot({ path: join(IMAGES, `${picture.name}.png`) });
    say(`docs/images/${picture.name}.png`);
  } finally {
    await context.close();
  }
}

const dataFolder = resolve(PROJECT, process.env['DATA_DIR'] ?? '.data');

async function readData(name: string): Promise<unknown> {
  const parsed: unknown = JSON.parse(await readFile(join(dataFolder, name), 'utf8'));
  return parsed;
}

/** The demo's dispatchers, in the order of its organizations. Throws where the demo has not been made. */
function dispatchersOf(credentials: unknown): readonly Account[] {
  const organizations: unknown = isObject(credentials) ? credentials['organizations'] : undefined;
  if (!Array.isArray(organizations)) throw new Error('The demo has no accounts: run `npm start` first.');
  return organizations.flatMap((organization: unknown) => {
    const users: unknown = isObject(organization) ? organization['users'] : [];
    return Array.isArray(users) ? users.filter(isDispatcher) : [];
  });
}

function isDispatcher(user: unknown): user is Account {
  return isObject(user) && user['role'] === 'ROLE_DISPATCHER';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const addresses = await readData('addresses.json');
const publicUrl = isObject(addresses) ? String(addresses['publicUrl']) : '';
const dispatchers = dispatchersOf(await readData('demo-credentials.json'));
const browser = await launchBrowser();
try {
  for (const picture of PICTURES) {
    const account = dispatchers[picture.organization];
    if (account === undefined) throw new Error('The demo has no such organization.');
    await take(browser, publicUrl, account, picture);
  }
} finally {
  await browser.close();
}
