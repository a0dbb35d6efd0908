// The API as api/main.ts runs it, which also tells on SIGUSR2 how long its event loop was held since it was last asked.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const NANOSECONDS_PER_MS = 1e6;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on('SIGUSR2', () => {
  // The histogram holds whole intervals of the timer: what exceeds one is the time the loop was held.
  const heldMs = Math.max(0, delay.max / NANOSECONDS_PER_MS - RESOLUTION_MS);
  process.stdout.write(`loop held ${heldMs.toFixed(1)} ms\n`);
  delay.reset();
});
await import('../api/main.ts');
