import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';

/**
 * Runs a database step inside the workflow task and, where the database does not answer within that step's time, as an
 * activity of the queue, which waits visibly and for as long as it takes (decision 0012). Both are the same activity,
 * idempotent by its key, so that a step which was done and not reported is done once. Not in the task at all where
 * `isInTask` is false. Throws what the queued activity throws, cancellations, and failures that no retry can mend.
 */
export async function inTaskOrQueued<Result>(
  isInTask: boolean,
  inTask: () => Promise<Result>,
  queued: () => Promise<Result>,
): Promise<Result> {
  if (!isInTask) return queued();
  try {
    return await inTask();
  } catch (error) {
    if (isCancellation(error) || isFinal(error)) throw error;
    return queued();
  }
}

function isFinal(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    error.cause.nonRetryable === true
  );
}
