// `npm run build`: compiles what runs in production to dist/, with the files that it reads next to it and the
// workflow code bundled, so that a worker starts without a compiler.
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import packageFile from '../package.json' with { type: 'json' };
import { WORKFLOW_BUNDLE_OPTIONS } from '../worker/create-worker.ts';
import { BUNDLE_NAME } from '../worker/workflow-bundle.ts';
import { say, withProgress } from './engines/progress.mjs';
import { runProgram } from './engines/run-program.ts';
import { buildWeb, DESK_FOLDER } from './web/build-web.ts';

const projectFolder = join(import.meta.dirname, '..');
const distFolder = join(projectFolder, 'dist');
/** Folders with files that the code reads while it runs: SQL, and the script of the documentation page. */
const FOLDERS_WITH_FILES = ['migrations', 'api'];

async function compile(): Promise<void> {
  const compiler = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = await runProgram(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: projectFolder,
  });
  if (result.exitCode !== 0) throw new Error(`The sources do not compile:\n${result.output.trim()}`);
}

async function copyFiles(): Promise<void> {
  for (const folder of FOLDERS_WITH_FILES) {
    await cp(join(projectFolder, folder), join(distFolder, folder), {
      recursive: true,
      filter: (path) => !path.endsWith('.ts'),
    });
  }
}

async function bundleWorkflows(): Promise<void> {
  const { code } = await bundleWorkflowCode({
    ...WORKFLOW_BUNDLE_OPTIONS,
    logger: new DefaultLogger('WARN'),
  });
  await writeFile(join(distFolder, 'worker', BUNDLE_NAME), code);
}

/** The version with a digest of all that was built: no two builds share an id, however they are tagged. */
async function writeBuildId(): Promise<void> {
  const digest = createHash('sha256');
  const entries = await readdir(distFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.map'));
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
    digest.update(file.slice(distFolder.length)).update(await readFile(file));
  }
  const { version } = packageFile;
  await writeFile(
    join(distFolder, 'worker', 'build-id'),
    `${version}-${digest.digest('hex').slice(0, 12)}\n`,
  );
}

try {
  // What an earlier build left must not be taken for a part of this one.
  await rm(distFolder, { recursive: true, force: true });
  await withProgress('compiling', compile);
  await copyFiles();
  await buildWeb();
  await cp(DESK_FOLDER, join(distFolder, 'web', 'desk'), { recursive: true });
  await withProgress('bundling the workflows', bundleWorkflows);
  await writeBuildId();
  say('Built: dist/');
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
