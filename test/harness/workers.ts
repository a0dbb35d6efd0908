import { NativeConnection } from '@temporalio/worker';
import { systemClock } from '../../platform/clock.ts';
import type { WorkerConfig } from '../../platform/config.ts';
import { createOutboundClient } from '../../platform/outbound-client.ts';
import type { Database } from '../../store/connection.ts';
import { createWorkers } from '../../worker/create-worker.ts';
import { quietRuntime } from './quiet-runtime.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Starts the workers of a test's service and resolves when they poll, with what stops them. */
export async function startTestWorkers(
  config: WorkerConfig,
  database: Database,
): Promise<() => Promise<void>> {
  quietRuntime();
  const connection = await NativeConnection.connect({ address: config.temporal.address });
  const outbound = createOutboundClient({
    allowPrivate: config.webhookAllowPrivate,
    extraCaFile: config.webhookExtraCaFile,
  });
  const workers = await createWorkers(
    {
      connection,
      namespace: config.temporal.namespace,
      taskQueue: config.taskQueue,
      workflowBundle: await workflowBundle(),
    },
    {
      database,
      outbound,
      clock: systemClock,
      settings: {
        webhookMaxAttempts: config.webhookMaxAttempts,
        continueAsNewAfterEvents: config.continueAsNewAfterEvents ?? 50_000,
      },
    },
  );
  const runs = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await runs;
    await outbound.close();
    await connection.close();
  };
}
