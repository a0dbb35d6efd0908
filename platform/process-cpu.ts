import { readFileSync } from 'node:fs';

/** A tick of /proc is a hundredth of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;
/** Fields of proc(5) `stat`, counted from the state, which follows the name in parentheses. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** How much CPU time a process has used, in ms. Undefined where the system does not say, or the process has ended. */
export function cpuTimeMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}
