import { existsSync } from 'node:fs';
import test from 'ava';
import { makeTeamWithDriver } from '../harness/make.ts';
import { makeShipment, move } from '../harness/moves.ts';
import { at, send } from '../harness/request.ts';
import { useService } from '../harness/use-service.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import type { ServiceProcess } from '../harness/service-process.ts';

/** The API and the worker as processes whose log cannot be written. The service gives the database and its rows. */
const service = useService({ withWorkers: false });

/** Linux only: a device on which every write fails with ENOSPC. */
const FULL_DISK = '/dev/full';

async function startBoth(options: { readonly standardOutput?: string }) {
  const { config } = service;
  const settings = {
    DATABASE_URL: config.databaseUrl,
    TASK_QUEUE: config.taskQueue,
    JWT_SECRET: config.jwtSecret,
    LOG_LEVEL: 'debug',
  };
  return Promise.all([
    startServiceProcess('api', settings, options),
    startServiceProcess('worker', settings, options),
  ]);
}

/** Moves a shipment to its end through both processes. */
async function deliver(api: ServiceProcess): Promise<string> {
  const { token, driver } = await makeTeamWithDriver(service);
  const target = { ...service, baseUrl: api.baseUrl };
  const { iri, delivery } = await makeShipment(target, token);
  await move(target, token, delivery, 'assign', { driver });
  await move(target, token, delivery, 'start_delivery');
  await move(target, token, delivery, 'deliver', { proof: { recipientName: 'Amina Haddad' } });
  return String(at((await send(target, 'GET', iri, { token })).body, 'status'));
}

async function droppedBy(service: ServiceProcess): Promise<number> {
  return Number(at((await service.health('ready')).body, 'droppedLogLines'));
}

if (existsSync(FULL_DISK)) {
  test.serial('200 of every request while the log’s disk is full, and the lines are counted', async (t) => {
    const [api, worker] = await startBoth({ standardOutput: FULL_DISK });
    t.teardown(() => Promise.all([api.kill(), worker.kill()]));
    t.is(await deliver(api), 'delivered');
    t.true((await droppedBy(api)) >= 4, `${await droppedBy(api)} lines of the API`);
    t.true((await droppedBy(worker)) >= 1, `${await droppedBy(worker)} lines of the worker`);
    for (const stopped of [api, worker]) stopped.signal('SIGTERM');
    t.deepEqual(await Promise.all([api.exited, worker.exited]), [0, 0]);
  });
}

test.serial(
  '200 of every request after the reader of the log has gone, and the lines are counted',
  async (t) => {
    const [api, worker] = await startBoth({});
    t.teardown(() => Promise.all([api.kill(), worker.kill()]));
    api.closeOutput();
    worker.closeOutput();
    t.is(await deliver(api), 'delivered');
    t.true((await droppedBy(api)) >= 4, `${await droppedBy(api)} lines of the API`);
    for (const stopped of [api, worker]) stopped.signal('SIGTERM');
    t.deepEqual(await Promise.all([api.exited, worker.exited]), [0, 0]);
  },
);
