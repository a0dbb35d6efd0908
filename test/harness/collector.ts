import { once } from 'node:events';
import { createServer } from 'node:http';
import { at, listAt, listOrEmpty, textAt, textOrEmpty } from './json.ts';
import { until } from './until.ts';

/** A span as a collector gets it. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  /** SpanKind of OTLP: 2 is a server, 3 a client, 4 a producer, 5 a consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether its status is an error. */
  readonly hasFailed: boolean;
}

/** A collector of OpenTelemetry on this machine: OTLP over HTTP with JSON. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The requests' own headers. */
  readonly headers: readonly NodeJS.Dict<string | string[]>[];
  /** Every text that was sent, to look for what must not be there. */
  readonly text: () => string;
  /** Waits for the spans of a trace, as many as are named, and resolves to them by their names. */
  readonly traceOf: (traceId: string, names: readonly string[]) => Promise<readonly CollectedSpan[]>;
  readonly close: () => Promise<void>;
}

const ERROR_STATUS = 2;

/** Starts one. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      if (request.url === '/v1/traces') {
        texts.push(text);
        headers.push(request.headers);
        spans.push(...spansOf(JSON.parse(text)));
      }
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' });
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    headers,
    text: () => texts.join('\n'),
    traceOf: (traceId, names) =>
      until(
        () => {
          const own = spans.filter((span) => span.traceId === traceId);
          return names.every((name) => own.some((span) => span.name === name)) ? own : undefined;
        },
        `the trace has not all of: ${names.join(', ')}`,
      ),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansOf(body: unknown): CollectedSpan[] {
  return listAt(body, 'resourceSpans').flatMap((resource) => {
    const service = attributesOf(resource, 'resource.attributes')['service.name'] ?? '';
    return listAt(resource, 'scopeSpans')
      .flatMap((scope) => listAt(scope, 'spans'))
      .map((span) => ({
        service,
        name: textAt(span, 'name'),
        traceId: textAt(span, 'traceId'),
        spanId: textAt(span, 'spanId'),
        parentId: textOrEmpty(span, 'parentSpanId'),
        kind: Number(at(span, 'kind')),
        attributes: attributesOf(span, 'attributes'),
        hasFailed: at(span, 'status.code') === ERROR_STATUS,
      }));
  });
}

function attributesOf(body: unknown, path: string): Record<string, string> {
  const entries = listOrEmpty(body, path).map((attribute) => {
    const value = at(attribute, 'value');
    const [text = ''] = typeof value === 'object' && value !== null ? Object.values(value).map(String) : [];
    return [textAt(attribute, 'key'), text] as const;
  });
  return Object.fromEntries(entries);
}
