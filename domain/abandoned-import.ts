import { say } from './messages.ts';
import type { Problem } from './problem.ts';
import { stated } from './problem.ts';

/** What an import is told that ended without a problem of its file: it made nothing (decision 0032). */
export const ABANDONED_IMPORT = {
  kind: 'unavailable',
  ...stated(say('import_abandoned')),
  retryAfterSeconds: 10,
} as const satisfies Problem;
