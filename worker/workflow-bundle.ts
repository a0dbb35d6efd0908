import { fileURLToPath } from 'node:url';
import type { WorkerTarget } from './create-worker.ts';

/** Where `npm run build` puts the bundle, seen from the built worker. */
export const BUNDLE_NAME = 'workflows.bundle.js';

/**
 * The workflow code that `npm run build` bundled beside the module of this address; nothing for a module that runs
 * from source, where the worker bundles at its start. A built worker needs neither a compiler nor the sources.
 */
export function builtWorkflows(moduleUrl: string): Pick<WorkerTarget, 'workflowBundle'> {
  if (moduleUrl.endsWith('.ts')) return {};
  return { workflowBundle: { codePath: fileURLToPath(new URL(BUNDLE_NAME, moduleUrl)) } };
}
