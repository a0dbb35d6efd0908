import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startFlakyProxy } from '../harness/flaky-proxy.ts';
import type { FlakyProxy } from '../harness/flaky-proxy.ts';
import { makeTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';
import { testEngines } from '../harness/engines.ts';
import { listAt } from '../harness/request.ts';
import { waitForHealth } from '../harness/service-process.ts';
import type { HealthAnswer } from '../harness/service-process.ts';
import { startWorkerProcess } from './worker-process.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker process reaches both servers through proxies; the tests share it, one after the other. */
let testDatabase: TestDatabase;
let postgres: FlakyProxy;
let temporal: FlakyProxy;
let worker: WorkerProcess;
test.before(async () => {
  testDatabase = await makeTestDatabase();
  postgres = await startFlakyProxy(testDatabase.url);
  temporal = await startFlakyProxy(`http://${testEngines().temporalAddress}`);
  worker = await startWorkerProcess(postgres.url, `test-${randomUUID()}`, {
    TEMPORAL_ADDRESS: new URL(temporal.url).host,
  });
});
test.after.always(async () => {
  await worker.kill();
  await Promise.all([postgres.stop(), temporal.stop()]);
  await testDatabase.drop();
});

/** The one reason of a worker that is not ready. */
function reasonOf(answer: HealthAnswer): string {
  return listAt(answer.body, 'reasons').join(', ');
}

for (const [loss, lose] of [
  ['its connections to Temporal are cut', () => temporal.disconnect()],
  ['Temporal is frozen', () => temporal.freeze()],
] as const) {
  test.serial(`503 of a worker while ${loss}, 200 when Temporal answers again`, async (t) => {
    lose();
    const answer = await waitForHealth(worker, 'ready', 503);
    t.regex(reasonOf(answer), /^Temporal is unreachable: no answer for \d+ s$/);
    t.is((await worker.health('live')).status, 200);
    temporal.reconnect();
    t.deepEqual(listAt((await waitForHealth(worker, 'ready', 200)).body, 'reasons'), []);
  });
}

for (const [loss, lose] of [
  ['its connections to PostgreSQL are cut', () => postgres.disconnect()],
  ['PostgreSQL is frozen', () => postgres.freeze()],
] as const) {
  test.serial(`503 of a worker while ${loss}, 200 when PostgreSQL answers again`, async (t) => {
    lose();
    t.is(reasonOf(await waitForHealth(worker, 'ready', 503)), 'PostgreSQL is unreachable');
    t.is((await worker.health('live')).status, 200);
    postgres.reconnect();
    await waitForHealth(worker, 'ready', 200);
  });
}
