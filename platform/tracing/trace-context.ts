import { parseTraceParent, TraceState } from '@opentelemetry/core';

/** Where a piece of work stands in its trace: what `traceparent` and `tracestate` say (W3C Trace Context, sections 3.2 and 3.3). */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits: the span that caused the work. */
  readonly spanId: string;
  /** A bit field; 1 says that the trace is recorded. */
  readonly flags: number;
  /** What vendors added, at most 512 bytes; null without any. */
  readonly state: string | null;
}

/** Flags that version 00 of `traceparent` knows: recorded, and a random trace id. The others are sent as 0. */
const KNOWN_FLAGS = 0b11;
const PARENT_LENGTH = '00-'.length + 32 + '-'.length + 16 + '-00'.length;

/**
 * Reads the two headers. A malformed `traceparent` is as good as none, and takes its `tracestate` with it. Of a `tracestate` the
 * valid entries are kept that fit into 512 bytes, at most 32.
 */
export function readTraceContext(traceparent: string, tracestate: string): TraceContext | null {
  if (traceparent === '') return null;
  const parent = parseTraceParent(traceparent);
  if (parent === null) return null;
  const { traceId, spanId, traceFlags } = parent;
  const state = tracestate === '' ? '' : new TraceState(tracestate).serialize();
  return { traceId, spanId, flags: traceFlags & KNOWN_FLAGS, state: state === '' ? null : state };
}

/** The headers that carry a context; none without one. */
export function traceHeaders(
  context: TraceContext | null,
): { readonly traceparent: string; readonly tracestate?: string } | Record<string, never> {
  if (context === null) return {};
  const { state } = context;
  return { traceparent: parentOf(context), ...(state !== null && { tracestate: state }) };
}

/** A context as a row keeps it: `traceparent`, and after a blank `tracestate`. */
export function storedTrace(context: TraceContext | null): string | null {
  if (context === null) return null;
  return [parentOf(context), ...(context.state === null ? [] : [context.state])].join(' ');
}

/** Reads what a row keeps; null for anything else. */
export function restoredTrace(text: string | null): TraceContext | null {
  if (text === null) return null;
  return readTraceContext(text.slice(0, PARENT_LENGTH), text.slice(PARENT_LENGTH + 1));
}

function parentOf({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
}
