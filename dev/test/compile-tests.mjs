// Compiles the sources once before AVA runs, so that none of its processes loads a compiler.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
/** Mirrors the project: a test file keeps its path, as JavaScript below the folder of compiled files. */
export const COMPILED_FOLDER = join(projectFolder, '.data', 'compiled');

/** Of the console, what tests import without a browser. */
const TESTED_ALONE = 'web/shared';

/** They start processes, or ask how they were started: these see that they are compiled, as in a build (dev/build.ts). */
const AS_BUILT = new Set([
  'api/shipments/import/workbook.ts',
  'documents/document-renderer.ts',
  'platform/forked-process.ts',
  'worker/main.ts',
]);

/** Each module is compiled by itself: it imports the other compiled modules, and finds files where its source does. */
const sourceByItself = {
  name: 'source-by-itself',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return undefined;
      return path.endsWith('.ts')
        ? { path: path.replace(/\.ts$/, '.js'), external: true }
        : { path: pathToFileURL(join(resolveDir, path)).href, external: true };
    });
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const isAsBuilt = AS_BUILT.has(relative(projectFolder, path).replaceAll(sep, '/'));
      const places = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
      const source = await readFile(path, 'utf8');
      const contents = isAsBuilt
        ? source
        : source.replaceAll(/import\.meta\.(url|dirname|filename)/g, (_, name) =>
            JSON.stringify(places[name]),
          );
      return { contents, loader: 'ts' };
    });
  },
};

/** Compiles every module that tsconfig.json includes, and writes those that changed. Throws when one has a syntax error. */
export async function compileTests() {
  // Test processes import this module for its folder alone.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: projectFolder,
    entryPoints: await sourceFiles(),
    outdir: COMPILED_FOLDER,
    outbase: projectFolder,
    bundle: true,
    packages: 'external',
    plugins: [sourceByItself],
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    write: false,
    logLevel: 'error',
  });
  await Promise.all(outputFiles.map(writeIfChanged));
}

async function sourceFiles() {
  const { include } = JSON.parse(await readFile(join(projectFolder, 'tsconfig.json'), 'utf8'));
  const folders = await Promise.all(
    [...include, TESTED_ALONE].map((folder) =>
      readdir(join(projectFolder, folder), { recursive: true, withFileTypes: true }),
    ),
  );
  return folders
    .flat()
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Another run may be reading the files: one that did not change is left alone. */
async function writeIfChanged({ path, contents }) {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(contents) === true) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
}
