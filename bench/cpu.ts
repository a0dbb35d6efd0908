import { readFileSync } from 'node:fs';
import type { CaseContext } from './case.ts';

/** Ticks in /proc are hundredths of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;
const MS_PER_SECOND = 1_000;

/**
 * Does some work on so many things. Resolves to its result and the rate per second, and prints how much CPU time each part
 * and its children used for one of them: unlike a rate it says the same on a busy machine. It is read on Linux alone.
 */
export async function rateOf<T>(
  { deployment, say }: CaseContext,
  what: string,
  count: number,
  work: () => Promise<T>,
): Promise<{ readonly rate: number; readonly result: T }> {
  const parts = deployment.parts.filter((part) => part.isRunning());
  const before = parts.map((part) => cpuMsOf(part.pid()));
  const begin = performance.now();
  const result = await work();
  const rate = count / ((performance.now() - begin) / MS_PER_SECOND);
  const shares = parts.map((part, index) => {
    const ms = cpuMsOf(part.pid()) - (before[index] ?? 0);
    return `${part.name} ${(ms / count).toFixed(2)}`;
  });
  say(`    ${what}, CPU ms each: ${shares.join(', ')}`);
  return { rate, result };
}

/** CPU time of a process and its children so far. */
function cpuMsOf(pid: number): number {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  const ticks = [pid, ...children].flatMap((id) => {
    // Counted from the state, field 3 of proc(5): user 14, system 15, and those of ended children 16 and 17.
    const fields = read(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).map(Number);
  });
  return ticks.reduce((sum, part) => sum + part, 0) * MS_PER_TICK;
}

/** Empty where a process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
