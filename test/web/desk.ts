import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ServiceOptions, TestService } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { launchBrowser } from './browser.ts';

/** Who signs in, with the password that make.ts gave. */
interface Account {
  readonly email: string;
  readonly password: string;
}

interface DeskOptions {
  readonly user?: Account;
  /** The screen's address below /desk, with its parameters. */
  readonly path?: string;
  readonly language?: 'en' | 'fr' | 'ar';
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A browser of its own for each test: its tabs, and what went wrong in them. */
export interface Desk {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens another tab of the same browser. */
  readonly openTab: (path: string) => Promise<Page>;
}

/** What the console must never cause: errors of the page, and reports of its Content-Security-Policy. */
const EXPECTED_ERRORS =
  /Failed to load resource: the server responded with a status of (?:4|5)\d\d|net::ERR_/;

/**
 * A service and a browser for a test file: `const { service, open } = useDesk()`. Each `open` is a fresh browser profile;
 * at the end of its test it must have had no page error and no policy report.
 */
export function useDesk(options: ServiceOptions = {}) {
  const service = useService(options);
  let browser: Browser;
  test.before(async () => {
    browser = await launchBrowser();
  });
  test.after.always(() => browser.close());
  const open = async (t: ExecutionContext, wanted: DeskOptions = {}): Promise<Desk> => {
    const { language = 'en', colorScheme = 'light', viewport = { width: 1280, height: 800 } } = wanted;
    const context = await browser.newContext({
      locale: language,
      colorScheme,
      viewport,
      baseURL: service.baseUrl,
    });
    context.setDefaultTimeout(60_000);
    const faults: string[] = [];
    watch(context, faults);
    t.teardown(async () => {
      await context.close();
      // Assertions count no more in a teardown.
      if (faults.length > 0) throw new Error(`the page reported: ${faults.join('; ')}`);
    });
    if (wanted.user !== undefined) await signIn(context, service, wanted.user);
    const openTab = async (path: string): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(`/desk${path}`);
      return page;
    };
    return { context, openTab, page: await openTab(wanted.path ?? '/') };
  };
  return { service, open };
}

/** Signs in as the form does, without the form. Throws where the service rejects it. */
export async function signIn(
  context: BrowserContext,
  { baseUrl }: TestService,
  user: Account,
): Promise<void> {
  const { email, password } = user;
  const answer = await context.request.post(`${baseUrl}/desk/api/session`, {
    headers: { 'X-Requested-With': 'test', Origin: baseUrl },
    data: { email, password },
  });
  if (!answer.ok()) throw new Error(`the sign-in was answered ${answer.status()}`);
}

function watch(context: BrowserContext, faults: string[]): void {
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('console', (message) => {
    // The browser itself reports violations of the policy and failed requests as errors of the console.
    if (message.type() === 'error' && !EXPECTED_ERRORS.test(message.text())) faults.push(message.text());
  });
}
