import test from 'ava';
import { toId } from '../../domain/ids.ts';
import type { WebhookEventId } from '../../domain/ids.ts';
import { selectOne } from '../../store/connection.ts';
import { readSnapshot } from '../../store/commands/shipment-snapshot.ts';
import { reopenWebhookDelivery, storeTestEvent } from '../../store/webhooks/webhook-deliveries.ts';
import { reconcileOnce } from '../../worker/reconciler.ts';
import { makeDriver, makeOrganization, makeUser } from '../harness/make.ts';
import { makeShipment, move } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import { useService } from '../harness/use-service.ts';
import { makeAllDue } from './stale-rows.ts';

const service = useService();

test.serial('a test event whose workflow was never started is sent by the reconciler', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const organization = await makeOrganization(service, { webhookUrl: receiver.url });
  await storeTestEvent(service.database, organization.id);
  await makeAllDue(service.database);
  t.is((await reconcileOnce(service.dependencies)).events, 1);
  await receiver.waitForRequests(1);
});

test.serial('a replay whose workflow was never started is sent by the reconciler', async (t) => {
  const receiver = await startReceiver({ answers: [400, 200] });
  t.teardown(receiver.close);
  const organization = await makeOrganization(service, { webhookUrl: receiver.url });
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const driver = await makeDriver(service, organization);
  const shipment = await makeShipment(service, token);
  await move(service, token, shipment.delivery, 'assign', { driver });
  const eventId = await rejectedEvent(shipment.id);
  const reopened = await reopenWebhookDelivery(service.database, organization.id, eventId);
  t.deepEqual(reopened, { eventId, round: 1 });
  const snapshot = await readSnapshot(service.database, toId<'shipment'>(shipment.id));
  t.deepEqual(snapshot?.pendingEventIds, [], 'the shipment does not send it itself');
  await makeAllDue(service.database);
  await reconcileOnce(service.dependencies);
  const requests = await receiver.waitForRequests(2);
  t.deepEqual(requests[1]?.body, requests[0]?.body);
});

test.serial('an event that was acted on is due again only after its back-off', async (t) => {
  const receiver = await startReceiver({ answers: ['silence'] });
  t.teardown(receiver.close);
  const organization = await makeOrganization(service, { webhookUrl: receiver.url });
  await storeTestEvent(service.database, organization.id);
  await makeAllDue(service.database);
  const first = await reconcileOnce(service.dependencies);
  const second = await reconcileOnce(service.dependencies);
  t.deepEqual([first.events, second.events], [1, 0]);
});

/** The shipment's one event, once the receiver's 4xx has settled it. */
async function rejectedEvent(shipmentId: string): Promise<WebhookEventId> {
  const until = Date.now() + 30_000;
  for (;;) {
    const row = await selectOne<{ id: WebhookEventId; status: string }>(
      service.database,
      'select id, status from webhook_events where shipment_id = $1',
      [shipmentId],
    );
    if (row?.status === 'rejected') return row.id;
    if (Date.now() > until) throw new Error(`the event is still ${row?.status ?? 'missing'}`);
  }
}
