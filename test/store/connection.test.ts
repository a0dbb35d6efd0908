import { createServer } from 'node:net';
import test from 'ava';
import {
  connectDatabase,
  execute,
  inTransaction,
  isDatabaseUnavailable,
  select,
  selectOne,
  sqlStateOf,
  violatedUniqueIndex,
} from '../../store/connection.ts';
import type { Executor } from '../../store/connection.ts';
import { makeTestDatabase } from '../harness/database.ts';

const testDatabase = await makeTestDatabase();
test.after.always(() => testDatabase.drop());

function onePool(poolSize = 1) {
  return connectDatabase(testDatabase.url, { poolSize, applicationName: 'test' });
}

test('a connection that the server closed is reported as unavailable once, and replaced', async (t) => {
  const database = onePool();
  const other = onePool();
  t.teardown(async () => {
    await database.close();
    await other.close();
  });
  const own = await selectOne<{ pid: number }>(database, 'select pg_backend_pid() as pid');
  const cut = select(database, 'select pg_sleep(60)');
  await execute(other, 'select pg_terminate_backend($1)', [own?.pid]);
  const error = await t.throwsAsync(cut);
  t.true(isDatabaseUnavailable(error), String(error));
  const next = await selectOne<{ pid: number }>(database, 'select pg_backend_pid() as pid');
  t.not(next?.pid, own?.pid);
});

test('a failed statement reports SQLSTATE and index, and its connection stays usable', async (t) => {
  const database = onePool();
  t.teardown(() => database.close());
  await execute(database, 'create table once (id int constraint once_only primary key)');
  await execute(database, 'insert into once values ($1)', [1]);
  const twice = await t.throwsAsync(execute(database, 'insert into once values ($1)', [1]));
  t.is(sqlStateOf(twice), '23505');
  t.is(violatedUniqueIndex(twice), 'once_only');
  t.false(isDatabaseUnavailable(twice));
  t.deepEqual(await select(database, 'select id from once'), [{ id: 1 }]);
});

test('an error of the database driver does not contain the parameters of its statement', async (t) => {
  const database = onePool();
  t.teardown(() => database.close());
  const error = await t.throwsAsync(select(database, 'select $1::int / 0', [4711]));
  t.false(JSON.stringify(error).includes('4711'));
});

test('a transaction’s writes are visible only to it until it commits, and never when it fails', async (t) => {
  const database = onePool(3);
  t.teardown(() => database.close());
  await execute(database, 'create table seen (id int)');
  const count = async (executor: Executor) =>
    (await selectOne<{ total: number }>(executor, 'select count(*) as total from seen'))?.total;
  await inTransaction(database, async (transaction) => {
    await execute(transaction, 'insert into seen values ($1)', [1]);
    t.is(await count(transaction), 1);
    t.is(await count(database), 0);
  });
  t.is(await count(database), 1);
  await t.throwsAsync(
    inTransaction(database, async (transaction) => {
      await execute(transaction, 'insert into seen values ($1)', [2]);
      throw new Error('no');
    }),
    { message: 'no' },
  );
  t.is(await count(database), 1);
});

test('a transaction that has ended runs nothing more', async (t) => {
  const database = onePool();
  t.teardown(() => database.close());
  const ended = await inTransaction(database, (transaction) => Promise.resolve(transaction));
  await t.throwsAsync(select(ended, 'select 1'), { message: /no longer use it/ });
});

test('a server that ends a connection in the moment it is made ends no process', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // AuthenticationOk, ReadyForQuery and a FATAL ErrorResponse in one chunk, as PostgreSQL does when it is shut down.
    socket.on('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, FATAL])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') return t.fail('the server has no port');
  const database = connectDatabase(`postgres://user@127.0.0.1:${address.port}/none`, {
    poolSize: 1,
    applicationName: 'test',
  });
  t.teardown(async () => {
    await database.close();
    server.close();
  });
  const error = await t.throwsAsync(select(database, 'select 1'));
  t.true(isDatabaseUnavailable(error), String(error));
});

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const FATAL = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0', 'latin1'));
