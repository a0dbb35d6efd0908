import { spawnSync } from 'node:child_process';

/** The signals that ask a program to end in order. PostgreSQL's fast shutdown is SIGINT. */
export type StopSignal = 'SIGTERM' | 'SIGINT';

/** Sends a signal to one process; a process that has ended already is not an error. */
export function signalProcess(pid: number, signal: StopSignal | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isMissingProcess(error)) throw error;
  }
}

/** Sends a signal to a process and to all of its group; on Windows it ends the process tree. */
export function signalGroup(leaderPid: number, signal: StopSignal | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(leaderPid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  signalProcess(-leaderPid, signal);
}

function isMissingProcess(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
