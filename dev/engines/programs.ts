import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { takeLock } from '../lock.mjs';
import { withProgress } from './progress.mjs';
import { runProgram } from './run-program.ts';
import { fetchJar, JAR_LAUNCHER, JAR_VERSION } from './time-skipping-jar.ts';

/** The newest tag of the command line tool that `go install` accepts: later ones carry a `replace`. */
const CLI_VERSION = '1.5.1';
/** Older servers lack fairness keys and what the workflows show in the Web UI. */
const MINIMUM_SERVER = [1, 28] as const;
const SUFFIX = process.platform === 'win32' ? '.exe' : '';
const CACHE_FOLDER = 'shipment-delivery-service';

/** A program that is not in a package: where it may be, and how it can be made. */
interface Program {
  readonly title: string;
  /** An environment variable that names a copy. */
  readonly setting: string;
  readonly commandOnPath?: string;
  /** Returns a command that can be used, or throws why it cannot. */
  readonly accept: (command: string) => Promise<string>;
  /** Ways to make it, tried in this order when the cache folder has no copy. */
  readonly recipes: readonly Recipe[];
  readonly advice: string;
}

interface Recipe {
  readonly name: string;
  /** On two cores, with empty caches. */
  readonly usualSeconds: number;
  /** The program, below the cache folder, in a folder of its own. */
  readonly path: string;
  /** Fills that folder, which is empty. Throws why it cannot. */
  readonly make: (folder: string, path: string) => Promise<void>;
}

/**
 * Finds or makes the Temporal command line tool, which holds a whole development server. It is TEMPORAL_CLI_PATH, or on the
 * PATH, or in the cache folder, or comes by the SDK's download or a build with Go. Throws one error that lists what was tried.
 */
export async function findTemporalExecutable(): Promise<string> {
  return findProgram({
    title: 'the Temporal server',
    setting: 'TEMPORAL_CLI_PATH',
    accept: acceptServer,
    commandOnPath: 'temporal',
    recipes: [
      {
        name: 'downloading the Temporal server',
        usualSeconds: 20,
        path: join('temporal-cli-of-sdk', `temporal${SUFFIX}`),
        make: (folder, path) => downloadWithSdk('createLocal', folder, path),
      },
      {
        name: 'building the Temporal server with Go',
        usualSeconds: 240,
        path: join(`temporal-cli-${CLI_VERSION}`, `temporal${SUFFIX}`),
        make: buildWithGo,
      },
    ],
    advice: 'Install the Temporal CLI (https://docs.temporal.io/cli) or Go',
  });
}

/**
 * Finds or makes the executable of Temporal's time-skipping test server. It is TEMPORAL_TEST_SERVER_PATH, or in the cache
 * folder, or comes by the SDK's download, or as a jar by Maven. Throws one error that lists what was tried.
 */
export async function findTimeSkippingServer(): Promise<string> {
  return findProgram({
    title: "Temporal's time-skipping test server",
    setting: 'TEMPORAL_TEST_SERVER_PATH',
    accept: acceptFile,
    recipes: [
      {
        name: 'downloading the time-skipping server',
        usualSeconds: 20,
        path: join('temporal-test-server-of-sdk', `test-server${SUFFIX}`),
        make: (folder, path) => downloadWithSdk('createTimeSkipping', folder, path),
      },
      {
        name: 'fetching the time-skipping server with Maven',
        usualSeconds: 30,
        path: join(`temporal-test-server-${JAR_VERSION}`, JAR_LAUNCHER),
        make: fetchJar,
      },
    ],
    advice: 'Install Java 11 or later and Maven',
  });
}

async function findProgram(program: Program): Promise<string> {
  const { title, setting, accept, commandOnPath, recipes } = program;
  const named = process.env[setting] ?? '';
  if (named !== '') return accept(named);
  const tried = [`${setting}: not set`];
  if (commandOnPath !== undefined) {
    const found = await accept(commandOnPath).catch((error: unknown) => void tried.push(firstLine(error)));
    if (found !== undefined) return found;
  }
  const folder = cacheFolder();
  const findCopy = () => recipes.map(({ path }) => join(folder, path)).find((path) => existsSync(path));
  const copy = findCopy();
  if (copy !== undefined) return copy;
  tried.push(`the cache folder (${folder}): no copy`);
  // One command at a time makes it; the others find its result in the cache.
  const release = await withProgress(`waiting for another command that gets ${title}`, () =>
    takeLock(`${folder} ${title}`, () => undefined),
  );
  try {
    return findCopy() ?? (await makeProgram(folder, program, tried));
  } finally {
    release();
  }
}

async function makeProgram(
  folder: string,
  { title, setting, recipes, advice }: Program,
  tried: string[],
): Promise<string> {
  for (const { name, usualSeconds, path, make } of recipes) {
    const target = join(folder, path);
    // A place of its own until it is whole: what a killed command left is never taken for the program.
    const unfinished = `${dirname(target)}.unfinished`;
    try {
      await rm(unfinished, { recursive: true, force: true });
      await mkdir(unfinished, { recursive: true });
      await withProgress(name, () => make(unfinished, join(unfinished, basename(path))), usualSeconds);
      await rm(dirname(target), { recursive: true, force: true });
      await rename(unfinished, dirname(target));
      return target;
    } catch (error) {
      tried.push(`${name}: ${firstLine(error)}`);
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  const list = tried.map((line) => `\n  - ${line}`).join('');
  throw new Error(`${title} was not found. Tried:${list}\n${advice}, or set ${setting}, and try again.`);
}

/** Below `XDG_CACHE_HOME` (XDG Base Directory Specification: a relative value is ignored), else below `~/.cache`. */
function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), CACHE_FOLDER);
}

/** Accepts a command line tool that runs and whose server is recent enough. */
async function acceptServer(command: string): Promise<string> {
  const { output } = await runProgram(command, ['--version']).catch(() => {
    throw new Error(`\`${command}\` cannot be run`);
  });
  const [, version = 'unknown', major, minor] = /Server ((\d+)\.(\d+)\S*)/.exec(output) ?? [];
  const [wantedMajor, wantedMinor] = MINIMUM_SERVER;
  const isRecent =
    Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
  if (isRecent) return command;
  throw new Error(`\`${command}\` has server ${version}, and ${MINIMUM_SERVER.join('.')} or later is needed`);
}

function acceptFile(path: string): Promise<string> {
  return existsSync(path) ? Promise.resolve(path) : Promise.reject(new Error(`there is no file ${path}`));
}

/** Lets Temporal's SDK fetch a server in its own way. The SDK only fetches when it starts the server, so it runs for a moment. */
async function downloadWithSdk(
  kind: 'createLocal' | 'createTimeSkipping',
  folder: string,
  path: string,
): Promise<void> {
  // Imported late: the SDK's native part costs a second that is only spent when it is needed.
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const executable = { type: 'cached-download', downloadDir: folder } as const;
  const failure = await TestWorkflowEnvironment[kind]({ server: { executable } }).then(
    (environment) => environment.teardown(),
    // The SDK repeats the whole address at each step of the failure; the last step is the cause.
    (error: unknown) => String(error).split(': ').at(-1),
  );
  // The program may have arrived although its first, cold start was too slow for the SDK.
  const [program] = (await readdir(folder)).filter((name) => !name.endsWith('.downloading'));
  if (program === undefined) throw new Error(failure ?? 'the SDK left no program behind');
  await rename(join(folder, program), path);
}

async function buildWithGo(folder: string): Promise<void> {
  const tool = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;
  const env = { ...process.env, CGO_ENABLED: '0', GOBIN: folder, GOFLAGS: '' };
  const { exitCode, output } = await runProgram('go', ['install', tool], { cwd: folder, env }).catch(() => {
    throw new Error('Go is not installed');
  });
  if (exitCode !== 0) throw new Error(output.trim().split('\n').at(-1));
}

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n');
  return line;
}
