import { chmod, cp, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startProcess, type RunningProcess } from '../engines/process-group.ts';
import type { ProcessLedger } from '../engines/process-ledger.ts';
import { withProgress, type Say } from '../engines/progress.ts';
import { runProgram } from '../engines/run-program.ts';
import type { ComposeService } from './compose-file.ts';
import type { ImageFolder } from './image-folder.ts';
import type { Places } from './places.ts';

const READY_TIMEOUT_MS = 120_000;
const ASK_AGAIN_MS = 250;

type Environment = Readonly<Record<string, string>>;

/** What the services of the compose file are run with in place of containers. */
export interface Ground {
  readonly services: ReadonlyMap<string, ComposeService>;
  readonly image: ImageFolder;
  readonly places: Places;
  /** Holds the programs of images that are not ours. */
  readonly programFolder: string;
  readonly logFolder: string;
  /** As whom the processes run; undefined: as whoever runs this. */
  readonly user: ImageFolder['user'] | undefined;
  readonly ledger: ProcessLedger;
  readonly say: Say;
}

/**
 * Runs services of the compose file as processes of this machine: with the command, the entrance and the environment
 * that the compose file and the image give, in the places of this machine, and with nothing of this process's own
 * environment but the PATH.
 */
export class Containers {
  readonly #ground: Ground;
  readonly #running = new Map<string, RunningProcess>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Runs a service, or the image with another command, to its end; resolves with its output. Throws when it fails. */
  async run(name: string, command?: readonly string[]): Promise<string> {
    const { environment, folder, words } = this.#prepare(name, command, {});
    const [program = '', ...programArguments] = words;
    const { exitCode, output } = await withProgress(`running ${name}`, this.#ground.say, () =>
      runProgram(program, programArguments, { folder, environment, user: this.#ground.user }),
    );
    if (exitCode !== 0) throw new Error(`${name} ended with exit code ${exitCode}:\n${output.trim()}`);
    return output.trim();
  }

  /**
   * Starts a service, with settings changed where told, and waits until `isReady`: by default, until the health check
   * that the compose file names passes.
   */
  async start(
    name: string,
    changes: Environment = {},
    isReady = (): Promise<boolean> => this.#passesHealthCheck(name, changes),
  ): Promise<void> {
    const { environment, folder, words } = this.#prepare(name, undefined, changes);
    const [command = '', ...commandArguments] = words;
    const service = this.#serviceOf(name);
    const started = await startProcess(
      {
        ...{ name, command, environment, folder, logFile: this.logFileOf(name), user: this.#ground.user },
        arguments: commandArguments,
        stopSignal: 'SIGTERM',
        graceMs: service.stopGraceMs,
      },
      this.#ground.ledger,
    );
    this.#running.set(name, started);
    await withProgress(`starting ${name}`, this.#ground.say, async () => {
      const deadline = performance.now() + READY_TIMEOUT_MS;
      while (!(await isReady())) {
        if (started.hasExited() || performance.now() > deadline) throw new Error(`${name} did not get ready`);
        await delay(ASK_AGAIN_MS);
      }
    });
  }

  /** Takes a process that was started otherwise, so that it is ended with the others. */
  adopt(name: string, process: RunningProcess): void {
    this.#running.set(name, process);
  }

  /** Stops a service as a container's engine does. Throws when it had to be forced or its exit code is not 0. */
  async stop(name: string): Promise<void> {
    const exit = await this.#running.get(name)?.stop();
    this.#running.delete(name);
    if (exit !== undefined && exit !== 'exit code 0')
      throw new Error(`${name} ended with ${exit} when it was asked to stop`);
  }

  /** Ends whatever runs, the last started first; for the end, whatever happened. */
  async stopAll(): Promise<void> {
    for (const process of [...this.#running.values()].reverse()) await process.stop();
    this.#running.clear();
  }

  logFileOf(name: string): string {
    return join(this.#ground.logFolder, `${name}.log`);
  }

  async #passesHealthCheck(name: string, changes: Environment): Promise<boolean> {
    const { healthCheck } = this.#serviceOf(name);
    const { environment, folder } = this.#prepare(name, undefined, changes);
    const [program = '', ...programArguments] = healthCheck.map((word) =>
      this.#ground.places.onThisMachine(word),
    );
    const { user } = this.#ground;
    const { exitCode } = await runProgram(program, programArguments, { folder, environment, user });
    return exitCode === 0;
  }

  #prepare(name: string, command: readonly string[] | undefined, changes: Environment) {
    const { image, places, programFolder } = this.#ground;
    const service = this.#serviceOf(name);
    const isOurs = service.image.startsWith('shipment-delivery-service:');
    const words = [...(isOurs ? image.entrypoint : []), ...(command ?? service.command)];
    const environment = {
      ...(isOurs ? image.environment : {}),
      ...service.environment,
      ...places.settingsOf(name),
      ...changes,
    };
    return {
      words: words.map((word) => places.onThisMachine(word)),
      folder: isOurs ? join(image.root, image.workingFolder) : programFolder,
      environment: {
        ...Object.fromEntries(
          Object.entries(environment).map(([key, value]) => [key, places.onThisMachine(value)]),
        ),
        // A container's engine sets it as well.
        HOME: programFolder,
        PATH: `${programFolder}${delimiter}${process.env['PATH'] ?? ''}`,
      },
    };
  }

  #serviceOf(name: string): ComposeService {
    const service = this.#ground.services.get(name);
    if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
    return service;
  }
}

/** Puts programs under their names into a folder that every user may read. */
export async function placePrograms(
  folder: string,
  programs: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, path] of Object.entries(programs)) {
    await cp(path, join(folder, name));
    await chmod(join(folder, name), 0o755);
  }
}
