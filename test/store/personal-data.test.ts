import test from 'ava';
import type { PersonalTable } from '../../domain/personal-data.ts';
import {
  IMPERSONAL_TABLES,
  PEOPLE,
  PERSONAL_TABLE_NAMES,
  PERSONAL_TABLES,
  personalColumns,
} from '../../domain/personal-data.ts';
import { connectDatabase, select } from '../../store/connection.ts';
import { PERSON_ROWS } from '../../store/people/person-rows.ts';
import { makeTestDatabase } from '../harness/database.ts';

const testDatabase = await makeTestDatabase();
const database = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test' });
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

/** The columns that may hold words or places, by their table. Ids, moments, numbers and flags name nobody. */
async function columnsByTable(): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await select<{ table: string; columns: string[] }>(
    database,
    `select c.table_name as "table", array_agg(c.column_name::text order by c.column_name) as columns
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and c.udt_name not in ('uuid', 'int2', 'int4', 'int8', 'bool', 'date', 'timestamptz', 'xid8', 'pg_snapshot')
     group by 1 order by 1`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

test('each column that may hold words or places is entered as personal or not', async (t) => {
  const entered = new Map<string, readonly string[]>(Object.entries(IMPERSONAL_TABLES));
  for (const [name, table] of Object.entries<PersonalTable>(PERSONAL_TABLES)) {
    entered.set(name, [...Object.values(table.personal).flat(), ...table.other]);
  }
  const sorted = (tables: ReadonlyMap<string, readonly string[]>) =>
    Object.fromEntries(
      [...tables].map(([name, columns]) => [name, [...new Set(columns)].toSorted()] as const).toSorted(),
    );
  t.deepEqual(sorted(entered), sorted(await columnsByTable()));
});

test('an erasure reaches each personal column of each kind of person', async (t) => {
  const generated = await select<{ column: string }>(
    database,
    `select column_name as "column" from information_schema.columns where is_generated = 'ALWAYS'`,
  );
  const byThemselves = new Set(generated.map(({ column }) => column));
  for (const person of PEOPLE) {
    for (const name of PERSONAL_TABLE_NAMES) {
      const columns = personalColumns(name, person);
      const rows = PERSON_ROWS[person][name];
      t.is(rows === undefined, columns.length === 0, `${person} in ${name}`);
      if (rows?.set === undefined || rows.set === 'stays') continue;
      const { set } = rows;
      t.deepEqual(
        columns.filter((column) => !(column in set) && !byThemselves.has(column)),
        [],
        `${person} in ${name}`,
      );
    }
  }
});
