import { workflowInfo } from '@temporalio/workflow';
import { database, DATABASE_OPTIONS } from './activity-options.ts';
import type { WebhookReplayInput } from './messages.ts';
import { webhookTaskQueue } from './messages.ts';
import { deliverOrBury } from './webhook-desk.ts';

/** Sends one event again, or a test event for the first time, under the same policy as ever (design, «Flow of a write» 6). */
export async function webhookReplay(input: WebhookReplayInput): Promise<'settled' | 'dead'> {
  const settings = await database.readSettings.executeWithOptions(
    { ...DATABASE_OPTIONS, summary: 'read the retry settings' },
    [],
  );
  const isDead = await deliverOrBury(input.eventId, 'on request', {
    organizationId: input.organizationId,
    maxAttempts: settings.webhookMaxAttempts,
    taskQueue: webhookTaskQueue(workflowInfo().taskQueue),
  });
  return isDead ? 'dead' : 'settled';
}
