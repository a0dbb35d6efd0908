import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { Database } from '../store/connection.ts';
import { countEndpoints } from '../store/webhooks/webhook-endpoints.ts';

/** The worker's metrics, in Prometheus' text format. */
export interface WorkerMetrics {
  readonly answer: PrometheusExporter['getMetricsRequestHandler'];
}

/**
 * Makes the metrics of a worker. They are read on request; what PostgreSQL cannot report at that moment is
 * left out of the answer.
 */
export function createWorkerMetrics(database: Database): WorkerMetrics {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meter = new MeterProvider({ readers: [exporter] }).getMeter('worker');
  meter
    .createObservableGauge('webhook_endpoints', {
      description: 'Endpoints of all organizations that fail or are on the slow lane (decision 0016)',
    })
    .addCallback(async (result) => {
      const { failing, slow } = await countEndpoints(database);
      result.observe(failing, { state: 'failing' });
      result.observe(slow, { state: 'slow' });
    });
  return { answer: (request, response) => exporter.getMetricsRequestHandler(request, response) };
}
