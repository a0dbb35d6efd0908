import { Runtime } from '@temporalio/worker';

const silent = () => undefined;

/** A logger for Temporal's SDK that writes nothing. */
export const QUIET_LOGGER = {
  log: silent,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
};

/** Silences Temporal's own logging; call before any worker is made. Harmless when repeated. */
export function quietRuntime(): void {
  try {
    Runtime.install({
      logger: QUIET_LOGGER,
      telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
    });
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('already')) throw error;
  }
}
