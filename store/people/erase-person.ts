import type { ShipmentId } from '../../domain/ids.ts';
import type { Person, PersonalTableName } from '../../domain/personal-data.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import type { FoundPerson } from './find-person.ts';
import { findPerson, placeKeysOf, shipmentObstacle } from './find-person.ts';
import type { PersonRows } from './person-rows.ts';
import { conditionsOf, tablesOf } from './person-rows.ts';
import type { PersonName, PersonScope } from './person-scope.ts';
import { emptyScope, peopleOf, SCOPE_SQL, scopeValues } from './person-scope.ts';

/** How many rows of each table. */
export type RowCounts = ReadonlyMap<PersonalTableName, number>;

/** Counts what is kept of a person, rows that an erasure leaves too. */
export async function countPerson(executor: Executor, { name, scope }: FoundPerson): Promise<RowCounts> {
  const counts = new Map<PersonalTableName, number>();
  const isLeft = ({ where, left }: PersonRows) => (left === undefined ? where : `(${where}) and (${left})`);
  for (const [table, condition] of conditionsOf(peopleOf(name), isLeft)) {
    const row = await selectOne<{ count: number }>(
      executor,
      `with ${SCOPE_SQL} select count(*)::int as count from ${table} t, p where ${condition}`,
      scopeValues(scope),
    );
    counts.set(table, row?.count ?? 0);
  }
  return counts;
}

/**
 * Erases a person from every table of domain/personal-data.ts (decision 0045). A recipient is erased shipment by shipment, each in a
 * transaction of its own; what is many is worked off in batches. Where it ends in between, the same call does the rest. Throws an
 * Error with a sentence where something needs the person again meanwhile. `onBatch` runs in each transaction.
 */
export async function erasePerson(
  database: Database,
  { name, scope }: FoundPerson,
  onBatch: (transaction: Executor, counts: RowCounts) => Promise<void>,
): Promise<RowCounts> {
  const total = new Map<PersonalTableName, number>();
  const inBatch = async (work: (transaction: Executor) => Promise<RowCounts>) => {
    const counts = await inTransaction(database, async (transaction) => {
      const made = await work(transaction);
      await onBatch(transaction, made);
      return made;
    });
    for (const [table, count] of counts) add(total, table, count);
    return [...counts.values()].some((count) => count > 0);
  };
  for (const id of scope.shipmentIds) {
    await inBatch((transaction) => eraseShipment(transaction, scope, id));
  }
  const rest = { ...scope, shipmentIds: [], placeKeys: [] };
  for (const person of peopleOf(name)) {
    for (const [table, rows] of tablesOf(person)) {
      if (rows.left !== undefined) {
        while (await inBatch((transaction) => eraseBatch(transaction, table, rows, rest)));
      }
    }
  }
  // Last, since the other rows are found by what these say.
  await inBatch(async (transaction) => {
    await requireUnneeded(transaction, scope, name);
    return eraseDirectly(transaction, peopleOf(name), rest);
  });
  return total;
}

/** Throws where a driver or a user was needed again meanwhile: no task is given to a driver whose row is locked. */
async function requireUnneeded(
  transaction: Executor,
  { organizationId, driverIds, userId }: PersonScope,
  name: PersonName,
): Promise<void> {
  if (driverIds.length === 0 && userId === null) return;
  await execute(transaction, 'select from drivers where id = any($1::uuid[]) order by id for update', [
    [...driverIds],
  ]);
  await execute(
    transaction,
    `select from users where organization_id = $1 and (id = $2 or role = 'ROLE_ORG_ADMIN') order by id for update`,
    [organizationId, userId],
  );
  const obstacle = (await findPerson(transaction, organizationId, name))?.obstacles[0];
  if (obstacle !== undefined) throw new Error(obstacle);
}

async function eraseShipment(transaction: Executor, scope: PersonScope, id: ShipmentId): Promise<RowCounts> {
  await execute(transaction, 'select from shipments where id = $1 for update', [id]);
  // None is replayed from here on.
  await execute(transaction, 'select from webhook_events where shipment_id = $1 order by id for update', [
    id,
  ]);
  const obstacle = await shipmentObstacle(transaction, id);
  if (obstacle !== undefined) throw new Error(obstacle);
  const { organizationId } = scope;
  const placeKeys = await placeKeysOf(transaction, organizationId, [id]);
  return eraseDirectly(transaction, ['recipient'], {
    ...emptyScope(organizationId),
    shipmentIds: [id],
    placeKeys,
    marks: [id],
  });
}

/** Erases what is few, or belongs to one shipment. */
async function eraseDirectly(
  transaction: Executor,
  people: readonly Person[],
  scope: PersonScope,
): Promise<RowCounts> {
  const counts = new Map<PersonalTableName, number>();
  for (const person of people) {
    for (const [table, rows] of tablesOf(person)) {
      if (rows.left === undefined)
        add(counts, table, await erase(transaction, table, rows, scope, rows.where));
    }
  }
  return counts;
}

const BATCH_ROWS = 5_000;

async function eraseBatch(
  transaction: Executor,
  table: PersonalTableName,
  rows: PersonRows,
  scope: PersonScope,
): Promise<RowCounts> {
  const { where, left = 'true' } = rows;
  const chosen = `t.ctid = any (array(select t.ctid from ${table} t, p where (${where}) and (${left}) limit ${BATCH_ROWS}))
    and (${left})`;
  return new Map([[table, await erase(transaction, table, rows, scope, chosen)]]);
}

async function erase(
  transaction: Executor,
  table: PersonalTableName,
  { set }: PersonRows,
  scope: PersonScope,
  where: string,
): Promise<number> {
  if (set === 'stays') return 0;
  const sql =
    set === undefined
      ? `delete from ${table} t using p where ${where}`
      : `update ${table} t set ${Object.entries(set)
          .map(([column, value]) => `${column} = ${value}`)
          .join(', ')} from p where ${where}`;
  const changed = await select(
    transaction,
    `with ${SCOPE_SQL} ${sql} returning 1 as one`,
    scopeValues(scope),
  );
  return changed.length;
}

function add(counts: Map<PersonalTableName, number>, table: PersonalTableName, count: number): void {
  counts.set(table, (counts.get(table) ?? 0) + count);
}
