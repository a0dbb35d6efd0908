import { chmod, cp, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withProgress, type Say } from '../engines/progress.ts';
import { runProgram } from '../engines/run-program.ts';
import { readAllowedPaths, readDockerfile, readWords, type Stage } from './dockerfile.ts';

/** What the last stage of a Dockerfile leaves: a folder in place of the container's root, and how to start there. */
export interface ImageFolder {
  readonly baseImage: string;
  readonly root: string;
  readonly workingFolder: string;
  readonly entrypoint: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: { readonly uid: number; readonly gid: number };
}

/** A stage under way. */
interface Draft {
  readonly root: string;
  workingFolder: string;
  entrypoint: readonly string[];
  environment: Readonly<Record<string, string>>;
  user: ImageFolder['user'];
}

interface Build {
  readonly contextFolder: string;
  readonly folder: string;
  readonly say: Say;
}

/**
 * Does what a Dockerfile says, without a container: each stage becomes a folder, COPY copies (from the context as
 * .dockerignore leaves it), RUN runs in the stage's folder on this machine. What comes from the base image is this
 * machine's own: its Node and its shell. Throws when a RUN fails, with its output.
 */
export async function buildImageFolder(build: Build): Promise<ImageFolder> {
  const stages = readDockerfile(await readFile(join(build.contextFolder, 'Dockerfile'), 'utf8'));
  const allowed = readAllowedPaths(await readFile(join(build.contextFolder, '.dockerignore'), 'utf8'));
  const context = join(build.folder, 'context');
  for (const path of allowed) await copyInto(join(build.contextFolder, path), join(context, path));
  let image: ImageFolder | undefined;
  for (const stage of stages) {
    const draft = await buildStage(stage, { ...build, contextFolder: context });
    image = { ...draft, baseImage: stage.baseImage };
  }
  if (image === undefined) throw new Error('the Dockerfile has no stage');
  return image;
}

async function buildStage(stage: Stage, build: Build): Promise<Draft> {
  const draft: Draft = {
    root: join(build.folder, stage.name),
    workingFolder: '/',
    entrypoint: [],
    environment: {},
    user: { uid: 0, gid: 0 },
  };
  for (const { keyword, rest } of stage.instructions) {
    if (keyword === 'WORKDIR') {
      draft.workingFolder = rest;
      await mkdir(join(draft.root, rest), { recursive: true });
    }
    if (keyword === 'COPY') await copy(rest, draft, build);
    if (keyword === 'RUN') await run(rest, stage.name, draft, build.say);
    if (keyword === 'ENV') draft.environment = { ...draft.environment, ...readPairs(rest) };
    if (keyword === 'ENTRYPOINT') draft.entrypoint = readWords(rest);
    if (keyword === 'USER') draft.user = readUser(rest);
  }
  return draft;
}

async function copy(rest: string, draft: Draft, build: Build): Promise<void> {
  const words = rest.split(/\s+/);
  const options = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '.';
  const from = options.find((option) => option.startsWith('--from='))?.slice('--from='.length);
  const mode = options.find((option) => option.startsWith('--chmod='))?.slice('--chmod='.length);
  const sourceRoot = from === undefined ? build.contextFolder : join(build.folder, from);
  for (const path of paths) {
    const source = join(sourceRoot, path);
    const isFolder = (await stat(source)).isDirectory();
    const isInto = target.endsWith('/') && !isFolder;
    const place = join(draft.root, draft.workingFolder, target, isInto ? baseName(path) : '');
    await copyInto(source, place);
    if (mode !== undefined) await chmod(place, Number.parseInt(mode, 8));
  }
}

async function run(command: string, stageName: string, draft: Draft, say: Say): Promise<void> {
  const folder = join(draft.root, draft.workingFolder);
  const environment = { ...process.env, ...draft.environment };
  const { exitCode, output } = await withProgress(`${stageName}: ${command}`, say, () =>
    runProgram('sh', ['-c', command], { folder, environment }),
  );
  if (exitCode !== 0)
    throw new Error(`In the stage ${stageName}, \`${command}\` failed:\n${output.trim().slice(-2_000)}`);
}

async function copyInto(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await cp(source, target, { recursive: true, verbatimSymlinks: true });
}

function readPairs(rest: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rest.split(/\s+/).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

function readUser(rest: string): ImageFolder['user'] {
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(rest) ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`USER must be numbers, not ${rest}`);
  return { uid: Number(uid), gid: Number(gid) };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
