import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { WEBHOOK_RETRY } from '../domain/webhook.ts';
import type { ShipmentActivities, WebhookActivities } from '../activities/index.ts';

/** Every timeout and retry, stated once. */

/** Database activities: quick, idempotent, tried until the database answers. */
export const DATABASE_OPTIONS = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const;

/**
 * The same activities inside the workflow task, where they cost half the events and a third of the time. Together with
 * its retries such a step stays below the ten seconds of a workflow task; what takes longer is a matter for the queue.
 */
export const IN_TASK_OPTIONS = {
  startToCloseTimeout: '2s',
  scheduleToCloseTimeout: '4s',
  retry: { initialInterval: '50ms', backoffCoefficient: 2, maximumInterval: '500ms' },
} as const;

/** The receiver has ten seconds; ours must report before Temporal gives the attempt up. */
const SENDING_TIMEOUT = '15s';

export const database = proxyActivities<ShipmentActivities>(DATABASE_OPTIONS);

export const databaseInTask = proxyLocalActivities<ShipmentActivities>(IN_TASK_OPTIONS);

/**
 * Sending under the contract's retry policy: 1 s, 2 s (and 4 s where four attempts are set) between attempts. How many
 * there are the activity counts by its own log, so that a try on which our database was away costs the receiver none.
 * The organization is the fairness key, so that one tenant's backlog does not hold up another's.
 */
export function webhookSender(
  settings: { readonly taskQueue: string; readonly organizationId: string },
  summary: string,
): WebhookActivities {
  return proxyActivities<WebhookActivities>({
    summary,
    taskQueue: settings.taskQueue,
    startToCloseTimeout: SENDING_TIMEOUT,
    priority: { fairnessKey: settings.organizationId },
    retry: {
      initialInterval: WEBHOOK_RETRY.initialIntervalMs,
      backoffCoefficient: WEBHOOK_RETRY.backoffCoefficient,
      maximumInterval: WEBHOOK_RETRY.maximumIntervalMs,
    },
  });
}
