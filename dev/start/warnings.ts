import type { Say } from '../engines/progress.ts';

const QUIET_MS = 10_000;
const WARN_LEVEL = 40;
const LOUD_WORDS = new Set(['warn', 'error', 'fatal', 'panic', 'dpanic']);
/** The engines warn about much that they handle themselves; only what stops them is worth a person's attention. */
const ENGINE_WORDS = new Set(['fatal', 'panic']);
/** What PostgreSQL says to clients that come too early or stay too long, whenever it starts or stops. */
const ROUTINE = /starting up|shutting down|terminating connection|recovery mode|not yet accepting/;

/**
 * Returns a function that shows a log line of a part when it is a warning or worse, and the same message of the
 * same part at most once in ten seconds. Everything else stays in the log file.
 */
export function showWarnings(say: Say, nowMs: () => number): (part: string, line: string) => void {
  const lastShownMs = new Map<string, number>();
  return (part, line) => {
    const message = warningIn(part, line);
    if (message === undefined) return;
    const key = `${part} ${message}`;
    if (nowMs() - (lastShownMs.get(key) ?? -QUIET_MS) < QUIET_MS) return;
    lastShownMs.set(key, nowMs());
    say(`[${part}] ${message}`);
  };
}

/** Returns the text of a line that a person should see, undefined for all others. */
export function warningIn(part: string, line: string): string | undefined {
  if (part === 'postgres') return ROUTINE.test(line) ? undefined : /\b(?:FATAL|PANIC): +(.*)/.exec(line)?.[1];
  const entry = parseEntry(line);
  // A line that is not a log entry was not written by the logger: a stack trace, or a runtime's own warning.
  if (entry === undefined) return part === 'temporal' || line.trim() === '' ? undefined : line.trimEnd();
  const isLoud = part === 'temporal' ? ENGINE_WORDS.has(entry.level) : LOUD_WORDS.has(entry.level);
  return isLoud ? entry.text : undefined;
}

function parseEntry(line: string): { readonly level: string; readonly text: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('level' in value)) return undefined;
  const text = 'msg' in value && typeof value.msg === 'string' ? value.msg : line;
  const cause = 'err' in value ? causeOf(value.err) : '';
  return { level: levelOf(value.level), text: `${text}${cause}` };
}

function levelOf(level: unknown): string {
  if (typeof level === 'number') return level >= WARN_LEVEL ? 'warn' : 'info';
  return typeof level === 'string' ? level.toLowerCase() : 'info';
}

function causeOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage && typeof error.message === 'string' ? `: ${error.message}` : '';
}
