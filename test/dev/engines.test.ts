import test from 'ava';
import { Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { SEARCH_ATTRIBUTES } from '../../dev/engines/temporal-server.ts';
import { testEngines } from '../harness/engines.ts';

const engines = testEngines();

test('PostgreSQL answers in UTF-8 and sorts alike on every platform', async (t) => {
  const client = new pg.Client({ connectionString: engines.postgresAdminUrl });
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query<{ encoding: string; provider: string; limit: string }>(
    `SELECT pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider,
            current_setting('max_connections') AS limit
       FROM pg_database WHERE datname = current_database()`,
  );
  t.deepEqual(rows, [{ encoding: 'UTF8', provider: 'b', limit: '200' }]);
});

test('the Temporal server knows every search attribute', async (t) => {
  const connection = await Connection.connect({ address: engines.temporalAddress });
  t.teardown(() => connection.close());
  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: 'default',
  });
  for (const name of Object.keys(SEARCH_ATTRIBUTES)) t.true(name in customAttributes, name);
});

test('the time-skipping server passes three days in less than the test has seconds', async (t) => {
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: engines.timeSkippingServerPath } },
  });
  t.teardown(() => environment.teardown());
  const before = await environment.currentTimeMs();
  await environment.sleep('3 days');
  t.true((await environment.currentTimeMs()) - before >= 3 * 86_400_000);
});

test('a missing setting is answered with what to do', (t) => {
  t.throws(() => testEngines({}), { message: /npm test -- FILE/ });
});
