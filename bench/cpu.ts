import { readdirSync, readFileSync } from 'node:fs';

/** Ticks in /proc are hundredths of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** CPU time in ms by the name of the part that used it, so far. */
export type CpuTimes = ReadonlyMap<string, number>;

/**
 * Reads how much CPU time each part and its children have used. Works on Linux alone; elsewhere the map is empty and
 * the report leaves the line out. Unlike a rate it says the same on a busy machine.
 */
export function readCpuTimes(parts: readonly { readonly name: string; readonly pid: number }[]): CpuTimes {
  const processes = readProcesses();
  const times = new Map<string, number>();
  for (const { name, pid } of parts) {
    const own = processes.filter((entry) => entry.pid === pid || entry.parentPid === pid);
    if (own.length > 0)
      times.set(
        name,
        own.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      );
  }
  return times;
}

/** What was used between two readings, for each of `count` things, as one line. */
export function describeCpu(before: CpuTimes, after: CpuTimes, count: number): string {
  const shares = [...after].map(([name, ms]) => {
    const used = (ms - (before.get(name) ?? 0)) / count;
    return `${name} ${used.toFixed(2)}`;
  });
  return shares.length === 0 ? 'CPU: not known here' : `CPU ms each: ${shares.join(', ')}`;
}

function readProcesses(): { readonly pid: number; readonly parentPid: number; readonly cpuMs: number }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = statFields(name);
      if (fields === undefined) return [];
      // Counted from the state, field 3 of proc(5): parent 4, user 14, system 15, and those of ended children 16 and 17.
      const at = (field: number) => Number(fields[field - 3] ?? 0);
      const ticks = at(14) + at(15) + at(16) + at(17);
      return [{ pid: Number(name), parentPid: at(4), cpuMs: ticks * MS_PER_TICK }];
    });
}

function statFields(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // It has ended since the folder was listed.
    return undefined;
  }
}
