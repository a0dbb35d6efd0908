import type { Server } from 'node:http';
import test from 'ava';
import { connectDatabase, execute } from '../../store/connection.ts';
import { listenForHealth } from '../../worker/health.ts';
import { createWorkerMetrics } from '../../worker/metrics.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { makeOrganization } from '../harness/make.ts';

const HOST = '127.0.0.1';
const WEBHOOK_URL = 'https://shop.example/hook';

async function textOf(server: Server): Promise<string> {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const answer = await fetch(`http://${HOST}:${address.port}/metrics`);
  return answer.text();
}

test('200 the metrics count the endpoints of all organizations that fail or are slow', async (t) => {
  const testDatabase = await makeTestDatabase();
  const database = connectDatabase(testDatabase.url, { poolSize: 2, applicationName: 'test' });
  const metrics = createWorkerMetrics(database);
  const server = await listenForHealth({ host: HOST, port: 0 }, () => Promise.resolve([]), metrics);
  t.teardown(async () => {
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
  const text = await textOf(server);
  t.regex(text, /^webhook_endpoints\{state="failing"[^}]*\} 2$/m);
  t.regex(text, /^webhook_endpoints\{state="slow"[^}]*\} 1$/m);
});
