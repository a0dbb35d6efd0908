import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { chooseFreePort } from '../engines/ports.ts';
import { endLeftovers, livingOwner, ProcessLedger } from '../engines/process-ledger.ts';
import type { Say } from '../engines/progress.ts';
import { runProgram } from '../engines/run-program.ts';
import { findTemporalExecutable } from '../engines/temporal-executable.ts';
import { readComposeFile, type ComposeService } from './compose-file.ts';
import { placePrograms, type Ground } from './containers.ts';
import { buildImageFolder, type ImageFolder } from './image-folder.ts';
import { placesFor, TEMPORAL_PORTS, type Places, type Ports } from './places.ts';
import { findTemporalPrograms } from './temporal-programs.ts';

/** Folders and files of a run; all lie below `folder`. */
export interface RunFolder {
  readonly folder: string;
  readonly logFolder: string;
  readonly secretFolder: string;
  readonly ledger: ProcessLedger;
}

/**
 * Opens the folder of a run, after ending what a killed run left behind. Throws while another run is under way: there
 * is one folder for each user of this machine.
 */
export async function openRunFolder(say: Say): Promise<RunFolder> {
  const folder = join(tmpdir(), `shipment-delivery-service-production-${userInfo().uid}`);
  const ledgerFile = join(folder, 'processes.json');
  const owner = livingOwner(ledgerFile);
  if (owner !== undefined) {
    throw new Error(`\`npm run test:production\` runs already, as process ${owner.pid}: wait for its end.`);
  }
  const ended = await endLeftovers(ledgerFile);
  if (ended.length > 0) say(`Ended what a killed run had left behind: ${ended.join(', ')}.`);
  await rm(folder, { recursive: true, force: true });
  // The users of the images pass through; what is secret lies in files that only its readers can name.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await chmod(folder, 0o711);
  return {
    folder,
    logFolder: join(folder, 'logs'),
    secretFolder: join(folder, 'secrets'),
    ledger: new ProcessLedger(ledgerFile),
  };
}

/** Temporal keeps its members' ports in PostgreSQL as smallint: none may lie above 32,767. */
const FIRST_PORT = 21_000;

/** Chooses ports for everything, each another one. */
export async function choosePorts(): Promise<Ports> {
  const chosen: number[] = [];
  while (chosen.length < TEMPORAL_PORTS.length + 3) {
    chosen.push(await chooseFreePort(FIRST_PORT + chosen.length, chosen));
  }
  const [postgres = 0, api = 0, workerHealth = 0, ...temporal] = chosen;
  return { postgres, api, workerHealth, temporal };
}

/**
 * Prepares what the services need: the image's folder, the programs of the other images, the secrets, the folders that
 * the compose file mounts. Throws when a step fails, with its output.
 */
export async function prepareGround(
  projectFolder: string,
  run: RunFolder,
  ports: Ports,
  say: Say,
): Promise<Ground> {
  const text = await readFile(join(projectFolder, 'docker-compose.yml'), 'utf8');
  const services = readComposeFile(text, {});
  const programs = await findTemporalPrograms(temporalVersion(services), process.env, say);
  const programFolder = join(run.folder, 'programs');
  await placePrograms(programFolder, {
    'temporal-server': programs.server,
    'temporal-sql-tool': programs.sqlTool,
    temporal: await locate(await findTemporalExecutable(process.env, say)),
  });
  const image = await buildImageFolder({
    contextFolder: projectFolder,
    folder: join(run.folder, 'image'),
    say,
  });
  await cp(join(projectFolder, 'docker'), join(run.folder, 'docker'), { recursive: true });
  const places = placesFor(foldersOf(services, image, run), ports);
  await makeSecrets(projectFolder, run, places);
  const user = await usableUser(image, say);
  return { services, image, places, programFolder, logFolder: run.logFolder, user, ledger: run.ledger, say };
}

function temporalVersion(services: ReadonlyMap<string, ComposeService>): string {
  const [, version] =
    /^temporalio\/server:(\d+\.\d+\.\d+)$/.exec(services.get('temporal')?.image ?? '') ?? [];
  if (version === undefined) throw new Error('docker-compose.yml names no version of temporalio/server');
  return version;
}

/** A program of the PATH by its path. */
async function locate(command: string): Promise<string> {
  if (command.includes('/')) return command;
  const { output } = await runProgram('sh', ['-c', 'command -v "$1"', 'sh', command]);
  return output.trim();
}

function foldersOf(
  services: ReadonlyMap<string, ComposeService>,
  image: ImageFolder,
  run: RunFolder,
): ReadonlyMap<string, string> {
  const mounted = [...services.values()].flatMap((service) =>
    [...service.folders].map(([target, source]) => [`${target}/`, `${join(run.folder, source)}/`] as const),
  );
  return new Map([
    [`${image.workingFolder}/`, `${join(image.root, image.workingFolder)}/`],
    ['/run/secrets/', `${run.secretFolder}/`],
    ...mounted,
  ]);
}

async function makeSecrets(projectFolder: string, run: RunFolder, places: Places): Promise<void> {
  const script = join(projectFolder, 'docker', 'make-secrets.sh');
  const { exitCode, output } = await runProgram('sh', [script, run.secretFolder]);
  if (exitCode !== 0) throw new Error(`The secrets could not be made:\n${output}`);
  // A container sees the mounted files alone; here their readers pass through the folder.
  await chmod(run.secretFolder, 0o711);
  const urlFile = join(run.secretFolder, 'database_url');
  const url = places.onThisMachine(await readFile(urlFile, 'utf8'));
  await rm(urlFile);
  await writeFile(urlFile, url, { mode: 0o444 });
}

/** The image's user, when this command may become it. */
async function usableUser(image: ImageFolder, say: Say): Promise<ImageFolder['user'] | undefined> {
  if (userInfo().uid === 0) {
    const asUser = { user: image.user, folder: '/' };
    const result = await runProgram('node', ['--version'], asUser).catch(() => undefined);
    if (result?.exitCode === 0) return image.user;
  }
  say(`The services run as you, not as the image's user ${image.user.uid}: only root can become another.`);
  return undefined;
}
