import type { IncomingMessage, ServerResponse } from 'node:http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { CounterName, HistogramName, MetricName, MetricRow } from './metric-table.ts';
import { METRICS } from './metric-table.ts';
import type { Reading } from './metrics.ts';
import { providedReadings, sendMetricsTo } from './metrics.ts';
import { provideProcessReadings } from './process-readings.ts';

/** Reads values that are not in this process. It must resolve soon, with NaN for what is unknown. */
export type ReadingSource = () => Promise<readonly Reading[]>;

/** The metrics of this process, in Prometheus' text format. */
export interface MetricsExporter {
  /** Answers a request for the metrics, whatever its path is. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly stop: () => void;
}

const TABLE: Readonly<Record<MetricName, MetricRow>> = METRICS;
const NAMES = Object.keys(TABLE).filter((name): name is MetricName => name in TABLE);

/**
 * Begins to keep the metrics of this process. What `sources` resolve to is read with each request. A counter whose labels are
 * known begins with 0, so that its first increase is seen as one.
 */
export function startMetrics(from: 'api' | 'worker', sources: readonly ReadingSource[]): MetricsExporter {
  const exporter = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const meter = new MeterProvider({ readers: [exporter] }).getMeter('shipments');
  const process = provideProcessReadings();
  const own = NAMES.filter((name) => TABLE[name].from.includes(from));
  const read = readInstruments(meter, own);
  meter.addBatchObservableCallback(
    async (result) => {
      const more = await Promise.all(sources.map((source) => source()));
      for (const one of [...providedReadings(), ...more.flat()]) report(result, read, one);
    },
    [...read.values()],
  );
  sendMetricsTo(countedInstruments(meter, own));
  return {
    answer: (request, response) => exporter.getMetricsRequestHandler(request, response),
    stop: () => {
      sendMetricsTo(undefined);
      process.stop();
    },
  };
}

function report(
  result: BatchObservableResult,
  instruments: ReadonlyMap<MetricName, Observable>,
  { name, labels, value }: Reading,
): void {
  const instrument = instruments.get(name);
  if (instrument !== undefined) result.observe(instrument, value, labels);
}

/** Counters that are read rather than counted. */
const READ_COUNTERS: readonly MetricName[] = ['process_cpu_seconds_total', 'log_lines_dropped_total'];

function isRead(name: MetricName): boolean {
  return TABLE[name].kind === 'gauge' || READ_COUNTERS.includes(name);
}

function readInstruments(meter: Meter, names: readonly MetricName[]): ReadonlyMap<MetricName, Observable> {
  return new Map(
    names.filter(isRead).map((name) => {
      const { kind, help: description } = TABLE[name];
      const instrument =
        kind === 'gauge'
          ? meter.createObservableGauge(name, { description })
          : meter.createObservableCounter(name, { description });
      return [name, instrument];
    }),
  );
}

function countedInstruments(meter: Meter, names: readonly MetricName[]) {
  const counted = names.filter((name) => !isRead(name));
  const counters = new Map(
    counted
      .filter((name) => TABLE[name].kind === 'counter')
      .map((name) => [name, meter.createCounter(name, { description: TABLE[name].help })]),
  );
  const histograms = new Map(
    counted
      .filter((name) => TABLE[name].kind === 'histogram')
      .map((name) => {
        const { help: description, buckets = [] } = TABLE[name];
        const advice = { explicitBucketBoundaries: [...buckets] };
        return [name, meter.createHistogram(name, { description, advice })];
      }),
  );
  for (const [name, counter] of counters)
    for (const labels of knownLabels(TABLE[name])) counter.add(0, labels);
  return {
    add: (name: CounterName, labels: Readonly<Record<string, string>>, amount: number) =>
      counters.get(name)?.add(amount, labels),
    observe: (name: HistogramName, labels: Readonly<Record<string, string>>, seconds: number) =>
      histograms.get(name)?.record(seconds, labels),
  };
}

/** All combinations of a metric's labels; none where the values of one are not listed. */
function knownLabels({ labels }: MetricRow): readonly Readonly<Record<string, string>>[] {
  let known: readonly Readonly<Record<string, string>>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (typeof values === 'string') return [];
    known = known.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  return known;
}
