import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import test from 'ava';
import { WEBHOOK_LANES } from '../../domain/webhook-lanes.ts';
import { execute, inTransaction } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import { storeTestEvent } from '../../store/webhooks/webhook-deliveries.ts';
import { webhookDeliveryWorkflowId } from '../../workflows/messages.ts';
import { testEngines } from '../harness/engines.ts';
import { startFlakyProxy } from '../harness/flaky-proxy.ts';
import type { FlakyProxy } from '../harness/flaky-proxy.ts';
import { makeTeamWithDriver } from '../harness/make.ts';
import type { TeamWithDriver } from '../harness/make.ts';
import { makeShipment } from '../harness/moves.ts';
import { quietRuntime } from '../harness/quiet-runtime.ts';
import { startReceiver } from '../harness/receiver.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';
import type { ObservedProcesses } from '../processes/observed-processes.ts';
import { startObserved } from '../processes/observed-processes.ts';
import { startBlockedRun } from '../worker/blocked-run.ts';
import type { WatchingPrometheus } from './prometheus.ts';
import { hastyAlerts, hasPrometheus, startPrometheus } from './prometheus.ts';

/**
 * Breaks what the alerts are about, and asks a real Prometheus whether it has noticed. Prometheus is no package, so these tests run
 * when they are asked for: `CHECK_ALERTS=1 npm test -- test/ops/alerts-fire.test.ts`.
 */
const service = useService({ withWorkers: false });
let postgres: FlakyProxy;
let temporal: FlakyProxy;
let observed: ObservedProcesses;
let prometheus: WatchingPrometheus;
let team: TeamWithDriver;

test.serial.before(async () => {
  if (!hasPrometheus()) throw new Error('Prometheus is not installed: https://prometheus.io/download/');
  postgres = await startFlakyProxy(service.databaseUrl);
  temporal = await startFlakyProxy(`tcp://${testEngines().temporalAddress}`);
  observed = await startObserved(service, {
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: '4',
    TEMPORAL_ADDRESS: new URL(temporal.url).host,
    COMMAND_WAIT_MS: '500',
    PASSWORD_HASHES_AT_ONCE: '1',
    LOGIN_ATTEMPTS_PER_MINUTE: '100000',
    LOGIN_FAILURES_PER_MINUTE: '100000',
  });
  prometheus = await startPrometheus(await hastyAlerts(), observed.targets);
  team = await makeTeamWithDriver(service);
  for (let count = 0; count < 3; count += 1) await assign();
});
test.serial.after.always(async () => {
  await prometheus.stop();
  await observed.kill();
  await Promise.all([postgres.stop(), temporal.stop()]);
});

/** Makes a shipment and assigns its driver, whatever the answer is. */
const assign = async (by: TeamWithDriver = team): Promise<void> => {
  const { delivery } = await makeShipment({ baseUrl: observed.api.baseUrl }, by.token);
  await request('POST', `${delivery}/transition`, { transition: 'assign', driver: by.driver }, by.token);
};

const request = async (method: string, path: string, body: object, token?: string): Promise<number> => {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const url = `${observed.api.baseUrl}${path}`;
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status ?? 0;
};

/** Does something again and again, by several callers, until `done` resolves. */
const meanwhile = async (
  callers: number,
  act: () => Promise<unknown>,
  done: Promise<unknown>,
): Promise<void> => {
  let isDone = false;
  const repeat = async (): Promise<void> => {
    while (!isDone) await act().catch(() => delay(50));
  };
  const working = Array.from({ length: callers }, repeat);
  await done.finally(() => {
    isDone = true;
  });
  await Promise.all(working);
};

const fires = (title: string, names: readonly string[], breakIt: () => Promise<unknown>): void => {
  test.serial(`${title}: ${names.join(', ')}`, async (t) => {
    await breakIt();
    t.deepEqual(await prometheus.hasFired(names), names);
  });
};

fires('a command that was set aside', ['CommandsFailed'], async () => {
  const { id } = await makeShipment({ baseUrl: observed.api.baseUrl }, team.token);
  await execute(
    service.database,
    `insert into commands (id, organization_id, shipment_id, kind, request, status) values ($1, $2, $3, 'approve', '{}', 'failed')`,
    [newId(), team.organization.id, id],
  );
});

fires('a receiver that hangs up', ['WebhooksWait', 'DeadLetters', 'EndpointsFail'], async () => {
  const receiver = await startReceiver({ answers: ['hang_up'] });
  const other = await makeTeamWithDriver(service, 'ROLE_DISPATCHER', { webhookUrl: receiver.url });
  await assign(other);
  await prometheus.hasFired(['WebhooksWait', 'DeadLetters']);
  await receiver.close();
  await execute(
    service.database,
    `update webhook_endpoints set failing_since = clock_timestamp() - interval '2 hours' where organization_id = $1`,
    [other.organization.id],
  );
});

fires('a run whose workflow task keeps failing', ['RunsReplaced'], async () => {
  const receiver = await startReceiver();
  const other = await makeTeamWithDriver(service, 'ROLE_DISPATCHER', { webhookUrl: receiver.url });
  quietRuntime();
  const connection = await NativeConnection.connect({ address: testEngines().temporalAddress });
  const block = async (): Promise<void> => {
    const { eventId } = await storeTestEvent(service.database, other.organization.id);
    const workflowId = webhookDeliveryWorkflowId(eventId, 0);
    const { run, stop } = await startBlockedRun(connection, service.client, workflowId);
    const due = 'update webhook_events set reconcile_after = clock_timestamp() where id = $1';
    await execute(service.database, due, [eventId]);
    const isReplaced = async () => (await run.describe()).status.name === 'TERMINATED';
    await until(isReplaced, 'the run was not replaced', { giveUpMs: 20_000 }).finally(stop);
  };
  await meanwhile(1, block, prometheus.hasFired(['RunsReplaced'])).finally(async () => {
    await connection.close();
    await receiver.close();
  });
});

fires('a lock that is held', ['PoolExhausted', 'RequestsFail', 'RequestsSlow'], async () => {
  const { delivery } = await makeShipment({ baseUrl: observed.api.baseUrl }, team.token);
  await inTransaction(service.database, async (transaction) => {
    await execute(transaction, 'lock table commands in exclusive mode');
    const path = `${delivery}/transition`;
    const ask = () => request('POST', path, { transition: 'assign', driver: team.driver }, team.token);
    const stay = setInterval(() => void execute(transaction, 'select 1').catch(() => undefined), 1_000);
    await meanwhile(16, ask, prometheus.hasFired(['PoolExhausted', 'RequestsFail', 'RequestsSlow'])).finally(
      () => clearInterval(stay),
    );
  });
});

const STOPPED = ['ServiceDown', 'ServiceMissing', 'CommandsWait'];
fires('a worker that stands still', [...STOPPED, 'CommandsSlow', 'EventLoopLate'], async () => {
  observed.worker.signal('SIGSTOP');
  await assign();
  await prometheus.hasFired(STOPPED).finally(() => observed.worker.signal('SIGCONT'));
});

fires('passwords without end', ['WorkQueueWaits'], () => {
  const guess = () => request('POST', '/api/v1/login_check', { email: 'a@example.com', password: 'wrong' });
  return meanwhile(24, guess, prometheus.hasFired(['WorkQueueWaits']));
});

const AWAY = ['TemporalUnreachable', 'SignalsFail', 'ReconcilerStopped'];
fires('Temporal is away', AWAY, async () => {
  temporal.disconnect();
  await meanwhile(1, assign, prometheus.hasFired(AWAY)).finally(temporal.reconnect);
});

fires('PostgreSQL is away', ['DatabaseUnreachable'], async () => {
  postgres.disconnect();
  await prometheus.hasFired(['DatabaseUnreachable']).finally(postgres.reconnect);
});

fires('receivers that do not answer', ['WorkerSlotsUsed'], async () => {
  const receiver = await startReceiver({ answers: ['silence'] });
  // Each organization gives as many events as an endpoint has slots, and gives no more once it is slow.
  const assignAll = async (): Promise<void> => {
    const other = await makeTeamWithDriver(service, 'ROLE_DISPATCHER', { webhookUrl: receiver.url });
    for (let count = 0; count < WEBHOOK_LANES.live.slotsPerEndpoint; count += 1) await assign(other);
  };
  await meanwhile(4, assignAll, prometheus.hasFired(['WorkerSlotsUsed'])).finally(receiver.close);
});

fires('the reader of a log is gone', ['LogLinesDropped'], async () => {
  observed.api.closeOutput();
  const ask = async () => {
    await request('POST', '/api/v1/login_check', {});
    await delay(100);
  };
  await meanwhile(1, ask, prometheus.hasFired(['LogLinesDropped']));
});
