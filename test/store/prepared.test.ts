import test from 'ava';
import { connectDatabase, select } from '../../store/connection.ts';
import { prepared } from '../../store/prepared.ts';
import { makeTestDatabase } from '../harness/database.ts';

/** One connection, so that what it prepared can be asked for. */
async function oneConnection() {
  const testDatabase = await makeTestDatabase();
  const database = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test' });
  const statements = () =>
    select<{ statement: string; runs: number }>(
      database,
      'select statement, (generic_plans + custom_plans)::int as runs from pg_prepared_statements',
    );
  const close = async () => {
    await database.close();
    await testDatabase.drop();
  };
  return { database, statements, close };
}

test('a marked statement is prepared once for a connection, with other values each time', async (t) => {
  const { database, statements, close } = await oneConnection();
  t.teardown(close);
  const double = prepared('select $1::int * 2 as doubled');
  for (const value of [1, 2, 3])
    t.deepEqual(await select(database, double, [value]), [{ doubled: value * 2 }]);
  const [only, ...others] = await statements();
  t.is(others.length, 0);
  t.is(only?.runs, 3);
  t.true(only?.statement.endsWith('select $1::int * 2 as doubled'));
});

test('statements without the mark leave nothing behind', async (t) => {
  const { database, statements, close } = await oneConnection();
  t.teardown(close);
  t.deepEqual(await select(database, 'select $1::int as same', [7]), [{ same: 7 }]);
  t.deepEqual(await statements(), []);
});

test('a marked statement that fails can be run again', async (t) => {
  const { database, close } = await oneConnection();
  t.teardown(close);
  const divide = prepared('select 10 / $1::int as quotient');
  await t.throwsAsync(select(database, divide, [0]), { message: /division by zero/ });
  t.deepEqual(await select(database, divide, [5]), [{ quotient: 2 }]);
});
