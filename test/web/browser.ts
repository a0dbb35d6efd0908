import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

/** Programs of installed browsers that the tests can drive, as they are called on the PATH. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'chromium-headless-shell'];
const CHANNELS = ['chrome', 'msedge'] as const;
/** Our own flags: those of @sparticuz/chromium switch web security off. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

const NO_BROWSER =
  'The tests of the console need a browser, and none was found. Install Chrome, Edge or Chromium, or set BROWSER_PATH to the program of one; or run `npx playwright-core install chromium-headless-shell`.';

/**
 * Starts the first browser that is found: BROWSER_PATH, an installed one, on Linux x64 that of a package, else one that
 * playwright downloads into its cache. Throws an Error that names all of these; tests are never skipped.
 */
export async function launchBrowser(): Promise<Browser> {
  const causes: string[] = [];
  for (const launch of [fromSetting, fromPath, fromChannels, fromPackage, fromDownload]) {
    try {
      const browser = await launch();
      if (browser !== undefined) return browser;
    } catch (error) {
      causes.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  throw new Error([NO_BROWSER, ...causes].join('\n'));
}

async function fromSetting(): Promise<Browser | undefined> {
  const path = process.env['BROWSER_PATH'];
  return path === undefined ? undefined : chromium.launch({ executablePath: path, args: FLAGS });
}

async function fromPath(): Promise<Browser | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of PROGRAMS) {
      const path = join(folder, name);
      const isProgram = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isProgram) return chromium.launch({ executablePath: path, args: FLAGS });
    }
  }
  return undefined;
}

async function fromChannels(): Promise<Browser> {
  const [first, second] = CHANNELS;
  return chromium
    .launch({ channel: first, args: FLAGS })
    .catch(() => chromium.launch({ channel: second, args: FLAGS }));
}

async function fromPackage(): Promise<Browser | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  // It brings the system's libraries (NSS and others) only where it believes itself on that service.
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs20.x';
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({ executablePath: await packed.executablePath(), args: FLAGS });
}

async function fromDownload(): Promise<Browser> {
  const cli = join(import.meta.dirname, '..', '..', 'node_modules', 'playwright-core', 'cli.js');
  await promisify(execFile)(process.execPath, [cli, 'install', 'chromium-headless-shell']);
  return chromium.launch({ args: FLAGS });
}
