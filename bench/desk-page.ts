import type { Page } from 'playwright-core';
import { hashPassword } from '../api/auth/passwords.ts';
import { makeUser, PASSWORD, type MadeUser, type TeamWithDriver } from '../test/harness/make.ts';
import { makeCrowd } from '../test/web/board-page.ts';
import { launchBrowser } from '../test/web/browser.ts';
import type { CaseContext } from './case.ts';
import { makeTeam } from './cast.ts';

const VIEWPORT = { width: 1280, height: 800 };
/** A busy machine: what is late is a figure, and no fault. */
const GIVE_UP_MS = 120_000;

/** A browser for a case, on an organization with a day's tasks. */
export interface Desk {
  readonly team: TeamWithDriver;
  readonly tasks: number;
  /** A person who has not signed in yet. Each has a password of full cost, and signs in once: attempts are limited. */
  readonly makePerson: () => Promise<MadeUser>;
  /** Opens the sign-in page in a profile of its own; `page.context().close()` ends it. */
  readonly openPage: () => Promise<Page>;
  /** Opens the board for a person of its own, and waits for the first card. */
  readonly openBoard: () => Promise<Page>;
}

/**
 * Makes an organization with 10,000 tasks and 200 drivers (a tenth for a quick run; without its crowd one driver and no task), and
 * starts the browser that the tests use.
 */
export async function openDesk(
  { deployment, isQuick, atEnd }: CaseContext,
  { hasCrowd = true } = {},
): Promise<Desk> {
  const team = await makeTeam(deployment);
  const { organization } = team;
  const tasks = isQuick ? 1_000 : 10_000;
  if (hasCrowd) await makeCrowd(deployment, organization.id, { drivers: tasks / 50, tasks });
  const passwordHash = await hashPassword(PASSWORD);
  const browser = await launchBrowser();
  atEnd(() => browser.close());
  const makePerson = () => makeUser(deployment, organization, 'ROLE_DISPATCHER', { passwordHash });
  const openPage = async () => {
    const { baseUrl: baseURL } = deployment;
    const context = await browser.newContext({ baseURL, locale: 'en', viewport: VIEWPORT });
    context.setDefaultTimeout(GIVE_UP_MS);
    const page = await context.newPage();
    await page.goto('/desk/');
    return page;
  };
  const openBoard = async () => {
    const page = await openPage();
    await fillSignIn(page, await makePerson());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-drop="unassigned"]').waitFor();
    if (hasCrowd) await page.locator('[data-task]').first().waitFor();
    return page;
  };
  return { team, tasks, makePerson, openPage, openBoard };
}

/** Types a person's name and password, and leaves the button to the caller. */
export async function fillSignIn(page: Page, { email, password }: MadeUser): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
}

/** Runs a script in the page which resolves to numbers by their names. Throws where it answers something else. */
export async function numbersFrom(page: Page, script: string): Promise<Readonly<Record<string, number>>> {
  const found: unknown = await page.evaluate(script);
  if (!isNumbers(found)) throw new Error('the page measured nothing');
  return found;
}

function isNumbers(value: unknown): value is Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((number) => typeof number === 'number');
}

/** A function of a page: resolves to the moment after what the page shows now has been painted. */
export const PAINTED = `function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now());
    port2.postMessage(0);
  }));
}`;
