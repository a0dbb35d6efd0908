import type { RunningProcess } from '../../dev/engines/keeper.ts';

/** A process of the deployment that can be broken and brought back. */
export interface Part {
  readonly name: string;
  /** Starts it and resolves when it is usable. */
  readonly start: () => Promise<void>;
  /** Ends it as a crash does: SIGKILL. Resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** Ends it in order. Harmless when it does not run. */
  readonly stop: () => Promise<void>;
  /** Stops it where it stands: SIGSTOP. Its connections stay open. */
  readonly freeze: () => void;
  /** Lets a frozen one go on: SIGCONT. */
  readonly thaw: () => void;
  readonly isRunning: () => boolean;
  /** The process that runs now, or the last one. */
  readonly pid: () => number;
}

const RESTART_AFTER_MS = 500;

/**
 * Makes a part of what starts its process. `launch` resolves when the process is usable. A process that ends by itself is
 * reported to `onCrash` and started again, as an orchestrator does.
 */
export function partOf(
  name: string,
  launch: () => Promise<RunningProcess>,
  onCrash: (name: string, exit: string) => void,
): Part {
  let running: RunningProcess | undefined;
  let isToRun = false;
  const signal = (word: 'SIGSTOP' | 'SIGCONT'): void => {
    if (running?.hasExited() === false) process.kill(running.pid, word);
  };
  const start = async (): Promise<void> => {
    const started = await launch();
    running = started;
    isToRun = true;
    void started.exited.then((exit) => {
      if (!isToRun || running !== started) return;
      onCrash(name, exit);
      setTimeout(() => {
        if (isToRun) start().catch((error: unknown) => onCrash(name, String(error)));
      }, RESTART_AFTER_MS);
    });
  };
  return {
    name,
    start,
    kill: async () => {
      isToRun = false;
      running?.kill();
      await running?.exited;
    },
    stop: async () => {
      isToRun = false;
      // A frozen process would not notice that it is to end.
      signal('SIGCONT');
      await running?.stop();
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    isRunning: () => running?.hasExited() === false,
    pid: () => running?.pid ?? 0,
  };
}
