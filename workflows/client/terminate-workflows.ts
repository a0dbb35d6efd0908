import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import pMap from 'p-map';
import type { ShipmentId, WebhookEventId } from '../../domain/ids.ts';
import { shipmentWorkflowId, webhookDeliveryWorkflowId } from '../messages.ts';

const CONCURRENCY = 8;

/**
 * Terminates the workflows of shipments and of single deliveries, before their rows are deleted. A run has no cancellation to obey: it
 * ends when PostgreSQL says so, and soon PostgreSQL will know nothing of it. One that has ended is left alone.
 */
export async function terminateWorkflows(
  client: Client,
  subjects: {
    readonly shipmentIds: readonly ShipmentId[];
    readonly deliveries: readonly { readonly eventId: WebhookEventId; readonly round: number }[];
  },
  reason: string,
): Promise<void> {
  const ids = [
    ...subjects.shipmentIds.map(shipmentWorkflowId),
    ...subjects.deliveries.map(({ eventId, round }) => webhookDeliveryWorkflowId(eventId, round)),
  ];
  await pMap(
    ids,
    async (id) => {
      try {
        await client.workflow.getHandle(id).terminate(reason);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
    { concurrency: CONCURRENCY },
  );
}
