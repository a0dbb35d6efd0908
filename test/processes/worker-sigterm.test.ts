import test from 'ava';
import { select } from '../../store/connection.ts';
import { makeDriver, makeOrganization, makeUser } from '../harness/make.ts';
import { makeShipment, move } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import type { Receiver } from '../harness/receiver.ts';
import { useService } from '../harness/use-service.ts';
import { until } from '../harness/until.ts';
import { startWorkerProcess } from '../worker/worker-process.ts';

/** Workers as processes, of which one is stopped; the service is the API. */
const service = useService({ withWorkers: false });

const SHIPMENTS = 20;

/** So many attempts wait for their answers when the worker is stopped. */
const HELD_REQUESTS = 10;

/** A receiver that keeps its answers back while the gate is closed. */
async function startGatedReceiver() {
  let open: () => void = () => undefined;
  let isOpen = Promise.resolve();
  const receiver: Receiver = await startReceiver({
    answers: async () => {
      await isOpen;
      return 200;
    },
  });
  const close = (): void => {
    isOpen = new Promise((resolve) => {
      open = resolve;
    });
  };
  return { receiver, gate: { close, open: () => open() } };
}

test('a worker that is stopped under load drops no command and doubles no webhook attempt', async (t) => {
  const { receiver, gate } = await startGatedReceiver();
  t.teardown(receiver.close);
  const organization = await makeOrganization(service, { webhookUrl: receiver.url });
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const start = () => startWorkerProcess(service.databaseUrl, service.config.taskQueue);
  const [first, second] = await Promise.all([start(), start()]);
  t.teardown(() => Promise.all([first.kill(), second.kill()]));
  const shipments = await Promise.all(
    Array.from({ length: SHIPMENTS }, async () => ({
      driver: await makeDriver(service, organization),
      ...(await makeShipment(service, token)),
    })),
  );
  await Promise.all(
    shipments.map(({ delivery, driver }) => move(service, token, delivery, 'assign', { driver })),
  );
  await receiver.waitForRequests(SHIPMENTS);

  gate.close();
  const moving = Promise.all(
    shipments.map(({ delivery }) => move(service, token, delivery, 'start_delivery')),
  );
  await receiver.waitForRequests(SHIPMENTS + HELD_REQUESTS);
  first.signal('SIGTERM');
  await until(() => Promise.resolve(first.output().includes('worker stopping')), 'it does not stop');
  gate.open();
  await moving;
  t.is(await first.exited, 0);

  const events = () =>
    select<{ status: string; attempts: number }>(
      service.database,
      `select e.status, (select count(*)::int from webhook_attempts a where a.webhook_event_id = e.id) as attempts
       from webhook_events e where e.organization_id = $1`,
      [organization.id],
    );
  await until(
    async () => (await events()).every(({ status }) => status === 'delivered'),
    'an event was not delivered',
  );
  t.deepEqual(
    await events(),
    Array.from({ length: 2 * SHIPMENTS }, () => ({ status: 'delivered', attempts: 1 })),
  );
  const eventIds = receiver.requests.map(({ headers }) => headers['x-service-event-id']);
  t.is(eventIds.length, 2 * SHIPMENTS);
  t.is(new Set(eventIds).size, 2 * SHIPMENTS);
});
