import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startTimeOf } from '../lock-file.mjs';

const POLL_MS = 1000;

/**
 * Calls `onGone` once when the npm that started this process is no more (its death by `kill -9` sends no signal).
 * Without npm there is nothing to watch: a start by hand may well outlive its shell. Returns the end of watching.
 */
export function watchNpm(environment: NodeJS.ProcessEnv, onGone: () => void): () => void {
  const isStartedByNpm = environment['npm_lifecycle_event'] !== undefined && process.platform !== 'win32';
  const npmPid = isStartedByNpm ? findNpm() : undefined;
  if (npmPid === undefined) return () => undefined;
  const npmStartTime = startTimeOf(npmPid);
  const timer = setInterval(() => {
    if (startTimeOf(npmPid) === npmStartTime) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS).unref();
  return () => clearInterval(timer);
}

/** npm runs a script through a shell; some shells replace themselves by the program, and some stay in between. */
function findNpm(): number | undefined {
  const parent = describe(process.ppid);
  if (parent === undefined || process.ppid <= 1) return undefined;
  const isShell = /^-?(?:ba|da|z|k|a)?sh$/.test(parent.command);
  const npmPid = isShell ? parent.parentPid : process.ppid;
  return npmPid > 1 ? npmPid : undefined;
}

function describe(pid: number): { readonly parentPid: number; readonly command: string } | undefined {
  try {
    if (process.platform === 'linux') {
      const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const end = line.lastIndexOf(')');
      const [, parentPid = '0'] = line.slice(end + 2).split(' ');
      return { parentPid: Number(parentPid), command: line.slice(line.indexOf('(') + 1, end) };
    }
    const line = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [parentPid = '0', ...command] = line.split(/\s+/);
    return { parentPid: Number(parentPid), command: command.join(' ').replace(/^.*\//, '') };
  } catch {
    return undefined;
  }
}
