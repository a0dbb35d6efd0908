import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import type { Deployment } from '../deployment.ts';
import { BARE_CHANNEL } from './activities.ts';

/** The queue of the bare counterparts; the service's own worker never sees it. */
export const BARE_TASK_QUEUE = 'bare';

/** The bare counterparts as a client uses them. */
export interface BareLoop {
  /** Starts a run that takes `signals` signals and ends. Resolves to its id. */
  readonly start: (signals: number) => Promise<string>;
  /** Signals a run and waits until its row is inserted, in the most direct way: the activity's own notice. */
  readonly move: (workflowId: string) => Promise<void>;
  /** Starts a run that inserts one row and ends. */
  readonly startOnce: () => Promise<void>;
  /** How many rows have been inserted. */
  readonly countRows: () => Promise<number>;
  /** How many inserts this client asked for. */
  readonly asked: () => number;
  readonly close: () => Promise<void>;
}

/** Makes the table, starts the bare worker and listens for its notices. */
export async function openBareLoop(deployment: Deployment): Promise<BareLoop> {
  const database = new pg.Client({ connectionString: deployment.bareDatabaseUrl });
  // An interrupted run ends PostgreSQL under this connection, and must still end the rest.
  database.on('error', () => undefined);
  await database.connect();
  await database.query('create table if not exists bare_rows (id uuid primary key)');
  await database.query('truncate bare_rows');
  const worker = await deployment.startPart({
    name: 'bare-worker',
    script: 'bench/bare-loop/worker.ts',
    readyWhen: 'bare worker ready',
    environment: { BARE_DATABASE_URL: deployment.bareDatabaseUrl },
  });
  const waiting = new Map<string, () => void>();
  database.on('notification', ({ payload }) => {
    const wake = waiting.get(payload ?? '');
    waiting.delete(payload ?? '');
    wake?.();
  });
  await database.query(`listen ${BARE_CHANNEL}`);
  const connection = await Connection.connect({ address: deployment.temporalAddress });
  const client = new Client({ connection });
  let asked = 0;
  return {
    start: async (signals) => {
      const workflowId = `bare-${randomUUID()}`;
      await client.workflow.start('bareLoop', { taskQueue: BARE_TASK_QUEUE, workflowId, args: [signals] });
      return workflowId;
    },
    move: async (workflowId) => {
      const id = randomUUID();
      asked += 1;
      const inserted = new Promise<void>((resolve) => waiting.set(id, resolve));
      await client.workflow.getHandle(workflowId).signal('move', id);
      await inserted;
    },
    startOnce: async () => {
      const id = randomUUID();
      asked += 1;
      await client.workflow.start('bareStart', {
        taskQueue: BARE_TASK_QUEUE,
        workflowId: `bare-${id}`,
        args: [id],
      });
    },
    countRows: async () => {
      const { rows } = await database.query<{ total: string }>('select count(*) as total from bare_rows');
      return Number(rows[0]?.total);
    },
    asked: () => asked,
    close: async () => {
      await worker.stop();
      await connection.close();
      await database.end();
    },
  };
}
