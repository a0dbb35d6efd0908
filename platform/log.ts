import { pino } from 'pino';
import type { Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * One JSON line per entry on standard output. Whatever could hold a credential or personal
 * data is cut out by name, as a second wall: the first is that such values are not logged.
 */
export function createLogger(name: string, level: string): Logger {
  return pino({
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
  });
}
