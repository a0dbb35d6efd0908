// The API as api/main.ts runs it, which also tells on SIGUSR2 for how long its event loop was held since it was last asked:
// by the clock, which other processes lengthen, and in CPU time of its main thread.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const NANOSECONDS_PER_MS = 1e6;
const MICROSECONDS_PER_MS = 1e3;

/** CPU time of the main thread so far (Linux, proc(5)); elsewhere that of all threads, which is more. */
function cpuMs(): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / NANOSECONDS_PER_MS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS_PER_MS;
  }
}

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const stretch = { beganAtMs: cpuMs(), longestMs: 0 };
// The timer comes between stretches: what was used since it came last is the time of one, and of what fits between two ticks.
setInterval(() => {
  const nowMs = cpuMs();
  stretch.longestMs = Math.max(stretch.longestMs, nowMs - stretch.beganAtMs);
  stretch.beganAtMs = nowMs;
}, RESOLUTION_MS).unref();
process.on('SIGUSR2', () => {
  // The histogram holds whole intervals of the timer: what exceeds one is the time the loop was held.
  const clockMs = Math.max(0, delay.max / NANOSECONDS_PER_MS - RESOLUTION_MS);
  process.stdout.write(`loop held ${clockMs.toFixed(1)} ms, ${stretch.longestMs.toFixed(1)} ms of CPU\n`);
  delay.reset();
  stretch.longestMs = 0;
});
await import('../api/main.ts');
