import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { droppedLogLines } from '../log.ts';
import { provide } from './metrics.ts';

/** How often a timer measures by how much it is late. Each costs some microseconds. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** Provides what a process can say of itself: processor, memory, event loop, log. */
export function provideProcessReadings(): { readonly stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  /** The measured times contain the interval itself. */
  const late = (nanoseconds: number): number =>
    Math.max(0, (Number.isFinite(nanoseconds) ? nanoseconds : 0) / NANOSECONDS - RESOLUTION_MS / 1_000);
  provide('event_loop_delay_seconds', { quantile: '0.5' }, () => late(delay.percentile(50)));
  provide('event_loop_delay_seconds', { quantile: '0.99' }, () => late(delay.percentile(99)));
  provide('event_loop_delay_seconds', { quantile: '1' }, () => {
    const longest = late(delay.max);
    delay.reset();
    return longest;
  });
  let utilization = performance.eventLoopUtilization();
  provide('event_loop_utilization_ratio', {}, () => {
    const now = performance.eventLoopUtilization();
    const { utilization: ratio } = performance.eventLoopUtilization(now, utilization);
    utilization = now;
    return ratio;
  });
  provide('process_cpu_seconds_total', {}, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  provide('process_resident_memory_bytes', {}, () => process.memoryUsage.rss());
  provide('process_start_time_seconds', {}, () => performance.timeOrigin / 1_000);
  provide('log_lines_dropped_total', {}, droppedLogLines);
  return { stop: () => delay.disable() };
}
