import type { QueueCounts } from '../fair-queue.ts';
import type { CounterName, HistogramName, MetricLabels, MetricName } from './metric-table.ts';

/** One value of a metric at a moment. NaN says that it is unknown. */
export interface Reading {
  readonly name: MetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Where this process keeps what it counts (metrics-exporter.ts). */
export interface MetricSink {
  readonly add: (name: CounterName, labels: Readonly<Record<string, string>>, amount: number) => void;
  readonly observe: (name: HistogramName, labels: Readonly<Record<string, string>>, seconds: number) => void;
}

/** A process counts for itself alone, like its log: nothing is kept until `sendMetricsTo`. */
let sink: MetricSink | undefined;
const readers = new Map<string, () => Reading>();

/** Lets this process keep what it counts from now on; undefined ends that. */
export function sendMetricsTo(next: MetricSink | undefined): void {
  sink = next;
}

/** Adds to a counter. */
export function count<Name extends CounterName>(name: Name, labels: MetricLabels<Name>, amount = 1): void {
  sink?.add(name, labels, amount);
}

/** Adds one duration to a histogram. */
export function observe<Name extends HistogramName>(
  name: Name,
  labels: MetricLabels<Name>,
  seconds: number,
): void {
  sink?.observe(name, labels, seconds);
}

/** Makes a value readable for as long as the process lives; a later provider of the same labels replaces it. */
export function provide<Name extends MetricName>(
  name: Name,
  labels: MetricLabels<Name>,
  read: () => number,
): void {
  readers.set(`${name} ${Object.values(labels).join(' ')}`, () => reading(name, labels, read()));
}

/** Makes the lengths of a queue readable. */
export function provideQueue(
  queue: MetricLabels<'work_queue_items'>['queue'],
  counts: () => QueueCounts,
): void {
  provide('work_queue_items', { queue, state: 'waiting' }, () => counts().waiting);
  provide('work_queue_items', { queue, state: 'running' }, () => counts().running);
}

/** Makes a reading whose labels are those of its metric. */
export function reading<Name extends MetricName>(
  name: Name,
  labels: MetricLabels<Name>,
  value: number,
): Reading {
  return { name, labels, value };
}

/** Returns what is provided, as it is now. */
export function providedReadings(): readonly Reading[] {
  return [...readers.values()].map((read) => read());
}
