import test from 'ava';
import { randomUUID } from 'node:crypto';
import { toId } from '../../domain/ids.ts';
import { API_PREFIX } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import { beginImport, finishImport } from '../../store/shipments/import-records.ts';
import { tenant } from '../../store/tenant.ts';
import { openHttp } from '../harness/http.ts';
import { at, fieldsOf, listAt, textAt } from '../harness/json.ts';
import { makeTeamWithDriver, shipmentBodyWith } from '../harness/make.ts';
import { expectStatus, move } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import { send } from '../harness/request.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';
import { previousRelease } from './previous-release.ts';

/** Today's schema and today's API; the workers are the previous release's. */
const service = useService({ withWorkers: false });

const MOVES = ['assign', 'start_delivery'];

test('the previous release works on the schema of today, next to the API of today', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const team = await makeTeamWithDriver(service, 'ROLE_ORG_ADMIN', { webhookUrl: receiver.url });
  const folder = await previousRelease();
  const { config } = service;
  const settings = {
    DATABASE_URL: config.databaseUrl,
    TASK_QUEUE: config.taskQueue,
    JWT_SECRET: config.jwtSecret,
  };
  const [api, worker] = await Promise.all([
    startServiceProcess('api', { ...settings, COMMAND_WAIT_MS: '60000' }, { folder }),
    startServiceProcess('worker', { ...settings, LOG_LEVEL: 'info' }, { folder }),
  ]);
  t.teardown(() => Promise.all([api.kill(), worker.kill()]));
  const previous = openHttp(api.baseUrl);
  t.teardown(previous.close);
  const { user, token, organization, driver } = team;

  const signIn = { email: user.email, password: user.password };
  expectStatus(await previous.send('POST', '/login_check', { body: signIn }), 200);
  const body = shipmentBodyWith();
  const made = expectStatus(await previous.send('POST', '/shipments', { token, body }), 201).body;
  const delivery = textAt(made, 'tasks.0.@id');
  for (const transition of MOVES) {
    const fields = transition === 'assign' ? { driver: `/api/v1/drivers/${driver}` } : {};
    const answer = await previous.send('POST', `${delivery}/transition`, {
      token,
      body: { transition, ...fields },
    });
    expectStatus(answer, 200);
  }
  const key = organization.apiKey;
  const headers = { 'idempotency-key': randomUUID() };
  const external = shipmentBodyWith({ externalReference: 'order-1' });
  const accepted = await previous.send('POST', '/external/shipments', { key, headers, body: external });
  t.is(accepted.status, 202, JSON.stringify(accepted.body));
  const entrypoint = expectStatus(await previous.send('GET', '/', { token }), 200).body;
  const collections = Object.values(fieldsOf(entrypoint))
    .map(String)
    .filter((path) => path.startsWith(`${API_PREFIX}/`));
  t.true(collections.length >= 9, String(collections));
  for (const collection of collections) {
    const answer = await previous.send('GET', collection, { token });
    t.is(answer.status, 200, `${collection}: ${JSON.stringify(answer.body)}`);
  }
  const board = expectStatus(await previous.send('GET', '/board', { token }), 200).body;
  t.true(listAt(board, 'tasks').some((task) => at(task, '@id') === delivery));

  // What one release has written, the other reads and goes on with.
  const shipment = expectStatus(await send(service, 'GET', textAt(made, '@id'), { token }), 200).body;
  t.is(at(shipment, 'status'), 'in_transit');
  await move(service, token, delivery, 'deliver');
  const seen = expectStatus(await previous.send('GET', textAt(made, '@id'), { token }), 200).body;
  t.is(at(seen, 'status'), 'delivered');
  const imported = toId<'import'>(randomUUID());
  const scope = tenant(service.database, organization.id);
  await beginImport(scope, { id: imported, userId: user.id, merchantId: null, fileName: 'day.xlsx' });
  const warnings = [say('hidden_rows', { rows: '4' })];
  await finishImport(scope, imported, { createdRows: 1, failed: [], warnings });
  const record = expectStatus(await previous.send('GET', `/imports/${imported}`, { token }), 200).body;
  t.deepEqual(
    at(record, 'warnings'),
    warnings.map(({ message }) => message),
  );
  await receiver.waitForRequests(MOVES.length + 1);
  await until(async () => {
    const { body: found } = await previous.send('GET', '/webhook-deliveries?status=delivered', { token });
    return at(found, 'totalItems') === MOVES.length + 1;
  }, 'the deliveries were never recorded');
});
