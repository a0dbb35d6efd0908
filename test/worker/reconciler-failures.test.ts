import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { OrganizationId } from '../../domain/ids.ts';
import type { WorkflowSubject } from '../../domain/shipment.ts';
import { connectDatabase, execute, selectOne } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { reconcileOnce } from '../../worker/reconciler.ts';
import type { ShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { makeOrganization } from '../harness/make.ts';
import { makeCommand, makeStoredShipment } from '../store/shipments.ts';
import { makeAllDue } from './stale-rows.ts';

/** What one pass does when calls to Temporal fail; each test has a database of its own, and no Temporal. */

async function openDatabase(t: ExecutionContext): Promise<Database> {
  const testDatabase = await makeTestDatabase();
  const database = connectDatabase(testDatabase.url, { poolSize: 10, applicationName: 'test' });
  t.teardown(async () => {
    await database.close();
    await testDatabase.drop();
  });
  return database;
}

/** A shipment with a stored command that no workflow was signalled of. */
async function makeStale(database: Database, organizationId?: OrganizationId) {
  const owner = organizationId ?? (await makeOrganization({ database })).id;
  const id = await makeStoredShipment(database, owner);
  return { id, commandId: await makeCommand(database, owner, id, { kind: 'delete' }) };
}

const nothing = () => Promise.resolve();

/** Signals that reject for the shipments that `fails` names, for a reason of their own. */
function failing(fails: (id: string) => boolean): ShipmentWorkflowClient {
  return {
    start: nothing,
    startDelivery: nothing,
    resumeDelivery: () => Promise.resolve(false),
    checkConnection: nothing,
    signal: nothing,
    wake: ({ id }: WorkflowSubject) =>
      fails(id) ? Promise.reject(new Error('never')) : Promise.resolve(false),
    resumeSending: () => Promise.resolve(false),
  };
}

/** A Temporal that does not answer the call by which a pass begins. */
const LOST = {
  ...failing(() => true),
  checkConnection: () => Promise.reject(new Error('unreachable')),
};

test('a row that always fails is due again after a back-off that doubles, with jitter', async (t) => {
  const database = await openDatabase(t);
  const { commandId } = await makeStale(database);
  const waits: number[] = [];
  for (let pass = 0; pass < 4; pass += 1) {
    await makeAllDue(database);
    await reconcileOnce({ database, workflows: failing(() => true) });
    const row = await selectOne<{ seconds: number }>(
      database,
      'select extract(epoch from reconcile_after - clock_timestamp())::float8 as seconds from commands where id = $1',
      [commandId],
    );
    waits.push(row?.seconds ?? 0);
  }
  // 5, 10, 20 and 40 seconds, each by a factor from 0.75 to 1.25, less the time of the pass.
  [5, 10, 20, 40].forEach((seconds, index) => {
    const waited = waits[index] ?? 0;
    t.true(waited <= seconds * 1.25 && waited > seconds * 0.5, `${waited} s instead of about ${seconds} s`);
  });
});

test('a command is left alone while it is young', async (t) => {
  const database = await openDatabase(t);
  await makeStale(database);
  t.is((await reconcileOnce({ database, workflows: failing(() => true) })).commands, 0);
});

test('late deadlines are recorded while Temporal is unreachable, each once and as due', async (t) => {
  const database = await openDatabase(t);
  const { id: organizationId } = await makeOrganization({ database });
  const ids = await Promise.all(
    Array.from({ length: 6 }, () => makeStoredShipment(database, organizationId)),
  );
  await execute(
    database,
    `update shipments set delivery_deadline = date_trunc('milliseconds', clock_timestamp() - interval '11 seconds'),
       reconcile_after = clock_timestamp() - interval '11 seconds'`,
  );
  for (let pass = 0; pass < 2; pass += 1) {
    await t.throwsAsync(reconcileOnce({ database, workflows: LOST }), { message: 'unreachable' });
  }
  const rows = await selectOne<{ recorded: number; asDue: number }>(
    database,
    `select count(*)::int as recorded, count(*) filter (where e.occurred_at = s.delivery_deadline)::int as "asDue"
     from timeline_entries e join shipments s on s.id = e.shipment_id where e.kind = 'deadline_missed'`,
  );
  t.deepEqual(rows, { recorded: ids.length, asDue: ids.length });
});

test('one shipment that always fails keeps no other waiting', async (t) => {
  const database = await openDatabase(t);
  const stale = await Promise.all(Array.from({ length: 20 }, () => makeStale(database)));
  const [poison] = stale;
  const signalled = new Set<string>();
  const workflows = failing((id) => {
    signalled.add(id);
    return id === poison?.id;
  });
  await makeAllDue(database);
  const pass = await reconcileOnce({ database, workflows });
  t.is(pass.failed, 1);
  t.deepEqual(
    stale.filter(({ id }) => !signalled.has(id)),
    [],
  );
});

test('an organization with a large backlog does not delay the others', async (t) => {
  const database = await openDatabase(t);
  const { id: large } = await makeOrganization({ database });
  for (let made = 0; made < 30; made += 1) await makeStale(database, large);
  await makeAllDue(database);
  const small = await makeStale(database);
  await execute(
    database,
    `update commands set reconcile_after = clock_timestamp() - interval '1 ms' where shipment_id = $1`,
    [small.id],
  );
  const order: string[] = [];
  const workflows = failing((id) => {
    order.push(id);
    return false;
  });
  await reconcileOnce({ database, workflows });
  t.true(order.indexOf(small.id) < 16, `it came as number ${order.indexOf(small.id) + 1}`);
});

test('a pass ends when every call of a group finds Temporal unreachable', async (t) => {
  const database = await openDatabase(t);
  await Promise.all(Array.from({ length: 20 }, () => makeStale(database)));
  await makeAllDue(database);
  let calls = 0;
  const wake = () => {
    calls += 1;
    return Promise.reject(Object.assign(new Error('unreachable'), { code: 14 }));
  };
  const workflows = { ...failing(() => true), wake };
  await t.throwsAsync(reconcileOnce({ database, workflows }), { message: 'unreachable' });
  t.is(calls, 8);
});

test('nothing is claimed while Temporal is unreachable', async (t) => {
  const database = await openDatabase(t);
  const { commandId } = await makeStale(database);
  await makeAllDue(database);
  await t.throwsAsync(reconcileOnce({ database, workflows: LOST }), { message: 'unreachable' });
  const row = await selectOne<{ tries: number }>(
    database,
    'select reconcile_tries as tries from commands where id = $1',
    [commandId],
  );
  t.is(row?.tries, 0);
});
