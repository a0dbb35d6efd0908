import test from 'ava';
import type { ExecutionContext } from 'ava';
import { randomUUID } from 'node:crypto';
import { SHIPMENT_STATUSES } from '../../domain/enumerations.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Database } from '../../store/connection.ts';
import { connectDatabase, execute, inTransaction, select } from '../../store/connection.ts';
import { aggregateShipmentTotals } from '../../store/shipments/shipment-totals.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { makeOrganization } from '../harness/make.ts';
import { maintainedTotal } from './shipments.ts';

const testDatabase = await makeTestDatabase();
const database = connectDatabase(testDatabase.url, { poolSize: 12, applicationName: 'test' });
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Inserts shipments in a status by one statement; resolves to their ids. */
async function insertShipments(
  executor: Parameters<typeof execute>[0],
  organizationId: OrganizationId,
  status: string,
  count: number,
): Promise<string[]> {
  const rows = await select<{ id: string }>(
    executor,
    `with reserved as (insert into tracking_numbers (tracking_number)
         select $4::text || n from generate_series(1, $3::int) n returning tracking_number)
     insert into shipments (id, organization_id, tracking_number, source, status, priority, package_size, currency,
       cod_amount_cents, delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown, fee_payer, recipient)
     select gen_random_uuid(), $1, tracking_number, 'import', $2, 'normal', 'medium', 'EUR', 0, 0, 0, '[]', 'recipient', '{}'
     from reserved returning id`,
    [organizationId, status, count, `${randomUUID()}-`],
  );
  return rows.map(({ id }) => id);
}

async function assertTotalsAreCounts(t: ExecutionContext, organizationId: OrganizationId): Promise<void> {
  const counts = await select<{ status: string; total: number }>(
    database,
    'select status, count(*) as total from shipments where organization_id = $1 and deleted_at is null group by status',
    [organizationId],
  );
  const countOf = new Map(counts.map(({ status, total }) => [status, total]));
  for (const status of SHIPMENT_STATUSES)
    t.is(await maintainedTotal(database, organizationId, status), countOf.get(status) ?? 0, status);
  t.is(
    await maintainedTotal(database, organizationId, null),
    counts.reduce((sum, { total }) => sum + total, 0),
  );
}

/** Folds until nothing waits. */
async function foldAll(on: Database): Promise<void> {
  while ((await aggregateShipmentTotals(on)) > 0);
}

test('totals equal counts after inserts, moves, deletions and other edits, aggregated or not', async (t) => {
  const { id } = await makeOrganization({ database });
  const [first = '', second = '', third = ''] = await insertShipments(database, id, 'pending', 7);
  await insertShipments(database, id, 'pending_approval', 3);
  await execute(database, `update shipments set status = 'in_transit' where id = $1`, [first]);
  await execute(database, 'update shipments set deleted_at = clock_timestamp() where id = $1', [second]);
  await execute(database, 'delete from shipments where id = $1', [third]);
  await execute(
    database,
    `update shipments set notes = 'edited', version = version + 1 where organization_id = $1`,
    [id],
  );
  await assertTotalsAreCounts(t, id);
  t.is(await maintainedTotal(database, id, null), 8);
  await foldAll(database);
  await assertTotalsAreCounts(t, id);
  // A withdrawn shipment that moves or comes back, and a move after the fold.
  await execute(database, `update shipments set status = 'cancelled' where id = $1`, [second]);
  await assertTotalsAreCounts(t, id);
  await execute(database, 'update shipments set deleted_at = null where id = $1', [second]);
  await execute(database, `update shipments set status = 'delivered' where id = $1`, [first]);
  await assertTotalsAreCounts(t, id);
  t.is(await maintainedTotal(database, id, null), 9);
});

test('what is rolled back is not counted, and other organizations are not touched', async (t) => {
  const { id } = await makeOrganization({ database });
  const { id: other } = await makeOrganization({ database });
  await insertShipments(database, other, 'pending', 2);
  await t.throwsAsync(
    inTransaction(database, async (transaction) => {
      await insertShipments(transaction, id, 'pending', 5);
      throw new Error('given up');
    }),
    { message: 'given up' },
  );
  t.is(await maintainedTotal(database, id, null), 0);
  t.is(await maintainedTotal(database, other, null), 2);
});

test('totals equal counts at every moment of writes and folds that run at the same time', async (t) => {
  const { id } = await makeOrganization({ database });
  const ids = await insertShipments(database, id, 'pending', 40);
  let isWriting = true;
  const move = async (own: readonly string[]): Promise<void> => {
    for (const status of ['pickup_in_progress', 'picked_up', 'in_transit', 'delivered'])
      for (const shipment of own)
        await execute(database, 'update shipments set status = $2 where id = $1', [shipment, status]);
  };
  const keepAggregating = async (): Promise<void> => {
    while (isWriting) await aggregateShipmentTotals(database);
  };
  const seen: number[] = [];
  const keepReading = async (): Promise<void> => {
    while (isWriting) seen.push(await maintainedTotal(database, id, null));
  };
  const background = Promise.all([keepAggregating(), keepAggregating(), keepReading()]);
  await Promise.all([0, 10, 20, 30].map((start) => move(ids.slice(start, start + 10))));
  isWriting = false;
  await background;
  // Moves between statuses never show in the total of all, folded or not.
  t.true(seen.length > 0);
  t.deepEqual([...new Set(seen)], [40]);
  await assertTotalsAreCounts(t, id);
  await foldAll(database);
  await assertTotalsAreCounts(t, id);
  t.is(await maintainedTotal(database, id, 'delivered'), 40);
});
