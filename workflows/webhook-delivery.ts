import { CancellationScope, getExternalWorkflowHandle, setCurrentDetails } from '@temporalio/workflow';
import { databaseActivities } from './activity-options.ts';
import type { WebhookDeliveryInput } from './messages.ts';
import { shipmentWorkflowId } from './messages.ts';
import { deliverOrDeadLetter } from './webhook-dispatcher.ts';

/**
 * Delivers one event again, or a test event for the first time, under the same retry policy (decision 0011).
 * A cancellation has no effect. Resolves to `dead` when the event is on the dead-letter queue again.
 */
export function webhookDelivery(input: WebhookDeliveryInput): Promise<'settled' | 'dead'> {
  return CancellationScope.nonCancellable(() => deliver(input));
}

async function deliver({
  eventId,
  organizationId,
  shipmentId,
}: WebhookDeliveryInput): Promise<'settled' | 'dead'> {
  setCurrentDetails('**Sending.** The pending activity shows the attempt that is under way.');
  const settings = await databaseActivities('read the retry settings').readSettings();
  const deadLetters = await deliverOrDeadLetter(eventId, 'on request', {
    organizationId,
    maxAttempts: settings.webhookMaxAttempts,
    lane: shipmentId === null ? 'test' : 'replay',
  });
  setCurrentDetails(
    deadLetters === null ? '**Settled.**' : '**On the dead-letter queue again:** every attempt failed.',
  );
  if (shipmentId !== null) {
    // The shipment's workflow shows its dead letters. One that has ended shows what they were at its end.
    await getExternalWorkflowHandle(shipmentWorkflowId(shipmentId))
      .signal('webhook_settled')
      .catch(() => undefined);
  }
  return deadLetters === null ? 'settled' : 'dead';
}
