import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLock } from '../lock-file.mjs';
import { cacheFolder } from '../engines/cache-folder.ts';
import { withProgress, type Say } from '../engines/progress.ts';
import { runProgram } from '../engines/run-program.ts';

/** The programs of Temporal's server image and of its tools image, built from the same source. */
export interface TemporalPrograms {
  readonly server: string;
  readonly sqlTool: string;
}

const MODULE = 'go.temporal.io/server';
/** Package by the name that `go install` gives its program, and by the name in the images. */
const PROGRAMS = {
  server: { package: 'cmd/server', built: 'server', name: 'temporal-server' },
  sqlTool: { package: 'cmd/tools/sql', built: 'sql', name: 'temporal-sql-tool' },
} as const;

/**
 * Finds a version of Temporal's server and of its SQL tool in the user's cache folder, or builds both with Go: two
 * minutes on idle cores, once. Throws when Go is missing or the build fails.
 */
export async function findTemporalPrograms(
  version: string,
  environment: NodeJS.ProcessEnv,
  say: Say,
): Promise<TemporalPrograms> {
  const folder = join(cacheFolder(environment), `temporal-server-${version}`);
  const programs: TemporalPrograms = {
    server: join(folder, PROGRAMS.server.name),
    sqlTool: join(folder, PROGRAMS.sqlTool.name),
  };
  const isThere = (): boolean => Object.values(programs).every((path: string) => existsSync(path));
  if (isThere()) return programs;
  const release = await takeLock(join(cacheFolder(environment), 'temporal-server.lock'), {
    onWait: (pid) => say(`Waiting for another command (process ${pid}) that builds the Temporal server…`),
  });
  try {
    if (!isThere()) await build(version, folder, environment, say);
    return programs;
  } finally {
    release();
  }
}

async function build(
  version: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
  say: Say,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(join(folder, 'build-'));
  const packages = Object.values(PROGRAMS).map((program) => `${MODULE}/${program.package}@v${version}`);
  say(`Building Temporal's server ${version} and its SQL tool with Go: two minutes or more, once.`);
  try {
    const { exitCode, output } = await withProgress('building the Temporal server', say, () =>
      runProgram('nice', ['go', 'install', ...packages], {
        folder: draft,
        environment: { ...environment, CGO_ENABLED: '0', GOBIN: draft, GOFLAGS: '' },
      }).catch((cause: unknown) => {
        throw new Error('`npm run test:production` builds the Temporal server with Go: install Go.', {
          cause,
        });
      }),
    );
    if (exitCode !== 0)
      throw new Error(`The Temporal server could not be built:\n${output.trim().slice(-1_000)}`);
    for (const { built, name } of Object.values(PROGRAMS)) {
      await chmod(join(draft, built), 0o755);
      await rename(join(draft, built), join(folder, name));
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
