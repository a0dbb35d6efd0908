import { readFileSync } from 'node:fs';
import { say } from './engines/progress.mjs';

/** npm passes Ctrl-C on, and so does the terminal: a signal within this time is the first one's echo. */
const ECHO_MS = 1000;
const NPM_POLL_MS = 1000;

/**
 * Resolves, with the reason, when this command is to end: by a signal, or because the npm that started it was killed, which
 * sends no signal. A second signal ends this process immediately; the keeper then ends the rest.
 */
export function untilInterrupted(): Promise<string> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const interrupt = (reason: string): void => {
      resolve(reason);
      firstAtMs ??= performance.now();
      if (performance.now() - firstAtMs < ECHO_MS) return;
      say('What still runs is stopped in the background.');
      process.exit(1);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const parents = readParents();
    const watch = setInterval(() => {
      if (readParents() === parents) return;
      clearInterval(watch);
      interrupt('npm has ended');
    }, NPM_POLL_MS).unref();
  });
}

/** The process that started this one, and on Linux the one above: there a shell may stand between npm and this process. */
function readParents(): string {
  const { ppid } = process;
  try {
    const status = readFileSync(`/proc/${ppid}/status`, 'utf8');
    return `${ppid} ${/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? ''}`;
  } catch {
    return String(ppid);
  }
}
