import { randomUUID } from 'node:crypto';
import test from 'ava';
import pg from 'pg';
import { makeDriver, makeTeam } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { until } from '../../harness/until.ts';

const service = useService({ settings: { COMMAND_WAIT_MS: '500' } });

/** A shipment; `lock` takes the lock of a row of it, from a connection that does not let go. */
async function makeLockable() {
  const { organization, token } = await makeTeam(service);
  const shipment = await makeShipment(service, token);
  const lock = async (table: 'shipments' | 'tasks', id: string) => {
    const holder = new pg.Client({ connectionString: service.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select from ${table} where id = $1 for update`, [id]);
    return async () => {
      await holder.query('rollback');
      await holder.end();
    };
  };
  return { organization, token, ...shipment, lock };
}

test('503 with Retry-After while another transaction holds the row, 200 after it', async (t) => {
  const { token, iri, id, lock } = await makeLockable();
  const release = await lock('shipments', id);
  const edit = () => send(service, 'PATCH', iri, { token, body: { notes: 'second floor' } });
  const answer = await edit();
  t.is(answer.status, 503);
  t.regex(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  await release();
  t.is((await edit()).status, 200);
});

test('202 a command whose task is locked is applied after the lock is released', async (t) => {
  const { organization, token, delivery, lock } = await makeLockable();
  const driver = await makeDriver(service, organization);
  const release = await lock('tasks', delivery.split('/').at(-1) ?? '');
  const answer = await send(service, 'POST', `${delivery}/transition`, {
    token,
    body: { transition: 'assign', driver },
    headers: { 'idempotency-key': randomUUID() },
  });
  t.is(answer.status, 202);
  const command = textAt(Object.fromEntries(answer.headers), 'location');
  const status = async () => at((await send(service, 'GET', command, { token })).body, 'status');
  // The worker's first statement fails by then; the next ones are tried again.
  await until(async () => (await waitingForLock()) > 0, 'the worker does not wait for the row');
  await until(async () => (await waitingForLock()) === 0, 'the worker waits without an end');
  t.is(await status(), 'received');
  await release();
  await until(async () => (await status()) === 'applied', 'the command is not applied');
});

async function waitingForLock(): Promise<number> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}
