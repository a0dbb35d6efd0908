import { pino } from 'pino';
import type { Logger } from 'pino';
import { createLogDestination } from './log-destination.ts';

export type { Logger } from 'pino';

const STANDARD_OUTPUT = 1;

let droppedLines = 0;

/** How many log lines this process could not write, since its start. */
export function droppedLogLines(): number {
  return droppedLines;
}

/** What a signal changes the level to, and back. */
const VERBOSE_LEVEL = 'debug';

/**
 * Lets SIGUSR2 change what is logged, without a restart: to `debug`, and with the next one back to the level of the setting.
 * The signal is a way for those who may end the process anyway, so no port takes such a change.
 */
export function changeLevelBySignal(log: Logger): void {
  const usual = log.level;
  process.on('SIGUSR2', () => {
    log.level = log.level === VERBOSE_LEVEL ? usual : VERBOSE_LEVEL;
    log.warn({ logLevel: log.level }, 'log level changed');
  });
}

/**
 * One JSON line per entry on standard output. Whatever could hold a credential or personal
 * data is cut out by name, as a second wall: the first is that such values are not logged.
 * A line that cannot be written is dropped and counted; when writing works again, one line reports the count.
 */
export function createLogger(name: string, level: string): Logger {
  const destination = createLogDestination({
    fileDescriptor: STANDARD_OUTPUT,
    onDropped: (lines) => {
      droppedLines += lines;
    },
    onRecovered: () => logger.warn({ droppedLogLines: droppedLines }, 'failed to write log lines'),
  });
  // Lines that were logged in the same turn as `process.exit` are still queued.
  process.once('exit', destination.flushSync);
  const logger = pino(
    {
      name,
      level,
      redact: {
        paths: [
          'password',
          'token',
          'refresh_token',
          'apiKey',
          'authorization',
          'webhookSecret',
          'recipient',
        ].flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[removed]',
      },
    },
    destination,
  );
  return logger;
}
