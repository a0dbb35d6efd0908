import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import { until } from '../harness/until.ts';

/** A run that does not go on, and what stops the worker that tries. */
export interface BlockedRun {
  readonly run: WorkflowHandle;
  readonly stop: () => Promise<void>;
}

/** Starts a run under this id whose workflow code throws on every try, on a task queue of its own. */
export async function startBlockedRun(
  connection: NativeConnection,
  client: Client,
  workflowId: string,
): Promise<BlockedRun> {
  const taskQueue = `test-${randomUUID()}`;
  const worker = await Worker.create({
    connection,
    namespace: 'default',
    taskQueue,
    workflowsPath: fileURLToPath(new URL('blocked-workflow.ts', import.meta.url)),
  });
  const running = worker.run();
  const run = await client.workflow.start('blocked', { taskQueue, workflowId });
  await until(async () => {
    const { raw } = await run.describe();
    return (raw.pendingWorkflowTask?.attempt ?? 0) >= 2;
  }, 'the workflow task did not fail');
  const stop = async (): Promise<void> => {
    worker.shutdown();
    await running;
  };
  return { run: client.workflow.getHandle(workflowId, run.firstExecutionRunId), stop };
}
