import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import pg from 'pg';
import {
  connectDatabase,
  execute,
  inTransaction,
  isDatabaseUnavailable,
  select,
  selectOne,
  sqlStateOf,
} from '../../store/connection.ts';
import { migrate } from '../../store/migrate.ts';
import { makeTestDatabase } from '../harness/database.ts';

const testDatabase = await makeTestDatabase();
const database = connectDatabase(testDatabase.url, { poolSize: 4, applicationName: 'test' });
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Holds locks by a statement, from a connection that has no timeouts. */
async function hold(sql: string) {
  const holder = new pg.Client({ connectionString: testDatabase.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query(sql);
  return {
    release: async () => {
      await holder.query('rollback');
      await holder.end();
    },
  };
}

test('every connection of the pool has both timeouts', async (t) => {
  const settings = await Promise.all(
    Array.from({ length: database.poolSize }, () =>
      selectOne(
        database,
        `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement from pg_sleep(0.1)`,
      ),
    ),
  );
  t.deepEqual(
    settings,
    settings.map(() => ({ lock: '2s', statement: '10s' })),
  );
});

test('a statement that waits for a lock fails as unavailable, and its connection stays usable', async (t) => {
  const one = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test' });
  t.teardown(() => one.close());
  await execute(database, 'create table held (id int primary key)');
  await execute(database, 'insert into held values (1)');
  const holder = await hold('select from held where id = 1 for update');
  const update = (executor: typeof one) => execute(executor, 'update held set id = 2 where id = $1', [1]);
  const error = await t.throwsAsync(update(one));
  t.is(sqlStateOf(error), '55P03');
  t.true(isDatabaseUnavailable(error));
  const inside = await t.throwsAsync(
    inTransaction(one, (transaction) => execute(transaction, 'delete from held where id = $1', [1])),
  );
  t.is(sqlStateOf(inside), '55P03');
  await holder.release();
  await update(one);
  t.deepEqual(await select(one, 'select id from held'), [{ id: 2 }]);
});

test('a statement that runs too long is cancelled as unavailable; its connection stays usable', async (t) => {
  const one = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test-cancelled' });
  t.teardown(() => one.close());
  const error = await t.throwsAsync(select(one, 'select pg_sleep(60)'));
  t.is(sqlStateOf(error), '57014');
  t.true(isDatabaseUnavailable(error));
  t.deepEqual(await select(one, 'select 1 as one'), [{ one: 1 }]);
});

test('a migration of a table that stays in use fails and leaves nothing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await execute(database, 'create table in_use (id int)');
  await writeFile(
    join(folder, '9999-in-use.sql'),
    'create table not_kept (id int); alter table in_use add column other int;',
  );
  const reader = await hold('select from in_use');
  const error = await t.throwsAsync(migrate(testDatabase.url, folder));
  t.regex(error.message, /lock timeout/);
  await reader.release();
  t.is(
    (await selectOne<{ kept: string | null }>(database, `select to_regclass('not_kept') as kept`))?.kept,
    null,
  );
  t.deepEqual(await migrate(testDatabase.url, folder), ['9999-in-use.sql']);
});
