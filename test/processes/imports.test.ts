import test from 'ava';
import pg from 'pg';
import { execute, selectOne } from '../../store/connection.ts';
import { failAbandonedImportsAcrossTenants } from '../../store/shipments/import-records.ts';
import { GOOD, workbook } from '../api/shipments/import/uploads.ts';
import { makeTeam } from '../harness/make.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';

/** An API process that is killed while it imports; the service gives the database and its rows. */
const service = useService({ withWorkers: false });

/** What an organization's import and its shipments are. */
function stateOf(organizationId: string) {
  return selectOne<{ status: string; created: number; shipments: number }>(
    service.database,
    `select status, created_rows as created, (select count(*) from shipments where organization_id = $1) as shipments
     from imports where organization_id = $1`,
    [organizationId],
  );
}

test('an API that is killed during an import leaves no shipment, and a failed record', async (t) => {
  const { config, database } = service;
  const api = await startServiceProcess('api', {
    DATABASE_URL: config.databaseUrl,
    TASK_QUEUE: config.taskQueue,
    JWT_SECRET: config.jwtSecret,
  });
  t.teardown(api.kill);
  const { organization, token } = await makeTeam(service);
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  // Rows wait for this lock.
  await holder.query('lock table tracking_numbers in share mode');
  const form = new FormData();
  const file = await workbook(Array.from({ length: 150 }, () => GOOD));
  form.append('file', new Blob([new Uint8Array(file)]), 'monday.xlsx');
  const sending = fetch(`${api.baseUrl}/api/v1/shipments/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  }).catch(() => 'lost');
  await until(
    async () => (await stateOf(organization.id))?.status === 'creating',
    'the import did not begin',
  );
  await api.kill();
  t.is(await sending, 'lost');
  await holder.query('rollback');
  await holder.end();
  const silent = `update imports set alive_until = clock_timestamp() where organization_id = $1`;
  await execute(database, silent, [organization.id]);
  await failAbandonedImportsAcrossTenants(database);
  t.deepEqual(await stateOf(organization.id), { status: 'failed', created: 0, shipments: 0 });
});
