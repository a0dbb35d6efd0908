import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import pMap from 'p-map';
import pg from 'pg';
import { until } from '../../test/harness/until.ts';
import type { CaseContext } from '../case.ts';
import { timed } from '../pace.ts';
import { BARE_CHANNEL } from './activities.ts';

/** The queue of the bare counterparts; the service's own worker never sees it. */
export const BARE_TASK_QUEUE = 'bare';

const START_CLIENTS = 20;
const MS_PER_SECOND = 1_000;

/** The bare counterparts as a client uses them. */
export type BareLoop = Awaited<ReturnType<typeof openBareLoop>>;

/** Makes the table, starts the bare worker and listens for its notices. */
export async function openBareLoop({ deployment, atEnd }: CaseContext) {
  const { bareDatabaseUrl, temporalAddress } = deployment;
  const database = await openBareRows(bareDatabaseUrl);
  atEnd(() => database.end());
  const worker = deployment.makeProgram({
    name: 'bare-worker',
    script: 'bench/bare-loop/worker.ts',
    readyWhen: 'bare worker ready',
    environment: { BARE_DATABASE_URL: bareDatabaseUrl },
  });
  atEnd(worker.stop);
  await worker.start();
  const waiting = new Map<string, () => void>();
  database.on('notification', ({ payload = '' }) => {
    waiting.get(payload)?.();
    waiting.delete(payload);
  });
  await database.query(`listen ${BARE_CHANNEL}`);
  const connection = await Connection.connect({ address: temporalAddress });
  atEnd(() => connection.close());
  const { workflow } = new Client({ connection });
  const start = async (type: string, id: string, argument: unknown): Promise<string> => {
    const workflowId = `bare-${id}`;
    await workflow.start(type, { taskQueue: BARE_TASK_QUEUE, workflowId, args: [argument] });
    return workflowId;
  };
  const countRows = async (): Promise<number> => {
    const { rows } = await database.query<{ total: string }>('select count(*) as total from bare_rows');
    return Number(rows[0]?.total);
  };
  let asked = 0;
  return {
    /** Starts a run that takes `signals` signals and ends. Resolves to its id. */
    start: (signals: number) => start('bareLoop', randomUUID(), signals),

    /** Signals a run and waits until its row is inserted, in the most direct way: the activity's own notice. */
    move: async (workflowId: string): Promise<void> => {
      const id = randomUUID();
      asked += 1;
      const inserted = new Promise<void>((resolve) => waiting.set(id, resolve));
      await workflow.getHandle(workflowId).signal('move', id);
      await inserted;
    },

    /** Starts runs that insert one row each, as fast as the machine can. Resolves to the starts per second until all have. */
    startRate: async (count: number): Promise<number> => {
      const before = await countRows();
      asked += count;
      const ids = Array.from({ length: count }, () => randomUUID());
      const tookMs = await timed(async () => {
        await pMap(ids, (id) => start('bareStart', id, id), { concurrency: START_CLIENTS });
        const isDone = async (): Promise<boolean> => (await countRows()) >= before + count;
        await until(isDone, 'bare starts are missing', { everyMs: 25, giveUpMs: 900_000 });
      });
      return count / (tookMs / MS_PER_SECOND);
    },

    /** Says whether each insert that was asked for was made, once. */
    lost: async (): Promise<readonly string[]> => {
      const found = await countRows();
      return found === asked ? [] : [`the bare loop inserted ${found} of ${asked} rows`];
    },
  };
}

/** Connects to the bare database and makes its table, empty. */
async function openBareRows(connectionString: string): Promise<pg.Client> {
  const database = new pg.Client({ connectionString });
  // An interrupted run ends PostgreSQL under this connection, and must still end the rest.
  database.on('error', () => undefined);
  await database.connect();
  await database.query('create table if not exists bare_rows (id uuid primary key)');
  await database.query('truncate bare_rows');
  return database;
}
