// `npm run build:record`: bundles the workflow code as `npm run build` does and keeps it as the previous build, which
// test/workflows/rollback.test.ts runs next to today's; and keeps the API and the worker as the previous release, which
// test/releases/previous-release.test.ts runs on today's schema. `npm run build:record -- FOLDER` takes another checkout, that
// of a release (docs/how-to/change-workflow-code.md).
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { WORKFLOW_BUNDLE_OPTIONS } from '../worker/create-worker.ts';
import { PREVIOUS_RELEASE_FILE } from '../test/releases/previous-release.ts';
import { PREVIOUS_BUILD_FILE } from '../test/workflows/builds/previous-build.ts';
import { packRelease } from './pack-release.ts';

const EMPTY_SOURCE_MAP = JSON.stringify({
  version: 3,
  file: 'workflows.bundle.js',
  sources: [],
  names: [],
  mappings: '',
});

const projectFolder = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? projectFolder);
const inFolder = (path: string): string => join(folder, relative(projectFolder, path));

const { code } = await bundleWorkflowCode({
  workflowsPath: inFolder(WORKFLOW_BUNDLE_OPTIONS.workflowsPath),
  payloadConverterPath: inFolder(WORKFLOW_BUNDLE_OPTIONS.payloadConverterPath),
  logger: new DefaultLogger('WARN'),
  webpackConfigHook: (config) => ({
    ...config,
    context: folder,
    resolve: {
      ...config.resolve,
      modules: [...(config.resolve?.modules ?? []), join(projectFolder, 'node_modules')],
    },
  }),
});
await mkdir(dirname(PREVIOUS_BUILD_FILE), { recursive: true });
// Both are of one release: the second is written only where the first could be made.
await packRelease(folder, PREVIOUS_RELEASE_FILE);
await writeFile(PREVIOUS_BUILD_FILE, gzipSync(withoutPlaces(code)));
console.log(
  `The workflow code of ${folder} is now the previous build, its API and worker the previous release.`,
);

/** The bundle without the paths of this machine: those of the packages, and the source map that a worker asks for. */
function withoutPlaces(bundle: string): string {
  const [statements = ''] = bundle.split('//# sourceMappingURL=');
  const map = Buffer.from(EMPTY_SOURCE_MAP).toString('base64');
  return `${statements.replaceAll(/(?<=["' ])[./][^"'\s]*?(?=\/node_modules\/)/g, '.')}//# sourceMappingURL=data:application/json;charset=utf-8;base64,${map}\n`;
}
