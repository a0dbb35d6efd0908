import {
  ActivityFailure,
  ApplicationFailure,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import { WEBHOOK_RETRY } from '../domain/webhook.ts';
import type { WebhookLane } from '../domain/webhook-lanes.ts';
import type { ShipmentActivities, WebhookActivities } from '../activities/index.ts';
import { webhookTaskQueue } from './messages.ts';

/** Every timeout and retry of an activity, and where it runs. */

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
function localDatabaseActivities(summary: string): ShipmentActivities {
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
 * Runs a database step as a local activity and, where that fails, as an activity of the task queue, which is retried where
 * ops see it and for as long as it takes (decision 0012). It is the same idempotent activity in both places. Throws
 * failures that no retry can cure. `isQueued` goes to the queue immediately, where the workflow task has to be short.
 */
export async function localOrQueued<Result>(
  summary: string,
  step: (activities: ShipmentActivities) => Promise<Result>,
  { isQueued = false }: { readonly isQueued?: boolean } = {},
): Promise<Result> {
  if (isQueued) return step(databaseActivities(summary));
  try {
    return await step(localDatabaseActivities(summary));
  } catch (error) {
    if (isFinal(error)) throw error;
    return step(databaseActivities(summary));
  }
}

/** A local activity rejects with the failure itself, an activity of the queue with an ActivityFailure around it. */
function isFinal(error: unknown): boolean {
  const failure = error instanceof ActivityFailure ? error.cause : error;
  return failure instanceof ApplicationFailure && failure.nonRetryable === true;
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
