import test from 'ava';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { ShipmentId } from '../../domain/ids.ts';
import { createTemporalClient } from '../../platform/temporal.ts';
import { findCommand } from '../../store/commands/commands.ts';
import { connectDatabase, select, selectOne } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { createShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import type { ShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import { startFlakyProxy } from '../harness/flaky-proxy.ts';
import { makeTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';
import { testEngines } from '../harness/engines.ts';
import { makeDriver, makeOrganization } from '../harness/make.ts';
import { startReceiver } from '../harness/receiver.ts';
import { until } from '../harness/until.ts';
import {
  makeCommand,
  makeStoredShipment,
  storedEvents,
  storedTimeline,
  taskOf,
  transitionRequest,
} from '../store/shipments.ts';
import { startWorkerProcess } from './worker-process.ts';

let testDatabase: TestDatabase;
let database: Database;
let workflows: ShipmentWorkflowClient;
let closeClient: () => Promise<void>;
const taskQueue = `test-${randomUUID()}`;
test.before(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase(testDatabase.url, { poolSize: 4, applicationName: 'test' });
  const address = testEngines().temporalAddress;
  const client = createTemporalClient({ address, namespace: 'default', apiKey: null, tls: false });
  closeClient = () => client.connection.close();
  workflows = createShipmentWorkflowClient(client, taskQueue);
});
test.after.always(async () => {
  await closeClient();
  await database.close();
  await testDatabase.drop();
});

/** A shipment whose driver is about to be assigned; `send` signals the stored command. */
async function makeAboutToMove(webhookUrl: string) {
  const organization = await makeOrganization({ database }, { webhookUrl });
  const driver = await makeDriver({ database }, organization);
  const id = await makeStoredShipment(database, organization.id);
  const taskId = await taskOf(database, id, 'delivery');
  const commandId = await makeCommand(database, organization.id, id, {
    kind: 'transition',
    taskId,
    request: transitionRequest('assign', driver),
  });
  const subject = { id, organizationId: organization.id, trackingNumber: 'TST', priority: 'normal' } as const;
  const signal = { name: 'assign', commandId, taskId, taskType: 'delivery' } as const;
  return { id, commandId, send: () => workflows.signal(subject, signal) };
}

/** Holds the lock on one row from a connection of its own, as a pause point for whoever wants to write it. */
async function holdRow(table: 'shipments' | 'webhook_events', id: string) {
  const holder = new pg.Client({ connectionString: testDatabase.url, application_name: 'test-holder' });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select from ${table} where id = $1 for update`, [id]);
  return {
    release: async () => {
      await holder.query('rollback');
      await holder.end();
    },
  };
}

/** How many of the worker's connections wait for a row that the test holds. */
async function workersWaiting(): Promise<number> {
  const row = await selectOne<{ count: number }>(
    database,
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'shipment-worker' and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

/**
 * Ends the statements of a worker that was killed: PostgreSQL notices the lost connection of one that waits for a lock
 * only when it has got the lock and written.
 */
async function endSessionsOfWorkers(): Promise<void> {
  await select(
    database,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'shipment-worker'`,
  );
  await until(async () => (await workersWaiting()) === 0, 'a session of the worker is still there');
}

async function eventStatus(id: ShipmentId): Promise<string | undefined> {
  return (await storedEvents(database, id))[0]?.status;
}

test.serial('a worker killed in a transition, or before a 200 is recorded, loses nothing', async (t) => {
  const quiet = await startReceiver();
  let holdEvent: Awaited<ReturnType<typeof holdRow>> | undefined;
  const recording = await startReceiver({
    answers: async ({ headers }) => {
      // The first answer goes out when its record can no longer be written.
      holdEvent ??= await holdRow('webhook_events', String(headers['x-service-event-id']));
      return 200;
    },
  });
  t.teardown(quiet.close);
  t.teardown(recording.close);
  const amidTransition = await makeAboutToMove(quiet.url);
  const amidRecording = await makeAboutToMove(recording.url);

  const first = await startWorkerProcess(testDatabase.url, taskQueue);
  const holdShipment = await holdRow('shipments', amidTransition.id);
  await amidTransition.send();
  await amidRecording.send();
  await until(async () => (await workersWaiting()) === 2, 'the worker did not reach both pause points');
  t.is((await findCommand(database, amidTransition.commandId))?.status, 'received');
  t.is(await eventStatus(amidRecording.id), 'pending');
  await first.kill();
  await endSessionsOfWorkers();
  await holdShipment.release();
  await holdEvent?.release();
  t.is(
    (await findCommand(database, amidTransition.commandId))?.status,
    'received',
    'the crash undid the half',
  );

  const second = await startWorkerProcess(testDatabase.url, taskQueue);
  t.teardown(second.kill);
  await until(async () => (await eventStatus(amidTransition.id)) === 'delivered', 'the transition was lost');
  await until(async () => (await eventStatus(amidRecording.id)) === 'delivered', 'the event was lost');

  for (const { id, commandId } of [amidTransition, amidRecording]) {
    t.is((await findCommand(database, commandId))?.status, 'applied');
    t.deepEqual(
      (await storedTimeline(database, id)).map(({ kind, taskStatus }) =>
        `${kind} ${taskStatus ?? ''}`.trim(),
      ),
      ['created', 'transition assigned'],
    );
    t.is((await storedEvents(database, id)).length, 1);
  }
  t.is(quiet.requests.length, 1, 'the event of the transition was posted once');
  t.is(recording.requests.length, 2, 'the event whose record was lost was posted once more');
  t.is(new Set(recording.requests.map(({ body }) => body.toString('hex'))).size, 1, 'with the same bytes');
  t.deepEqual(await attemptsOf(amidRecording.id), [
    { attempt: 1, isSent: true, statusCode: null },
    { attempt: 2, isSent: true, statusCode: 200 },
  ]);
});

test.serial('a worker killed before the request is sent costs the receiver no attempt', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const slow = await startFlakyProxy(receiver.url);
  t.teardown(slow.stop);
  slow.freeze();
  const { id, send } = await makeAboutToMove(slow.url);
  const first = await startWorkerProcess(testDatabase.url, taskQueue);
  await send();
  await until(async () => (await attemptsOf(id)).length === 1, 'the attempt was not begun');
  await first.kill();
  t.deepEqual(await attemptsOf(id), [{ attempt: 1, isSent: false, statusCode: null }]);
  slow.reconnect();

  const second = await startWorkerProcess(testDatabase.url, taskQueue);
  t.teardown(second.kill);
  await until(async () => (await eventStatus(id)) === 'delivered', 'the event was lost');
  t.deepEqual(await attemptsOf(id), [{ attempt: 1, isSent: true, statusCode: 200 }]);
  t.deepEqual(
    receiver.requests.map(({ headers }) => headers['x-service-attempt']),
    ['1'],
  );
});

function attemptsOf(id: ShipmentId) {
  return select(
    database,
    `select attempt, sent_at is not null as "isSent", status_code as "statusCode"
     from webhook_attempts a join webhook_events e on e.id = a.webhook_event_id
     where e.shipment_id = $1 order by attempt`,
    [id],
  );
}
