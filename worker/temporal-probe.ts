import type { NativeConnection } from '@temporalio/worker';

/** Knows how long ago Temporal answered on the connection that the workers poll on. */
export interface TemporalProbe {
  /** Milliseconds since the last answer; since the start of the probe before the first one. */
  readonly silentMs: () => number;
  readonly stop: () => void;
}

const PROBE_EVERY_MS = 2_000;
const DEADLINE_MS = 3_000;

/**
 * Asks Temporal for the description of the task queue, every two seconds, until it is stopped. The call takes the way of
 * the polls, from the frontend to the matching service, so that its answer means that polls are answered too. The SDK
 * itself reports nothing: it polls on and on while Temporal is unreachable, in the state `RUNNING`.
 */
export function probeTemporal(
  connection: Pick<NativeConnection, 'withDeadline' | 'workflowService'>,
  target: { readonly namespace: string; readonly taskQueue: string },
): TemporalProbe {
  let answeredAt = performance.now();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const request = { namespace: target.namespace, taskQueue: { name: target.taskQueue } };
  const ask = async (): Promise<void> => {
    try {
      await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
        connection.workflowService.describeTaskQueue(request),
      );
      answeredAt = performance.now();
    } catch {
      // The silence speaks for itself; the SDK logs why its own calls fail.
    }
    if (!isStopped) timer = setTimeout(() => void ask(), PROBE_EVERY_MS);
  };
  void ask();
  return {
    silentMs: () => performance.now() - answeredAt,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
