import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { untilReady, type Keeper, type RunningProcess } from './keeper.ts';
import { lastLines } from './log-tail.ts';
import { findPostgresPlace, giveTo, type PostgresPlace } from './postgres-account.ts';
import { runProgram } from './run-program.ts';
import { loadOrCreateSecret } from './secret-file.ts';

const READY_TIMEOUT_MS = 60_000;
const USER = 'postgres';

export interface PostgresOptions {
  /** Gets the database's files (for root they may lie elsewhere, see findPostgresPlace) and the superuser's password. */
  readonly folder: string;
  /** Gets `postgres.log`; the folder itself unless given. */
  readonly logFolder?: string;
  readonly port: number;
  /** Gives up what makes data survive a crash of the machine, for speed. For tests alone. */
  readonly isDisposable: boolean;
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
export async function startPostgres(options: PostgresOptions, keeper: Keeper): Promise<PostgresServer> {
  const { folder, logFolder = folder } = options;
  const logFile = join(logFolder, 'postgres.log');
  const place = await findPostgresPlace(join(folder, 'postgres'));
  const password = await loadOrCreateSecret(join(folder, 'postgres-password'));
  if (!existsSync(join(place.databaseFolder, 'PG_VERSION'))) await initialise(place, password);
  const url = `postgres://${USER}:${password}@127.0.0.1:${options.port}/postgres`;
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const server = await launch(place, options, logFile, keeper);
    try {
      await untilReady(server, () => query(url), READY_TIMEOUT_MS);
      return { process: server, url };
    } catch (error) {
      // After a `kill -9` the old server's last processes need a moment to release their shared memory.
      const isLeftover = /shared memory block|lock file .* already exists/.test(lastLines(logFile, 5));
      if (!isLeftover || performance.now() > deadline) throw error;
      await delay(250);
    }
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
  { programFolder, databaseFolder, account }: PostgresPlace,
  { port, isDisposable }: PostgresOptions,
  logFile: string,
  keeper: Keeper,
): Promise<RunningProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    // No socket file: its path may be too long, and nothing uses it.
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(isDisposable ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ];
  return keeper.start({
    name: 'postgres',
    command: join(programFolder, 'postgres'),
    arguments: ['-D', databaseFolder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    environment: { ...process.env, LC_ALL: 'C' },
    folder: databaseFolder,
    logFile,
    stopSignal: 'SIGINT',
    graceMs: 15_000,
    user: account,
  });
}

/** Makes the files next to their place, and puts them there when they are whole: a `kill -9` leaves no half of a database. */
async function initialise(
  { programFolder, databaseFolder, account }: PostgresPlace,
  password: string,
): Promise<void> {
  const unfinished = `${databaseFolder}.unfinished`;
  const passwordFile = join(tmpdir(), randomUUID());
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  for (const path of [unfinished, passwordFile]) await giveTo(account, path);
  try {
    const { exitCode, output } = await runProgram(
      join(programFolder, 'initdb'),
      [
        ...[
          `--pgdata=${unfinished}`,
          `--username=${USER}`,
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
        ],
        ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ],
      { cwd: unfinished, env: { ...process.env, LC_ALL: 'C' }, ...account },
    );
    if (exitCode !== 0)
      throw new Error(`PostgreSQL's data directory could not be created:\n${output.trim()}`);
    await rename(unfinished, databaseFolder);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function query(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}
