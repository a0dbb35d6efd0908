import type { Context, Middleware } from 'koa';
import { readTraceContext } from '../../platform/tracing/trace-context.ts';
import { startSpan } from '../../platform/tracing/tracing.ts';
import { noteTrace, organizationOf } from './request-log.ts';
import { isProbe, knownMethod, routeOf } from './request-route.ts';

/**
 * Takes up the trace that a request belongs to by its `traceparent` and `tracestate` (decision 0044), and makes its span. What the
 * request causes finds it by `traceOf`. `requestIdOf` reads the id that the answer has.
 */
export function requestTrace(requestIdOf: (context: Context) => string): Middleware {
  return async (context, next) => {
    if (isProbe(context)) {
      await next();
      return;
    }
    const parent = readTraceContext(context.get('traceparent'), context.get('tracestate'));
    const method = knownMethod(context.method);
    const span = startSpan('request', parent, { 'http.request.method': method });
    noteTrace(context, span.context);
    await next();
    const { status } = context;
    const route = routeOf(context);
    const attributes = {
      'http.route': route,
      'http.response.status_code': status,
      'shipments.request.id': requestIdOf(context),
      'shipments.organization.id': organizationOf(context),
    };
    span.end({ title: `${method} ${route}`, attributes, ...(status >= 500 && { error: String(status) }) });
  };
}
