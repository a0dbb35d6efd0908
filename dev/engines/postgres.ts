import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { lastLines } from './log-tail.ts';
import { findInstallation, openDatabaseFolder, type PostgresInstallation } from './postgres-account.ts';
import { startProcess, type RunningProcess } from './process-group.ts';
import type { ProcessLedger } from './process-ledger.ts';
import { runProgram } from './run-program.ts';

const READY_TIMEOUT_MS = 60_000;
const USER = 'postgres';

export interface PostgresOptions {
  /** Where the database's files should lie; for root they may lie elsewhere, see openDatabaseFolder. */
  readonly databaseFolder: string;
  /** Holds the superuser's password; made at the first start, readable by its owner alone. */
  readonly passwordFile: string;
  readonly port: number;
  readonly logFile: string;
  /** Gives up what makes data survive a crash of the machine, for speed. For tests alone. */
  readonly isDisposable: boolean;
  readonly onLine?: (line: string) => void;
  /** Hands the process over as soon as it runs, before it is ready. */
  readonly onProcess?: (process: RunningProcess) => void;
}

/** A running PostgreSQL. `url` reaches its database `postgres` as the superuser. */
export interface PostgresServer {
  readonly process: RunningProcess;
  readonly url: string;
}

/**
 * Starts PostgreSQL on the loopback address, making its files at the first start (UTF-8, sorted by code point on
 * every platform), and waits until it answers. Throws with the end of its log when it is not ready in a minute.
 */
export async function startPostgres(
  options: PostgresOptions,
  ledger: ProcessLedger,
): Promise<PostgresServer> {
  const installation = await findInstallation();
  const folder = await openDatabaseFolder(options.databaseFolder, installation.account);
  const password = await loadOrCreatePassword(options.passwordFile);
  if (!existsSync(join(folder, 'PG_VERSION'))) await initialise(installation, folder, password);
  const url = `postgres://${USER}:${password}@127.0.0.1:${options.port}/postgres`;
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const server = await launch(installation, folder, options, ledger);
    options.onProcess?.(server);
    const problem = await waitUntilReady(server, url, deadline);
    if (problem === undefined) return { process: server, url };
    server.kill();
    await server.exited;
    // After a `kill -9` the old server's last processes need a moment to let go of their shared memory.
    const isLeftoverMemory = /shared memory block|lock file .* already exists/.test(
      lastLines(options.logFile, 5),
    );
    if (isLeftoverMemory && performance.now() < deadline) {
      await delay(250);
      continue;
    }
    throw new Error(`PostgreSQL did not start: ${problem}\n${lastLines(options.logFile, 15)}`);
  }
}

/** Makes the database when it does not exist yet and returns the address that reaches it. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function launch(
  installation: PostgresInstallation,
  folder: string,
  options: PostgresOptions,
  ledger: ProcessLedger,
): Promise<RunningProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    // No socket file: its path may be too long, and nothing uses it.
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(options.isDisposable ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ];
  return startProcess(
    {
      name: 'postgres',
      command: join(installation.programFolder, 'postgres'),
      arguments: [
        '-D',
        folder,
        '-p',
        String(options.port),
        ...settings.flatMap((setting) => ['-c', setting]),
      ],
      environment: { ...process.env, LC_ALL: 'C' },
      folder,
      logFile: options.logFile,
      stopSignal: 'SIGINT',
      graceMs: 15_000,
      user: installation.account,
      ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
    },
    ledger,
  );
}

async function initialise(
  installation: PostgresInstallation,
  folder: string,
  password: string,
): Promise<void> {
  const { account, programFolder } = installation;
  const secretFolder = await mkdtemp(join(account === undefined ? tmpdir() : dirname(folder), '.initdb-'));
  try {
    const secretFile = join(secretFolder, 'password');
    await writeFile(secretFile, `${password}\n`, { mode: 0o600 });
    if (account !== undefined) {
      await chown(secretFolder, account.uid, account.gid);
      await chown(secretFile, account.uid, account.gid);
    }
    const result = await runProgram(
      join(programFolder, 'initdb'),
      [
        ...[`--pgdata=${folder}`, `--username=${USER}`, `--pwfile=${secretFile}`, '--auth=scram-sha-256'],
        ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ],
      { folder, environment: { ...process.env, LC_ALL: 'C' }, user: account },
    );
    if (result.exitCode !== 0)
      throw new Error(`PostgreSQL's data directory could not be created:\n${result.output.trim()}`);
  } finally {
    await rm(secretFolder, { recursive: true, force: true });
  }
}

async function waitUntilReady(
  server: RunningProcess,
  url: string,
  deadline: number,
): Promise<string | undefined> {
  let problem = 'it is not listening';
  while (performance.now() < deadline) {
    if (server.hasExited()) return `it ended with ${await server.exited}.`;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return undefined;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      if (isWrongPassword(error)) return `${problem}. Its password file does not match its data directory.`;
    } finally {
      await client.end().catch(() => undefined);
    }
    await delay(50);
  }
  return `not ready within ${READY_TIMEOUT_MS / 1000} s (${problem}).`;
}

/** SQLSTATE 28P01, invalid_password: waiting does not fix it. */
function isWrongPassword(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '28P01';
}

async function loadOrCreatePassword(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const password = randomBytes(24).toString('hex');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return password;
}
