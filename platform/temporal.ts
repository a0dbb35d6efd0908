import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { TemporalConfig } from './config.ts';

/** gRPC status codes (https://grpc.io/docs/guides/status-codes/). */
const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;

/** gRPC's default is to wait up to two minutes before it dials again; a restarted Temporal must be found within a second. */
const CHANNEL_ARGUMENTS = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 1_000,
} as const;
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * The SDK's own retries, from 50 ms on for every retryable status. The SDK waits 1.7 s before it repeats a call that met
 * RESOURCE_EXHAUSTED; that is also how the server turns down a signal to a run that is just closing, which succeeds a few
 * milliseconds later, and the caller waits for 2.5 s at most.
 */
const RETRIES = defaultGrpcRetryOptions({ initialIntervalMs: () => 50 });
/** Half a second in all, after which Temporal counts as unreachable and the caller is answered with 202. */
const MAX_UNAVAILABLE_ATTEMPTS = 3;
const RETRY = makeGrpcRetryInterceptor({
  ...RETRIES,
  retryableDecider: (attempt, status) =>
    RETRIES.retryableDecider(attempt, status) &&
    (!hasGrpcCode(status, [UNAVAILABLE]) || attempt <= MAX_UNAVAILABLE_ATTEMPTS),
});

/**
 * A Temporal client that connects with its first call, so that the API starts while Temporal is unreachable. Callers set
 * a deadline, within which calls are retried; what a call loses is found in Postgres and repeated by the reconciler.
 */
export function createTemporalClient(settings: TemporalConfig): Client {
  const connection = Connection.lazy({
    ...connectionOptions(settings),
    connectTimeout: CONNECT_TIMEOUT_MS,
    channelArgs: CHANNEL_ARGUMENTS,
    interceptors: [RETRY],
  });
  return new Client({ connection, namespace: settings.namespace });
}

/** Where Temporal is, as the connections of a client and of a worker take it. */
export function connectionOptions({ address, tls, apiKey }: TemporalConfig) {
  return { address, ...(tls ? { tls } : {}), ...(apiKey === null ? {} : { apiKey }) };
}

/** Whether a call failed because no answer came in time, so that it may have arrived all the same. */
export function ranOutOfTime(error: unknown): boolean {
  return hasGrpcCode(error, [DEADLINE_EXCEEDED]);
}

/** Whether a call failed because Temporal could not be reached or did not answer, rather than for a reason of its own. */
export function isTemporalUnreachable(error: unknown): boolean {
  return hasGrpcCode(error, [DEADLINE_EXCEEDED, UNAVAILABLE]);
}

function hasGrpcCode(error: unknown, codes: readonly unknown[]): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && codes.includes(error.code)) return true;
  return 'cause' in error && hasGrpcCode(error.cause, codes);
}
