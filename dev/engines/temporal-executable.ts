import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from '../lock-file.mjs';
import { cacheFolder } from './cache-folder.ts';
import { withProgress, type Say } from './progress.ts';
import { firstOf, type Found, type NotFound } from './provision.ts';
import { runProgram } from './run-program.ts';
import { downloadWithSdk } from './sdk-download.ts';

/** The newest tag of the command line tool that `go install` accepts: later ones carry a `replace`. */
const CLI_VERSION = '1.5.1';
/** Older servers lack fairness keys and what the workflows show in the Web UI. */
const MINIMUM_SERVER = [1, 28] as const;
/** On two cores, with an empty cache. */
const BUILD_SECONDS = 240;
const BUILD_PREFIX = 'build-';
const NOT_SET = 'not set';
const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/**
 * Finds or makes the Temporal command line tool, which holds a whole development server. It tries, in this order,
 * TEMPORAL_CLI_PATH, the PATH, the cache folder, the SDK's download, a build by Go.
 * Throws one error that lists everything tried. A build takes minutes and says so.
 */
export async function findTemporalExecutable(environment: NodeJS.ProcessEnv, say: Say): Promise<string> {
  const folder = cacheFolder(environment);
  const built = join(folder, `temporal-cli-${CLI_VERSION}`, `temporal${SUFFIX}`);
  const downloaded = join(folder, 'temporal-cli-of-sdk', `temporal${SUFFIX}`);
  const quick = [
    {
      description: 'TEMPORAL_CLI_PATH',
      isSetting: true,
      find: () => fromSetting(environment['TEMPORAL_CLI_PATH']),
    },
    { description: '`temporal` on the PATH', isSetting: false, find: () => accept('temporal') },
    {
      description: `the cache folder (${folder})`,
      isSetting: false,
      find: () => fromCache([built, downloaded]),
    },
  ];
  const slow = [
    { description: "the download of Temporal's SDK", find: () => downloadWithSdk('dev-server', downloaded) },
    { description: 'a build with Go', find: () => buildWithGo(built, environment, say) },
  ];
  const advice =
    'Install the Temporal CLI (https://docs.temporal.io/cli) or Go, or set TEMPORAL_CLI_PATH, and try again.';
  for (const way of quick) {
    const result = await way.find();
    if ('path' in result) return result.path;
    if (result.reason !== NOT_SET && way.isSetting) say(`TEMPORAL_CLI_PATH is ignored: ${result.reason}.`);
  }
  // One command at a time fetches or builds; the others find its result in the cache.
  const release = await takeLock(join(folder, 'temporal-cli.lock'), {
    onWait: (pid) =>
      say(`Waiting for another command (process ${pid}) that is fetching the Temporal server…`),
  });
  try {
    return await firstOf('The Temporal server', [...quick, ...slow], advice);
  } finally {
    release();
  }
}

async function fromSetting(path: string | undefined): Promise<Found | NotFound> {
  if (path === undefined || path === '') return { reason: NOT_SET };
  return accept(path);
}

async function fromCache(paths: readonly string[]): Promise<Found | NotFound> {
  for (const path of paths) {
    if (!existsSync(path)) continue;
    const result = await accept(path);
    if ('path' in result) return result;
  }
  return { reason: 'it has no copy yet' };
}

/** Takes a program that runs and whose server is young enough. */
async function accept(command: string): Promise<Found | NotFound> {
  try {
    const { exitCode, output } = await runProgram(command, ['--version']);
    if (exitCode !== 0) return { reason: `\`${command} --version\` failed` };
    const [, major, minor] = /Server (\d+)\.(\d+)/.exec(output) ?? [];
    if (major === undefined || minor === undefined) return { reason: `${command} reports no server version` };
    const isYoungEnough =
      Number(major) > MINIMUM_SERVER[0] ||
      (Number(major) === MINIMUM_SERVER[0] && Number(minor) >= MINIMUM_SERVER[1]);
    if (isYoungEnough) return { path: command };
    return { reason: `its server is ${major}.${minor}, and ${MINIMUM_SERVER.join('.')} or later is needed` };
  } catch {
    return { reason: `${command} cannot be run` };
  }
}

async function buildWithGo(
  target: string,
  environment: NodeJS.ProcessEnv,
  say: Say,
): Promise<Found | NotFound> {
  const go = await runProgram('go', ['version']).catch(() => undefined);
  if (go?.exitCode !== 0) return { reason: 'Go is not installed' };
  say(`Building the Temporal server ${CLI_VERSION} with Go, once.`);
  const targetFolder = join(target, '..');
  await mkdir(targetFolder, { recursive: true });
  await removeAbandoned(targetFolder);
  const buildFolder = await mkdtemp(join(targetFolder, BUILD_PREFIX));
  try {
    const result = await withProgress(
      'building the Temporal server',
      say,
      () =>
        runProgram('go', ['install', `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`], {
          folder: buildFolder,
          environment: { ...environment, CGO_ENABLED: '0', GOBIN: buildFolder, GOFLAGS: '' },
        }),
      BUILD_SECONDS,
    );
    if (result.exitCode !== 0) return { reason: `go install failed: ${result.output.trim().slice(-500)}` };
    await rename(join(buildFolder, `temporal${SUFFIX}`), target);
    await chmod(target, 0o755);
    return { path: target };
  } finally {
    await rm(buildFolder, { recursive: true, force: true });
  }
}

/** Removes what killed builds left; the caller holds the lock, so no other build runs. */
async function removeAbandoned(folder: string): Promise<void> {
  const abandoned = (await readdir(folder)).filter((name) => name.startsWith(BUILD_PREFIX));
  await Promise.all(abandoned.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
