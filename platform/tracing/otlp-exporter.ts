import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attributes, Span, SpanContext } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ExportResultCode, TraceState } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';
import type { SpanRow } from './span-table.ts';
import { SPANS } from './span-table.ts';
import type { TraceSettings } from './start-tracing.ts';
import type { TraceContext } from './trace-context.ts';
import type { SpanSink } from './tracing.ts';
import { sendSpansTo } from './tracing.ts';

/** Spans are sent in batches, at the latest after this time; a process that stops has as long to send the last. */
const EXPORT_INTERVAL_MS = 2_000;
/** Beyond it spans are dropped: a collector that does not answer costs memory for these and a batch. */
const MAX_QUEUED_SPANS = 2_048;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<SpanRow['kind'], SpanKind>;

/**
 * Begins to keep the spans of this process and to send them to a collector (OTLP over HTTP, JSON). A trace that the client began is
 * kept where the client keeps it; of those that begin here the share of the settings. Returns what sends the last ones and ends it.
 */
export function exportSpans(service: string, settings: TraceSettings, log: Logger): () => Promise<void> {
  const { endpoint, headers, share } = settings;
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service, 'service.instance.id': randomUUID() }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(new OTLPTraceExporter({ url, headers: { ...headers } }), log),
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        maxQueueSize: MAX_QUEUED_SPANS,
      }),
    ],
  });
  const tracer = provider.getTracer('shipments');
  const start: SpanSink['start'] = (name, parent, attributes) => {
    const { kind, title } = SPANS[name];
    const known = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
    const span = tracer.startSpan(title.replaceAll('`', ''), { kind: KINDS[kind] }, known);
    setAttributes(span, attributes);
    return {
      context: traceContextOf(span.spanContext()),
      end: (ended = {}) => {
        setAttributes(span, ended.attributes ?? {});
        if (ended.title !== undefined) span.updateName(ended.title);
        if (ended.error !== undefined) {
          span.setAttribute('error.type', ended.error);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
  sendSpansTo({ start });
  return async () => {
    sendSpansTo(undefined);
    const sent = provider.shutdown().catch(() => undefined);
    await Promise.race([sent, delay(EXPORT_INTERVAL_MS, undefined, { ref: false })]);
  };
}

function setAttributes(span: Span, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) span.setAttribute(name, value);
  }
}

function spanContextOf({ traceId, spanId, flags, state }: TraceContext): SpanContext {
  const traceState = state === null ? {} : { traceState: new TraceState(state) };
  return { traceId, spanId, traceFlags: flags, isRemote: true, ...traceState };
}

function traceContextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const state = traceState?.serialize() ?? '';
  return { traceId, spanId, flags: traceFlags, state: state === '' ? null : state };
}

/** The collector's status, or the code of a connection that failed; never a message, which may hold the address with a password. */
function reasonOf(error: Error | undefined): string | undefined {
  return error !== undefined && 'code' in error ? String(error.code) : error?.name;
}

/** Logs when spans cannot be sent, and when they can be again: once each. Nothing else may depend on the collector. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        if (hasFailed && !isFailing) {
          log.warn({ reason: reasonOf(result.error) }, 'traces cannot be sent; they are dropped meanwhile');
        }
        if (!hasFailed && isFailing) log.info('traces are sent again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
