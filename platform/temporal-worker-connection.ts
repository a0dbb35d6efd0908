import { NativeConnection } from '@temporalio/worker';
import type { TemporalConfig } from './config.ts';

/** Connects a worker. Throws a TransportError while Temporal is away. */
export function connectWorker(settings: TemporalConfig): Promise<NativeConnection> {
  return NativeConnection.connect({
    address: settings.address,
    ...(settings.tls ? { tls: true } : {}),
    ...(settings.apiKey === null ? {} : { apiKey: settings.apiKey }),
  });
}
