import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { ShipmentActivities } from '../activities/index.ts';
import { databaseActivities, localDatabaseActivities } from './activity-options.ts';

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
