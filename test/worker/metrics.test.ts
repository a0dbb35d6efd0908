import test from 'ava';
import { startMetrics } from '../../platform/metrics/metrics-exporter.ts';
import { backlogSource } from '../../store/backlog.ts';
import { connectDatabase, execute } from '../../store/connection.ts';
import { listenForHealth } from '../../worker/health.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { makeOrganization } from '../harness/make.ts';
import { readMetrics } from '../harness/metrics.ts';

const HOST = '127.0.0.1';
const WEBHOOK_URL = 'https://shop.example/hook';

test('200 the metrics count the endpoints of all organizations that fail or are slow', async (t) => {
  const testDatabase = await makeTestDatabase();
  const database = connectDatabase(testDatabase.url, { poolSize: 2, applicationName: 'test' });
  const metrics = startMetrics('worker', [backlogSource(database)]);
  const server = await listenForHealth({ host: HOST, port: 0 }, () => Promise.resolve([]), metrics.answer);
  t.teardown(async () => {
    metrics.stop();
    server.close();
    await database.close();
    await testDatabase.drop();
  });
  for (const [failing, slow] of [
    ['2 hours', '1 minute'],
    ['2 hours', null],
    ['5 minutes', null],
  ]) {
    const { id } = await makeOrganization({ database }, { webhookUrl: WEBHOOK_URL });
    await execute(
      database,
      `insert into webhook_endpoints (organization_id, url, failing_since, slow_since)
       values ($1, $2, clock_timestamp() - $3::interval, clock_timestamp() - $4::interval)`,
      [id, WEBHOOK_URL, failing, slow],
    );
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const read = await readMetrics(`http://${HOST}:${address.port}/metrics`);
  t.is(read.value('webhook_endpoints', { state: 'failing' }), 2);
  t.is(read.value('webhook_endpoints', { state: 'slow' }), 1);
  t.is(read.value('dependency_up', { dependency: 'postgresql' }), 1);
  t.is(read.value('database_connections_limit'), 2);
});
