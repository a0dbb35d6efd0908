import test from 'ava';
import { makeDriver, makeOrganization, makeUser } from '../harness/make.ts';
import { makeShipment, move } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startService } from '../harness/service.ts';
import type { TestService } from '../harness/service.ts';
import { select, selectOne } from '../../store/connection.ts';
import type { WebhookEventId } from '../../domain/ids.ts';
import { readSnapshot } from '../../store/shipment-snapshot.ts';
import { toId } from '../../domain/ids.ts';
import { takeForgottenShipments } from '../../store/relay-queue.ts';
import { reopenWebhookDelivery, storeTestEvent } from '../../store/webhook-deliveries.ts';
import { relayOnce } from '../../worker/relay.ts';

let service: TestService;
test.before(async () => {
  service = await startService();
});
test.after.always(() => service.stop());

const AT_ONCE = { ageSeconds: 0, againAfterSeconds: 0, batch: 200 };

test.serial('a test event whose workflow was never started is sent by the relay', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const organization = await makeOrganization(service, { webhookUrl: receiver.url });
  const sending = await storeTestEvent(service.database, organization.id);
  t.is(sending.kind, 'accepted');
  const pass = await relayOnce(service.dependencies, AT_ONCE);
  t.is(pass.replays, 1);
  await receiver.waitForRequests(1);
});

test.serial(
  'a replay whose workflow was never started is sent by the relay, not by the shipment',
  async (t) => {
    const receiver = await startReceiver({ answers: [400, 200] });
    t.teardown(receiver.close);
    const organization = await makeOrganization(service, { webhookUrl: receiver.url });
    const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
    const driver = await makeDriver(service, organization);
    const shipment = await makeShipment(service, token);
    await move(service, token, shipment.delivery, 'assign', { driver });
    const eventId = await rejectedEvent(shipment.id);
    t.deepEqual(await reopenWebhookDelivery(service.database, organization.id, eventId), {
      kind: 'accepted',
      eventId,
      round: 1,
    });
    const snapshot = await readSnapshot(service.database, toId<'shipment'>(shipment.id));
    t.deepEqual(snapshot?.pendingEventIds, []);
    const forgotten = await takeForgottenShipments(service.database, { ...AT_ONCE, ageSeconds: -60 });
    t.false(forgotten.some(({ shipmentId }) => shipmentId === shipment.id));
    await relayOnce(service.dependencies, AT_ONCE);
    const requests = await receiver.waitForRequests(2);
    t.deepEqual(requests[1]?.body, requests[0]?.body);
  },
);

test.serial('a pass finds nothing to replay in a service where all is settled or under way', async (t) => {
  const receiver = await startReceiver({ answers: ['silence'] });
  t.teardown(receiver.close);
  const organization = await makeOrganization(service, { webhookUrl: receiver.url });
  await storeTestEvent(service.database, organization.id);
  const first = await relayOnce(service.dependencies, { ...AT_ONCE, againAfterSeconds: 60 });
  const second = await relayOnce(service.dependencies, { ...AT_ONCE, againAfterSeconds: 60 });
  t.deepEqual([first.replays, second.replays], [1, 0]);
  const rows = await select(
    service.database,
    `select id from webhook_events where organization_id = $1 and relayed_at is not null`,
    [organization.id],
  );
  t.is(rows.length, 1);
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
