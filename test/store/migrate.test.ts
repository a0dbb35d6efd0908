import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { connectDatabase, execute } from '../../store/connection.ts';
import { DatabaseTooOld, migrate } from '../../store/migrate.ts';
import { makeTestDatabase } from '../harness/database.ts';

test('a current database has nothing to apply, whatever a newer version has added', async (t) => {
  const testDatabase = await makeTestDatabase();
  t.teardown(() => testDatabase.drop());
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(join(folder, '9000-newer.sql'), 'create table newer (id int)');
  t.deepEqual(await migrate(testDatabase.url, folder), ['9000-newer.sql']);
  t.deepEqual(await migrate(testDatabase.url), []);
});

test('a database of before the first release is rejected with what to do, and left as it is', async (t) => {
  const testDatabase = await makeTestDatabase();
  t.teardown(() => testDatabase.drop());
  const database = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test' });
  await execute(database, `update migrations set name = '0002-network.sql' where name = '0002-fleet.sql'`);
  await execute(database, `delete from migrations where name = '0001-accounts.sql'`);
  await database.close();
  await t.throwsAsync(migrate(testDatabase.url), { instanceOf: DatabaseTooOld, message: /npm run reset/ });
});

for (const [what, change] of [
  [
    'whose migration has changed since',
    `update migrations set digest = 'other' where name = '0005-webhooks.sql'`,
  ],
  ['of before migrations had digests', 'alter table migrations drop column digest'],
] as const) {
  test(`a database ${what} is rejected with what to do`, async (t) => {
    const testDatabase = await makeTestDatabase();
    t.teardown(() => testDatabase.drop());
    const database = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test' });
    await execute(database, change);
    await database.close();
    await t.throwsAsync(migrate(testDatabase.url), { instanceOf: DatabaseTooOld, message: /npm run reset/ });
  });
}
