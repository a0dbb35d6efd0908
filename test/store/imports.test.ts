import test from 'ava';
import type { OrganizationId } from '../../domain/ids.ts';
import { connectDatabase, execute, select, sqlStateOf } from '../../store/connection.ts';
import { createImported } from '../../store/shipments/imports.ts';
import { newId } from '../../store/new-id.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { makeOrganization } from '../harness/make.ts';
import { makeStoredShipment, shipmentRequest } from './shipments.ts';

const testDatabase = await makeTestDatabase();
const database = connectDatabase(testDatabase.url, { poolSize: 4, applicationName: 'test' });
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

function rows(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    row: from + index,
    shipment: {
      id: newId<'shipment'>(),
      trackingNumber: null,
      source: 'import' as const,
      status: 'pending' as const,
      request: shipmentRequest({ externalReference: `row ${from + index}` }),
    },
  }));
}

type Part = ReturnType<typeof rows>;

async function* inParts(parts: readonly Part[], fault?: Error): AsyncGenerator<Part> {
  yield* parts;
  if (fault !== undefined) throw fault;
  await Promise.resolve();
}

function stored(organizationId: OrganizationId) {
  return select<{ reference: string; tasks: number; entries: number }>(
    database,
    `select external_reference as reference, (select count(*)::int from tasks t where t.shipment_id = s.id) as tasks,
       (select count(*)::int from timeline_entries e where e.shipment_id = s.id) as entries
     from shipments s where organization_id = $1`,
    [organizationId],
  );
}

test('the parts of an import are all created and reported in the order of their rows', async (t) => {
  const { id } = await makeOrganization({ database });
  const parts = [rows(2, 4), rows(6, 6), rows(9, 11)];
  const made = await createImported(database, id, inParts(parts));
  t.deepEqual(
    made.map(({ row }) => row),
    [2, 3, 4, 6, 9, 10, 11],
  );
  t.is(new Set(made.map(({ trackingNumber }) => trackingNumber)).size, 7);
  const found = await stored(id);
  t.deepEqual(found.map(({ reference }) => reference).sort(), made.map(({ row }) => `row ${row}`).sort());
  t.true(found.every(({ tasks, entries }) => tasks > 0 && entries === 1));
});

test('workflows of an import become due for the reconciler one after another, across its parts', async (t) => {
  const { id } = await makeOrganization({ database });
  const made = await createImported(database, id, inParts([rows(2, 4), rows(5, 6)]));
  const due = await select<{ id: string; afterMs: number }>(
    database,
    `select id, (extract(epoch from reconcile_after - min(reconcile_after) over ()) * 1000)::int as "afterMs"
     from shipments where organization_id = $1`,
    [id],
  );
  const afterMs = new Map(due.map((row) => [row.id, row.afterMs]));
  t.deepEqual(
    made.map((row) => afterMs.get(row.id)),
    [0, 40, 80, 120, 160],
  );
});

test('an import whose rows end in an error leaves nothing of the parts before', async (t) => {
  const { id } = await makeOrganization({ database });
  const fault = new Error('the process was killed');
  await t.throwsAsync(createImported(database, id, inParts([rows(2, 4), rows(5, 7)], fault)), {
    is: fault,
  });
  t.deepEqual(await stored(id), []);
});

test('a repeated import finds the shipments that it created', async (t) => {
  const { id } = await makeOrganization({ database });
  const parts = [rows(2, 3), rows(4, 5)];
  const first = await createImported(database, id, inParts(parts));
  t.deepEqual(await createImported(database, id, inParts(parts)), first);
  t.is((await stored(id)).length, 4);
});

test('an import without a good row makes nothing', async (t) => {
  const { id } = await makeOrganization({ database });
  t.deepEqual(await createImported(database, id, inParts([])), []);
});

test('nothing can be stored under a shipment of another organization', async (t) => {
  const own = await makeOrganization({ database });
  const other = await makeOrganization({ database });
  const shipmentId = await makeStoredShipment(database, own.id);
  for (const table of ['tasks', 'timeline_entries']) {
    const error = await t.throwsAsync(
      execute(database, `update ${table} set organization_id = $1 where shipment_id = $2`, [
        other.id,
        shipmentId,
      ]),
    );
    t.is(sqlStateOf(error), '23503', table);
  }
});
