import { Client, Connection } from '@temporalio/client';
import type { TemporalConfig } from './config.ts';

/** gRPC waits up to two minutes before it dials again unless told; a restarted Temporal must be found at once. */
const CHANNEL_ARGUMENTS = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 1_000,
} as const;
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * A Temporal client that connects with its first call, so that the API starts while Temporal is away. Calls are
 * not retried inside: what a call loses is found in Postgres and repeated by the relay.
 */
export function createTemporalClient(settings: TemporalConfig): Client {
  const connection = Connection.lazy({
    address: settings.address,
    connectTimeout: CONNECT_TIMEOUT_MS,
    channelArgs: CHANNEL_ARGUMENTS,
    interceptors: [],
    ...(settings.tls ? { tls: true } : {}),
    ...(settings.apiKey === null ? {} : { apiKey: settings.apiKey }),
  });
  return new Client({ connection, namespace: settings.namespace });
}

/** gRPC's DEADLINE_EXCEEDED. */
const DEADLINE_EXCEEDED = 4;

/** Whether a call failed because no answer came in time, so that it may have arrived all the same. */
export function ranOutOfTime(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === DEADLINE_EXCEEDED) return true;
  return 'cause' in error && ranOutOfTime(error.cause);
}
