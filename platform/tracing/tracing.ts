import type { SpanAttributes, SpanName } from './span-table.ts';
import type { TraceContext } from './trace-context.ts';

/** What is said of a span, by the names of span-table.ts. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** How a span ended. */
interface End<Known extends Attributes> {
  readonly attributes?: Known;
  /** Replaces the name, where it is known at the end alone. */
  readonly title?: string;
  /** Why the work failed: a word, never a message, which may hold values. */
  readonly error?: string | undefined;
}

/** A piece of work that is under way. */
interface Work<Known extends Attributes> {
  /** What the work causes is given this context. Without an exporter it is that of the parent. */
  readonly context: TraceContext | null;
  readonly end: (end?: End<Known>) => void;
}

/** A span of a kind. */
export type Span<Name extends SpanName> = Work<SpanAttributes<Name>>;
export type SpanEnd<Name extends SpanName> = End<SpanAttributes<Name>>;

/** Where this process keeps its spans (otlp-exporter.ts). */
export interface SpanSink {
  readonly start: (name: SpanName, parent: TraceContext | null, attributes: Attributes) => Work<Attributes>;
}

/** Nothing is kept until `sendSpansTo`: a span then costs a comparison and one object. */
let sink: SpanSink | undefined;

/** Lets this process keep its spans from now on; undefined ends that. */
export function sendSpansTo(next: SpanSink | undefined): void {
  sink = next;
}

const nothing = (): void => undefined;

/** Begins a span below `parent`, or a trace of its own where that is null. One that is never ended is not kept. */
export function startSpan<Name extends SpanName>(
  name: Name,
  parent: TraceContext | null,
  attributes: SpanAttributes<Name> = {},
): Span<Name> {
  return sink === undefined ? { context: parent, end: nothing } : sink.start(name, parent, attributes);
}

/** Does `work` in a span. `endOf` says of its result how the span ended; an error that it throws ends the span by its name. */
export async function inSpan<Name extends SpanName, Result>(
  span: Span<Name>,
  work: () => Promise<Result>,
  endOf: (result: Result) => SpanEnd<Name>,
): Promise<Result> {
  try {
    const result = await work();
    span.end(endOf(result));
    return result;
  } catch (error) {
    span.end({ error: errorName(error) });
    throw error;
  }
}

/** The word for an error in a span. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
