import { Runtime } from '@temporalio/worker';
import type { Logger } from '../platform/log.ts';

/** Sets up what all workers of this process share: Temporal's lines go into our log, and signals are ours to handle. */
export function installRuntime(log: Logger): void {
  Runtime.install({
    logger: temporalLogger(log),
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
    shutdownSignals: [],
  });
}

/** Temporal's own lines at our levels; its debug lines hold payloads and are left out. */
function temporalLogger(log: Logger) {
  const silent = () => undefined;
  const at = (level: 'warn' | 'error') => (message: string, meta?: object) => {
    // The webhooks worker has activities alone, on purpose.
    if (message.startsWith('No workflows registered')) return;
    log[level]({ temporal: meta ?? {} }, message);
  };
  const byLevel: Readonly<Record<string, (message: string, meta?: object) => void>> = {
    INFO: silent,
    WARN: at('warn'),
    ERROR: at('error'),
  };
  return {
    log: (level: string, message: string, meta?: object) => byLevel[level]?.(message, meta),
    trace: silent,
    debug: silent,
    info: silent,
    warn: at('warn'),
    error: at('error'),
  };
}
