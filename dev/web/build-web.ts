import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import pMap from 'p-map';
import { withProgress } from '../engines/progress.mjs';
import { runProgram } from '../engines/run-program.ts';
import { takeLock } from '../lock.mjs';

const PROJECT = join(import.meta.dirname, '..', '..');
const WEB = join(PROJECT, 'web');
const DIST = join(WEB, 'dist');
const GENERATED = join(WEB, 'generated');
const TYPES_STAMP = join(GENERATED, 'api.stamp');
const BUILD_STAMP = join(DIST, 'build.stamp');
const USUAL_SECONDS = 10;
/** Folders below web/ that are made, and packages. */
const MADE = new Set(['dist', 'generated', 'node_modules']);
const COMPRESSED = /\.(?:js|css|html|svg|json|webmanifest)$/;

/** Below dist/: the files of the console as the API serves them (api/web). */
export const DESK_FOLDER = join(DIST, 'desk');

/**
 * Makes the types of the API's requests from its own description, where the API or the domain changed since they were made.
 * Type checks and lint of web/ need them. Throws with the generator's output.
 */
export async function makeApiTypes(): Promise<void> {
  const stamp = await digestOf(['api', 'domain', 'package-lock.json']);
  if ((await readText(TYPES_STAMP)) === stamp) return;
  await mkdir(GENERATED, { recursive: true });
  const description = join(GENERATED, 'api.json');
  await run(['--import', 'tsx', join(import.meta.dirname, 'describe-api.ts'), description]);
  await run([
    join('node_modules', 'openapi-typescript', 'bin', 'cli.js'),
    description,
    ...['--output', join(GENERATED, 'api.d.ts')],
  ]);
  await writeFile(TYPES_STAMP, stamp);
}

/**
 * Builds the console into web/dist where its sources changed since the last build, and writes `.br` and `.gz` beside each
 * text. One process builds at a time. Throws with the output of the program that failed.
 */
export async function buildWeb(): Promise<void> {
  const release = await takeLock(`${PROJECT}/web`, () => undefined);
  try {
    await makeApiTypes();
    const stamp = await digestOf(['web', 'domain', 'package-lock.json']);
    if ((await readText(BUILD_STAMP)) === stamp) return;
    await withProgress('building the console', () => build(stamp), USUAL_SECONDS);
  } finally {
    release();
  }
}

async function build(stamp: string): Promise<void> {
  await rm(DIST, { recursive: true, force: true });
  const config = join(WEB, 'vite.config.ts');
  await run([
    join('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '--config',
    config,
    '--logLevel',
    'warn',
  ]);
  await compressAll();
  await writeFile(BUILD_STAMP, stamp);
}

async function compressAll(): Promise<void> {
  const files = (await filesBelow(DESK_FOLDER)).filter((file) => COMPRESSED.test(file));
  await pMap(files, compress, { concurrency: 4 });
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}

async function run(words: readonly string[]): Promise<void> {
  const { exitCode, output } = await runProgram(process.execPath, [...words], { cwd: PROJECT });
  if (exitCode !== 0) throw new Error(`The console could not be built:\n${output.trim()}`);
}

/** A digest of the names and contents of files and folders of the project. */
async function digestOf(places: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const place of places) {
    for (const file of await filesBelow(join(PROJECT, place)))
      digest.update(file).update(await readFile(file));
  }
  return digest.digest('hex');
}

async function filesBelow(place: string): Promise<readonly string[]> {
  const entries = await readdir(place, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [place];
  const found = await Promise.all(
    entries
      .filter(({ name }) => !MADE.has(name) || place !== WEB)
      .map(async (entry) => {
        const path = join(place, entry.name);
        return entry.isDirectory() ? filesBelow(path) : [path];
      }),
  );
  return found.flat().sort();
}

function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
