// The worker of the bare counterparts: a process of its own with the settings of the service's worker.
import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pg from 'pg';
import { shipmentWorkerLimits, workerSlots } from '../../worker/create-worker.ts';
import { bareActivities } from './activities.ts';
import { BARE_TASK_QUEUE } from './client.ts';

const POOL_SIZE = 20;

Runtime.install({
  telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
  shutdownSignals: [],
});
const pool = new pg.Pool({ connectionString: process.env['BARE_DATABASE_URL'], max: POOL_SIZE });
const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
const worker = await Worker.create({
  connection,
  namespace: 'default',
  taskQueue: BARE_TASK_QUEUE,
  workflowsPath: fileURLToPath(new URL('workflow.ts', import.meta.url)),
  activities: bareActivities(pool),
  ...shipmentWorkerLimits(workerSlots(POOL_SIZE)),
});
process.once('SIGTERM', () => worker.shutdown());
const running = worker.run();
console.log('bare worker ready');
await running;
await connection.close();
await pool.end();
process.exit(0);
