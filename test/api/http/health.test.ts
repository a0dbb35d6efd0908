import test from 'ava';
import { execute, selectOne } from '../../../store/connection.ts';
import { at, send } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import { obstacleOfDatabase } from '../../../worker/health.ts';

test('200 of the readiness while Temporal is unreachable', async (t) => {
  const service = await startService({ withWorkers: false, settings: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
  t.teardown(service.stop);
  const ready = await send(service, 'GET', '/health/ready');
  t.is(ready.status, 200);
  t.deepEqual(ready.body, { status: 'ready', database: 'up', droppedLogLines: 0 });
  // Nor is there a security.txt where no contact is set.
  t.is((await fetch(`${service.baseUrl}/.well-known/security.txt`)).status, 404);
});

test('503 of the readiness while a migration is missing', async (t) => {
  const service = await startService({ withWorkers: false });
  t.teardown(service.stop);
  const newest = await selectOne<{ name: string; digest: string }>(
    service.database,
    'select name, digest from migrations order by name desc limit 1',
  );
  await execute(service.database, 'delete from migrations where name = $1', [newest?.name]);
  const answer = await send(service, 'GET', '/health/ready');
  t.is(answer.status, 503);
  t.is(answer.headers.get('retry-after'), '2');
  t.is(at(answer.body, 'database'), 'not migrated');
  const obstacleOfWorker = obstacleOfDatabase(service.database);
  t.is(await obstacleOfWorker(), 'the database is not migrated');
  await execute(service.database, 'insert into migrations (name, digest) values ($1, $2)', [
    newest?.name,
    newest?.digest,
  ]);
  t.is((await send(service, 'GET', '/health/ready')).status, 200);
  t.is(await obstacleOfWorker(), undefined);
});

test('200 of a hundred readiness probes at a time, which share one connection', async (t) => {
  const service = await startService({ withWorkers: false });
  t.teardown(service.stop);
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(service, 'GET', '/health/ready')));
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const connections = await selectOne<{ count: number }>(
    service.database,
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'test-health'`,
  );
  t.is(connections?.count, 1);
});
