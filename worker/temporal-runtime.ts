import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from '../platform/log.ts';

/**
 * Sets up what all workers of this process share: Temporal's warnings and errors go into our log, and signals are ours to
 * handle. Its lines below a warning are left out; some hold payloads.
 */
export function installRuntime(log: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      // The webhooks worker has activities alone, on purpose.
      if (message.startsWith('No workflows registered')) return;
      log[level === 'ERROR' ? 'error' : 'warn']({ temporal: meta ?? {} }, message);
    }),
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
    shutdownSignals: [],
  });
}
