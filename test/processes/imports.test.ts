import test from 'ava';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { execute, selectOne } from '../../store/connection.ts';
import { failAbandonedImportsAcrossTenants } from '../../store/shipments/import-records.ts';
import { GOOD, workbook } from '../api/shipments/import/uploads.ts';
import { makeTeam } from '../harness/make.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';

/** An API process that ends while it imports; the service gives the database and its rows. */
const service = useService({ withWorkers: false });

const ROWS = 150;

/** Starts an API and an import whose rows wait for a lock; `release` lets them be written. */
async function startHeldImport(t: ExecutionContext) {
  const { config } = service;
  const api = await startServiceProcess('api', {
    DATABASE_URL: config.databaseUrl,
    TASK_QUEUE: config.taskQueue,
    JWT_SECRET: config.jwtSecret,
  });
  t.teardown(api.kill);
  const { organization, token } = await makeTeam(service);
  const form = new FormData();
  const file = await workbook(Array.from({ length: ROWS }, () => GOOD));
  form.append('file', new Blob([new Uint8Array(file)]), 'monday.xlsx');
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  // Nothing else of this file makes shipments.
  await holder.query('lock table tracking_numbers in share mode');
  const leaving = new AbortController();
  const sending = fetch(`${api.baseUrl}/api/v1/shipments/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
    signal: leaving.signal,
  }).catch(() => undefined);
  await until(
    async () => (await stateOf(organization.id))?.status === 'creating',
    'the import did not begin',
  );
  const release = async () => {
    await holder.query('rollback');
    await holder.end();
  };
  return { api, organizationId: organization.id, sending, leave: () => leaving.abort(), release };
}

/** What an organization's import and its shipments are. */
function stateOf(organizationId: string) {
  return selectOne<{ status: string; created: number; shipments: number }>(
    service.database,
    `select status, created_rows as created, (select count(*) from shipments where organization_id = $1) as shipments
     from imports where organization_id = $1`,
    [organizationId],
  );
}

test.serial('an API that is killed during an import leaves no shipment, and a failed record', async (t) => {
  const { api, organizationId, release, sending } = await startHeldImport(t);
  await api.kill();
  t.is(await sending, undefined);
  await release();
  const silent = `update imports set alive_until = clock_timestamp() where organization_id = $1`;
  await execute(service.database, silent, [organizationId]);
  await failAbandonedImportsAcrossTenants(service.database);
  t.deepEqual(await stateOf(organizationId), { status: 'failed', created: 0, shipments: 0 });
});

test.serial('an API that is stopped completes an import whose caller has gone', async (t) => {
  const { api, organizationId, leave, release, sending } = await startHeldImport(t);
  leave();
  t.is(await sending, undefined);
  api.signal('SIGTERM');
  await until(() => api.output().includes('api stopping'), 'it does not stop');
  await release();
  t.is(await api.exited, 0);
  t.deepEqual(await stateOf(organizationId), { status: 'done', created: ROWS, shipments: ROWS });
});
