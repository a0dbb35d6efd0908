import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import { WEBHOOK_RETRY } from '../domain/webhook.ts';
import type { WebhookLane } from '../domain/webhook-lanes.ts';
import type { ShipmentActivities, WebhookActivities } from '../activities/index.ts';
import { webhookTaskQueue } from './messages.ts';

/** Every timeout and retry of an activity. */

/** Database activities: quick, idempotent, retried until the database answers. */
export function databaseActivities(summary: string): ShipmentActivities {
  return proxyActivities<ShipmentActivities>({
    summary,
    startToCloseTimeout: '10s',
    retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
  });
}

/**
 * The same activities as local activities, which cost half the events and a third of the time. All tries together stay
 * below the ten seconds of a workflow task; what takes longer, or fails on every try, goes to the task queue. Both bounds
 * are needed: the time alone does not end a step that fails immediately on each try, and the tries alone not one that hangs.
 */
export function localDatabaseActivities(summary: string): ShipmentActivities {
  return proxyLocalActivities<ShipmentActivities>({
    summary,
    startToCloseTimeout: '2s',
    scheduleToCloseTimeout: '4s',
    retry: {
      initialInterval: '50ms',
      backoffCoefficient: 2,
      maximumInterval: '500ms',
      maximumAttempts: 8,
    },
  });
}

/**
 * Sending under the contract's retry policy: 1 s, 2 s (and 4 s where four attempts are set) between attempts. The activity
 * counts the attempts by its own log, so that a try during which our database is unreachable costs the receiver none.
 * The organization is the fairness key, so that one tenant's backlog does not hold up another's.
 */
export function webhookSender(
  settings: { readonly lane: WebhookLane; readonly organizationId: string },
  summary: string,
): WebhookActivities {
  return proxyActivities<WebhookActivities>({
    summary,
    taskQueue: webhookTaskQueue(workflowInfo().taskQueue, settings.lane),
    startToCloseTimeout: WEBHOOK_RETRY.attemptTimeoutMs,
    priority: { fairnessKey: settings.organizationId },
    retry: {
      initialInterval: WEBHOOK_RETRY.initialIntervalMs,
      backoffCoefficient: WEBHOOK_RETRY.backoffCoefficient,
      maximumInterval: WEBHOOK_RETRY.maximumIntervalMs,
    },
  });
}
