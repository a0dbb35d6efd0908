// Bundles the workflow code and writes it to standard output: run by `loadWorkflowBundle`, in a process of its own.
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { WORKFLOW_BUNDLE_OPTIONS } from './create-worker.ts';

const { code } = await bundleWorkflowCode({ ...WORKFLOW_BUNDLE_OPTIONS, logger: new DefaultLogger('WARN') });
process.stdout.write(code);
