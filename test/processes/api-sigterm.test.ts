import test from 'ava';
import pg from 'pg';
import { connect } from 'node:net';
import { once } from 'node:events';
import { follow } from '../harness/events.ts';
import { makeTeam, shipmentBodyWith } from '../harness/make.ts';
import { makeShipment } from '../harness/moves.ts';
import { useService } from '../harness/use-service.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import { until } from '../harness/until.ts';
import { keepAliveClient } from './keep-alive-client.ts';
import type { ClientAnswer } from './keep-alive-client.ts';

/** The API as a process that is stopped; the service gives the database and its rows. */
const service = useService({ withWorkers: false });

const CLIENTS = 30;
/** Each client has had answers by then: the load is on. */
const ANSWERS_BEFORE = 10;

async function startApi() {
  const { config } = service;
  const api = await startServiceProcess('api', {
    DATABASE_URL: config.databaseUrl,
    TASK_QUEUE: config.taskQueue,
    JWT_SECRET: config.jwtSecret,
    COMMAND_WAIT_MS: '0',
  });
  const { token } = await makeTeam(service);
  return { api, token, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/ld+json' } };
}

test('a stopping API answers every request that it has received and refuses new connections', async (t) => {
  const { api, headers } = await startApi();
  t.teardown(api.kill);
  const answers: ClientAnswer[] = [];
  const counts = Array.from({ length: CLIENTS }, () => 0);
  const clients = counts.map(async (_, index) => {
    const client = keepAliveClient(api.baseUrl);
    for (;;) {
      const isCreate = index % 2 === 0;
      const answer = await client.send(
        isCreate ? 'POST' : 'GET',
        isCreate ? '/api/v1/shipments' : '/api/v1/shipments?itemsPerPage=5',
        { headers, ...(isCreate ? { body: shipmentBodyWith() } : {}) },
      );
      answers.push(answer);
      counts[index] = (counts[index] ?? 0) + 1;
      if (answer.status === 0) break;
    }
    client.close();
  });
  await until(() => Promise.resolve(counts.every((count) => count >= ANSWERS_BEFORE)), 'no load came about');
  api.signal('SIGTERM');
  await Promise.all(clients);
  t.is(await api.exited, 0);
  const failed = answers.filter(({ status }) => status === 0);
  t.deepEqual(
    failed.map(({ errorCode }) => errorCode),
    failed.map(() => 'ECONNREFUSED'),
  );
  t.is(failed.length, CLIENTS);
  t.deepEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [0, 200, 201]);
  const last = answers.filter((answer) => answer.headers['connection'] === 'close');
  t.is(last.length, CLIENTS, 'each connection was ended by an answer that says so');
});

test('a request under way when the API is stopped is answered', async (t) => {
  const { api, token, headers } = await startApi();
  t.teardown(api.kill);
  const { id } = await makeShipment({ ...service, baseUrl: api.baseUrl }, token);
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from shipments where id = $1 for update', [id]);
  const client = keepAliveClient(api.baseUrl);
  t.teardown(client.close);
  const editing = client.send('PATCH', `/api/v1/shipments/${id}`, {
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    body: { notes: 'second floor' },
  });
  await until(async () => {
    const { rowCount } = await holder.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount === 1;
  }, 'the request does not wait');
  api.signal('SIGTERM');
  await until(() => Promise.resolve(api.output().includes('api stopping')), 'it does not stop');
  await holder.query('rollback');
  await holder.end();
  const answer = await editing;
  t.is(answer.status, 200);
  t.is(answer.headers['connection'], 'close');
  t.is(await api.exited, 0);
});

test('connections without a request do not keep a stopping API from ending', async (t) => {
  const { api } = await startApi();
  t.teardown(api.kill);
  const unused = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
  unused.on('error', () => undefined);
  await once(unused, 'connect');
  const idle = keepAliveClient(api.baseUrl);
  t.is((await idle.send('GET', '/health/live')).status, 200);
  const closed = once(unused, 'close');
  api.signal('SIGTERM');
  await closed;
  t.is(await api.exited, 0);
  idle.close();
});

test('streams of changes end with an API that stops; one that crashed is gone on with from its last id', async (t) => {
  const { api, token } = await startApi();
  t.teardown(api.kill);
  const before = await follow(api, { token });
  const id = before.lastId();
  api.signal('SIGTERM');
  await until(() => before.isEnded(), 'the stream went on');
  t.is(await api.exited, 0);

  const second = await startApi();
  const crashed = await follow(second.api, { token, lastEventId: id });
  const first = await makeShipment({ ...service, baseUrl: second.api.baseUrl }, token);
  await crashed.event(({ data }) => data['@id'] === first.delivery);
  await second.api.kill();
  const missed = await makeShipment(service, token);
  const after = await follow(service, { token, lastEventId: crashed.lastId() });
  t.teardown(after.close);
  await after.event(({ data }) => data['@id'] === missed.delivery);
  t.false(after.events.some(({ type }) => type === 'reset'));
});
