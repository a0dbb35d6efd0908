import { cp, mkdir, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { runProgram } from '../../dev/engines/run-program.ts';
import type { Client, Step } from './clients.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const DRIVES = join(PROJECT, 'test', 'clients', 'drives');
/** Below the project, so that the clients find the packages that they import. */
export const WORK_FOLDER = join(PROJECT, '.data', 'clients');
/** A virtual environment of Python with the generators that are no npm packages. */
export const PYTHON_FOLDER = join(WORK_FOLDER, 'python');

/** What a client's drive gets to know of the service: addresses and accounts, as a person would have them. */
export interface DriveSettings {
  readonly BASE_URL: string;
  readonly API_KEY: string;
  readonly EMAIL: string;
  /** An admin of another organization, whose webhooks are on. */
  readonly ADMIN_EMAIL: string;
  readonly PASSWORD: string;
}

/** What became of a client; `reason` is a program that is missing, or the output of the step that failed. */
export type ClientResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'left out'; readonly reason: string }
  | { readonly kind: 'failed'; readonly step: Step['title']; readonly reason: string };

/** The environment of all programs: the generators of npm and of Python are on the path. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const path = [join(PYTHON_FOLDER, 'bin'), join(PROJECT, 'node_modules', '.bin'), process.env['PATH'] ?? ''];
  return { ...process.env, PATH: path.join(delimiter) };
}

/** Generates, compiles and runs a client, in a folder that is new each time; the description has to be in place. */
export async function runClient(client: Client, settings: DriveSettings): Promise<ClientResult> {
  const environment = { ...programEnvironment(), ...settings };
  for (const [program, word] of client.needs) {
    if (!(await isInstalled(program, word))) {
      return { kind: 'left out', reason: `${program} is not installed` };
    }
  }
  const folder = join(WORK_FOLDER, client.name.replaceAll(' ', '-'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [file, place] of Object.entries(client.files)) {
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await cp(join(DRIVES, file), join(folder, place));
  }
  for (const { title, command, folder: below = '' } of client.steps) {
    const [program, ...words] = command;
    const { exitCode, output } = await runProgram(program, words, {
      cwd: join(folder, below),
      env: environment,
    });
    const isDriven = title !== 'drive' || /^delivered /m.test(output);
    if (exitCode !== 0 || !isDriven) return { kind: 'failed', step: title, reason: output.trim() };
  }
  return { kind: 'passed' };
}

async function isInstalled(program: string, word: string): Promise<boolean> {
  try {
    return (await runProgram(program, [word], { env: programEnvironment() })).exitCode === 0;
  } catch {
    return false;
  }
}
