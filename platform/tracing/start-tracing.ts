import type { Logger } from '../log.ts';

/** Where spans go. */
export interface TraceSettings {
  /** The collector's base address: spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  /** What its requests carry, a key for instance. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the traces that begin here, how many are kept: 0 to 1. */
  readonly share: number;
}

/**
 * Keeps the spans of this process where a collector is set. Without one no package for it is loaded. Resolves to what sends the
 * last spans, in two seconds at most.
 */
export async function startTracing(
  service: 'shipment-api' | 'shipment-worker',
  settings: TraceSettings | null,
  log: Logger,
): Promise<() => Promise<void>> {
  if (settings === null) return () => Promise.resolve();
  const { exportSpans } = await import('./otlp-exporter.ts');
  return exportSpans(service, settings, log);
}
